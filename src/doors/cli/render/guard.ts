import type { GuardedCall, GuardRow, GuardState, JudgedCall } from '../../../core/contract/guard/index.ts';
import { ago, count } from '../../../core/contract/told/index.ts';
import type { GuardStatus, TriedCommand } from '../../app/guard/setup.ts';
import { type Look, short, tildePath } from './look.ts';
import type { RunsLook } from './runs.ts';
import { visible } from './text/clean.ts';
import { moment } from './text/moment.ts';

const answered: Readonly<Record<JudgedCall['answer'], string>> = {
  none: 'passed',
  ask: 'asked',
  deny: 'denied',
};

/** `12:04:10  denied  blocked    Bash  rm -rf /etc  (1f2e3d4c)`. */
export function renderCall(call: GuardedCall, look: Look): string {
  const { at, id, tool, text, level, answer, reason, unkept } = call;
  const { style } = look;
  const paint = answer === 'deny' ? style.failed : answer === 'ask' ? style.waiting : style.dim;
  const said = paint(answered[answer].padEnd(6));
  const name = answer === 'none' ? '' : style.dim(`  (${id})`);
  // Of what could not be read there is only why.
  const what = visible((text === '' && answer === 'deny' ? reason : text).replaceAll('\n', '↵'));
  const line = `${moment(at)}  ${said}  ${(level ?? '–').padEnd(9)}  ${visible(tool)}  ${what}`;
  const lost = unkept === undefined ? '' : `\n   ${style.waiting(`no checkpoint: ${visible(unkept)}`)}`;
  return ` ${short(line, look.width - 14, look)}${name}${lost}`;
}

export function renderSession(row: GuardRow, state: GuardState, look: RunsLook): string[] {
  const { style } = look;
  const head = `${row.agent}  ${visible(row.session)}  ${tildePath(visible(row.workspace), look)}  ${ago(row.updatedAt, look.now)}`;
  const sums = [
    count(row.calls, 'call'),
    ...(row.asked > 0 ? [`${row.asked} asked about`] : []),
    ...(row.denied > 0 ? [`${row.denied} denied`] : []),
  ];
  return [
    ` ${style.strong(row.id)}  ${head}`,
    ` ${style.dim(sums.join(', '))}`,
    ...state.calls.map((call) => renderCall(call, look)),
  ];
}

const states: Readonly<Record<GuardStatus['state'], string>> = {
  installed: 'installed',
  other: 'calls another planwright: planwright guard install puts that right',
  absent: 'not installed',
  damaged: 'damaged: it cannot be read, and the agent may ignore it',
};

export function renderStatus(all: readonly GuardStatus[], look: Look): string[] {
  return all.map(({ agent, scope, file, state }) => {
    const paint =
      state === 'installed' ? look.style.done : state === 'absent' ? look.style.dim : look.style.failed;
    return ` ${agent.padEnd(12)} ${scope.padEnd(8)} ${paint(states[state])}  ${look.style.dim(tildePath(visible(file), look))}`;
  });
}

export function renderTried(all: readonly TriedCommand[], { style }: Look): string[] {
  return all.map(({ command, came, isWell }) => {
    const mark = isWell ? style.done(style.glyphs.step.done) : style.failed(style.glyphs.step.failed);
    return ` ${mark} ${came.padEnd(7)} ${visible(command)}`;
  });
}
