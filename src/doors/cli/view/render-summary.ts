import type { RunState, StepState } from '../../../core/contract/index.ts';
import { indent, type Look, measure, short } from './look.ts';
import { activeTime, tally } from './steps.ts';
import { cleanOutput, visible } from './text/clean.ts';
import { duration } from './text/time.ts';
import { wrap } from './text/wrap.ts';
import { exitMeanings, stateSentence } from './words.ts';

export interface SummaryLook extends Look {
  now: number;
  /** The run's id as a person may type it. */
  id: string;
  /** Where the output of the step that failed is kept. */
  logFile?: string | undefined;
  /** What the process is going to exit with. */
  exitCode?: number | undefined;
}

const margin = ' ';
/** Lines of the failed step's output that are repeated at the end. */
const lastLines = 8;

/** The end of a run, or the end of watching it: what happened, why, and what a person can do now. */
export function renderSummary(state: RunState, look: SummaryLook): string[] {
  const { style } = look;
  const width = measure(look) - 2 * margin.length;
  const failed = state.steps.find(({ status }) => status === 'failed');
  const glyph = summaryGlyph(state, look);
  const sentence = `${stateSentence(state)}, ${countsAndTime(state, look)}.`;
  const [first = '', ...rest] = wrap(sentence, width - 2);
  return indent(
    [
      `${glyph} ${style.strong(first)}`,
      ...indent(rest.map(style.strong), '  '),
      ...(failed !== undefined && state.status !== 'running'
        ? failure(state, failed, look, width)
        : reason(state, look, width)),
      ...whatNow(state, failed, look, width),
    ],
    margin,
  );
}

function summaryGlyph(state: RunState, { style }: Look): string {
  const { glyphs } = style;
  if (state.status === 'done') return style.done(glyphs.step.done);
  if (state.status === 'failed') return style.failed(glyphs.step.failed);
  if (state.status === 'cancelled') return style.dim(glyphs.step.skipped);
  return style.waiting(glyphs.waiting);
}

function countsAndTime(state: RunState, { now }: SummaryLook): string {
  const { done, failed, skipped, open, total } = tally(state);
  const took = duration(activeTime(state, now));
  if (done === total) return `in ${took}`;
  const counts = [
    `${done} done`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(open > 0 ? [`${open} to go`] : []),
  ];
  return `${counts.join(', ')}, after ${took}`;
}

function reason(state: RunState, look: Look, width: number): string[] {
  if (state.message === null || state.status === 'done') return [];
  return indent(wrap(visible(state.message), width - 2), '  ').map(look.style.dim);
}

function failure(
  state: RunState,
  { id, result, attempts }: StepState,
  look: SummaryLook,
  width: number,
): string[] {
  const { style } = look;
  const title = state.plan?.steps.find((step) => step.id === id)?.title ?? id;
  const again = attempts > 1 ? ` (attempt ${attempts})` : '';
  const message = visible(result?.message ?? 'it failed');
  const printed = lastOutput(result?.stderrTail || result?.stdoutTail || '');
  const edge = style.failed(style.glyphs.spine);
  const room = look.width === Number.POSITIVE_INFINITY ? look.width : look.width - 6;
  return [
    '',
    ...indent(
      [...wrap(visible(title) + again, width - 2), ...wrap(message, width - 2).map(style.failed)],
      '  ',
    ),
    ...(printed.length > 0 ? [''] : []),
    ...printed.map((line) => `  ${edge} ${short(line, room, look)}`),
  ];
}

function lastOutput(text: string): string[] {
  const lines = text.replace(/\n+$/, '').split('\n').map(cleanOutput);
  return lines.filter((line, index) => line !== '' || index > 0).slice(-lastLines);
}

function whatNow(state: RunState, failed: StepState | undefined, look: SummaryLook, width: number): string[] {
  const { style, id, logFile, exitCode } = look;
  const row = (label: string, text: string) => `  ${style.dim(label.padEnd(7))} ${text}`;
  const log =
    logFile === undefined || logFile.length > width - 12
      ? `planwright logs ${id}${failed ? ' --failed' : ''}`
      : logFile;
  const meaning = exitCode === undefined ? undefined : exitMeanings[exitCode];
  const rows = [
    ...(state.steps.some(({ attempts }) => attempts > 0) ? [row('Log', log)] : []),
    ...(state.ended ? [] : [row('Resume', `planwright resume ${id}`)]),
    ...(exitCode ? [row('Exit', `${exitCode}${meaning === undefined ? '' : `, ${meaning}`}`)] : []),
  ];
  return rows.length === 0 ? [] : ['', ...rows];
}
