import type { RunRow, RunState, StepResult, StepStatus } from '../../../core/contract/index.ts';
import { activeTime, ago, count, duration, sentenceOf, tally } from '../../../core/contract/told/index.ts';
import { indent, type Look, measure, paragraph, short, tildePath } from './look.ts';
import { createSpine, type Spine, spineLine } from './spine.ts';
import { cleanOutput } from './text/clean.ts';
import { moment } from './text/moment.ts';
import { hasUndo, notUndone } from './undo-words.ts';

export interface DetailsLook extends Look {
  now: number;
  /** Runs that undo this one. */
  undoneBy?: readonly RunRow[];
}

export interface SpineLook extends DetailsLook {
  /** With what each failed step says. */
  messages?: boolean;
  /** With what steps printed that succeeded, where it is little; of the last of them a little more. */
  outputs?: boolean;
}

const margin = ' ';

/** Everything about one run on one page: `planwright show`. */
export function renderRunDetails(row: RunRow, state: RunState, look: DetailsLook): string[] {
  const { style, now } = look;
  const width = measure(look) - 2 * margin.length;
  const { done, total } = tally(state);
  const since = row.undrivenSince;
  const fields: [label: string, text: string | null][] = [
    ['Run', row.id],
    ['State', sentenceOf(state, since === undefined ? null : { since, now }).text],
    ['Why', state.message],
    ['Steps', `${done} of ${total} done`],
    ['Mode', row.mode],
    ['Where', tildePath(row.workspace, look)],
    ['Started', `${moment(row.createdAt)}, ${ago(row.createdAt, now)}`],
    ['Took', duration(activeTime(state, since ?? now))],
    ...state.services.map(({ name, status, keep }): [string, string] => [
      'Service',
      `${name}, ${status}${keep ? ', kept beyond the run' : ''}`,
    ]),
    ...(look.undoneBy ?? []).map((undo): [string, string] => ['Undone', `by run ${undo.id}, ${undo.state}`]),
    ['Undoes', row.undoes === undefined ? null : `run ${row.undoes.run}`],
    ['Undo', hasUndo(state) ? `planwright undo ${row.id}` : null],
    ['Note', notUndone(state)],
    ['Wakes', row.wakeAt === null ? null : moment(row.wakeAt)],
    ['Resume', state.ended ? null : `planwright resume ${row.id}`],
  ];
  const head = [
    ...paragraph(row.goal, width, look).map(style.strong),
    '',
    ...fields.flatMap(([label, text]) => (text === null ? [] : field(label, text, width, look))),
    '',
  ];
  return [...indent(head, margin), ...renderSpine(state, { ...look, now: since ?? now, messages: true })];
}

function field(label: string, text: string, width: number, look: Look): string[] {
  const { style } = look;
  const column = 9;
  const [first = '', ...rest] = paragraph(text, width - column, look);
  return [style.dim(label.padEnd(column)) + first, ...rest.map((line) => ' '.repeat(column) + line)];
}

/** A stretch of steps of which there is nothing to tell is folded into one line when it is longer than this. */
const longestStretch = 8;

/**
 * The whole spine, for pages and the scrollback: every step that something happened to, and long stretches of
 * untouched steps as one line each.
 */
export function renderSpine(state: RunState, look: SpineLook): string[] {
  const spine = createSpine(state, look.now, measure(look) - 2 * margin.length, look);
  const lines: string[] = [];
  const last = spine.views.findLastIndex((view) => view.state.status === 'done');
  let at = 0;
  while (at < spine.views.length) {
    const stretch = untouchedFrom(spine, at);
    if (stretch > longestStretch) {
      const word = spine.views[at]?.state.status === 'pending' ? 'not started' : 'not selected';
      const text = `${look.style.glyphs.ellipsis} ${count(stretch, 'step')} ${word}`;
      lines.push(' '.repeat(spine.titleColumn) + look.style.dim(text));
      at += stretch;
      continue;
    }
    const view = spine.views[at]!;
    lines.push(spineLine(view, spine));
    if (look.messages && view.state.status === 'failed')
      lines.push(...failureLines(view.state.result?.message, spine));
    if (look.outputs && view.state.status === 'done')
      lines.push(...printedLines(view.state.result, at === last ? mostOfLast : little, spine));
    at += 1;
  }
  return indent(lines, margin);
}

/** So many lines are little. */
const little = 4;
const mostOfLast = 20;

/** All that a step printed, beside the spine; of more than so many lines nothing, but of the last step's its end. */
function printedLines(
  result: StepResult | null,
  most: number,
  { titleColumn, width, look }: Spine,
): string[] {
  const text = (result?.stdoutTail ?? '') + (result?.stderrTail ?? '');
  const printed = text
    .split('\n')
    .map(cleanOutput)
    .filter((line) => line !== '');
  const isCut = result?.outputTruncated === true || Buffer.byteLength(text) < (result?.outputBytes ?? 0);
  if (most === little && (isCut || printed.length > most)) return [];
  const edge = look.style.dim(look.style.glyphs.spine) + ' '.repeat(titleColumn - 1);
  const isMore = isCut || printed.length > most;
  const shown = [...(isMore ? [look.style.glyphs.ellipsis] : []), ...printed.slice(-most)];
  return shown.map((line) => edge + look.style.dim(short(line, width - titleColumn, look)));
}

function untouchedFrom({ views, asked }: Spine, from: number): number {
  const status: StepStatus | undefined = views[from]?.state.status;
  let to = from;
  while (to < views.length) {
    const { state, step } = views[to]!;
    const untouched = state.status === 'pending' || state.skipReason === 'not-selected';
    if (!untouched || state.status !== status || step.id === asked) break;
    to += 1;
  }
  return to - from;
}

function failureLines(message: string | undefined, { titleColumn, width, look }: Spine): string[] {
  if (message === undefined) return [];
  const edge = look.style.failed(look.style.glyphs.spine) + ' '.repeat(titleColumn - 1);
  return [edge + look.style.dim(short(cleanOutput(message.split('\n')[0] ?? ''), width - titleColumn, look))];
}
