import type { NotFired, ScheduleRow, ScheduleState } from '../../../core/contract/schedules/index.ts';
import {
  firingWords,
  notFiredWords,
  scheduleTime,
  scheduleWords,
} from '../../../core/contract/told/index.ts';
import { cleanOutput } from './text/clean.ts';

/** `3fa9…  active   0 3 * * *  Europe/Berlin  Back up: next 2026-11-17 03:00`, one line of a listing. */
export function scheduleLine(row: ScheduleRow): string {
  const last = row.last === null ? '' : `; last ${row.last.run} ${row.last.state ?? 'not over'}`;
  const out =
    row.leftOut === null ? '' : `; ${notFiredWords(row.leftOut.why as NotFired, row.leftOut.count)}`;
  const words = `${cleanOutput(row.name)}: ${cleanOutput(scheduleWords(row))}`;
  return `${row.id}  ${row.state.padEnd(7)}  ${row.cron}  ${row.tz}  ${words}${out}${last}`;
}

/** All that a person wants to know of one. */
export function scheduleLines({
  row,
  state,
  times,
}: {
  row: ScheduleRow;
  state: ScheduleState;
  times: readonly number[];
}): string[] {
  const { agreement, firings } = state;
  if (agreement === null) return [row.id];
  const { options, environment, missed, hash } = agreement;
  const inputs = Object.entries(options.inputs).map(([name, value]) => `${name}=${value}`);
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${cleanOutput(line)}`)];
  return [
    `${row.id}  ${cleanOutput(row.name)}`,
    `${row.cron}  ${row.tz}, ${cleanOutput(scheduleWords(row))}`,
    ...part('Agreed to', [
      `${row.file} (${hash.slice(0, 12)}) in ${row.workspace} on ${row.host}`,
      `mode ${options.mode}, on ask ${options.onAsk}, missed times: ${missed}`,
      ...(inputs.length === 0 ? [] : [`inputs ${inputs.join(', ')}`]),
      ...(environment.length === 0 ? [] : [`needs ${environment.join(', ')}`]),
    ]),
    ...part(
      'Next',
      times.map((at) => scheduleTime(row, at)),
    ),
    ...part(
      'Last',
      firings.toReversed().map((firing) => `${scheduleTime(row, firing.due)}  ${firingWords(firing)}`),
    ),
  ];
}
