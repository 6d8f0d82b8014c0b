import type { NotFired, VoidReason } from '../schedules/facts.ts';
import type { ScheduleRow } from '../schedules/row.ts';
import type { Firing } from '../schedules/state.ts';

const times = (count: number): string => (count === 1 ? 'its time' : `${count} times`);

const leftOut: Record<NotFired, (count: number) => string> = {
  overlap: (count) => `left out ${times(count)}: the run before was not over`,
  missed: (count) => `left out ${times(count)}: nobody was there`,
};

/** Why no run was begun. */
export const notFiredWords = (why: NotFired, count: number): string => leftOut[why](count);

/** What came of one time of a schedule. */
export function firingWords({ why, how, count, run, ended }: Firing): string {
  if (why !== null) return notFiredWords(why, count);
  const asked = how === 'asked' ? ', as somebody asked' : '';
  const late = count > 1 ? `, for ${count} times` : '';
  return `began ${run}${asked}${late}${ended === null ? '' : `: ${ended}`}`;
}

/** What is the matter with what was agreed to; `what` is a file, a sentence about it, or the names of variables. */
export const voidWords: Record<VoidReason, (what: string) => string> = {
  changed: (what) => `${what} is not what was agreed to any more`,
  unreadable: (what) => what,
  environment: (what) => `${what}: not set where it would run, and the plan names it`,
};

/** `2026-11-17 03:00`, by the clock that the schedule goes by, whatever the reader's says. */
export const scheduleTime = ({ tz }: Pick<ScheduleRow, 'tz'>, at: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: tz, dateStyle: 'short', timeStyle: 'short' }).format(at);

/** What a schedule is about to do, or waits for. */
export function scheduleWords(row: ScheduleRow): string {
  switch (row.state) {
    case 'removed':
      return 'removed';
    case 'changed':
      return `waits to be agreed to again: ${row.broken}`;
    case 'paused':
      return 'paused';
    case 'active':
      if (row.nextAt === null)
        return row.needsTime ? 'its next time is not worked out yet' : 'its times are over';
      return `next ${scheduleTime(row, row.nextAt)}`;
  }
}
