import { indexOfStep, type RunState, stepState } from '../../../core/contract/index.ts';
import {
  activeTime,
  correctionWords,
  duration,
  focusOf,
  sentenceOf,
  sourceWords,
  type Tone,
  tally,
} from '../../../core/contract/told/index.ts';
import { gap, indent, type Look, measure, short, spread } from './look.ts';
import { progressBar } from './progress-bar.ts';
import { createSpine, type Spine, spineLine } from './spine.ts';
import { stateGlyph } from './state-glyph.ts';
import { cleanOutput, visible } from './text/clean.ts';
import { displayWidth } from './text/width.ts';
import { windowAround } from './window.ts';

export interface RunFrame extends Look {
  now: number;
  /** The last lines that the running step printed, oldest first, as they came. */
  tail: readonly string[];
  height: number;
  /** Beside the goal: the run's id, or the name of the plan. */
  title?: string | undefined;
  /** Lines kept free for output, so that the steps below do not jump when a step begins to print. */
  tailRows?: number;
}

/** Lines of output under the running step. */
export const tailLimit = 6;
/** Steps that stay in sight before output takes a line. */
const stepsBeforeTail = 5;
const margin = ' ';

/**
 * One frame of the live view, never more than `width` × `height`:
 *
 *   Goal                                     title
 *   ◉ Running step 3 of 9 · 2 done          14.2 s
 *   ━━━━━━━━━━━━──────────────────────────────────
 *
 *   the spine, with the output of the running step
 *
 *   what the keys do
 *
 * As the height shrinks, the blank lines go first, then the keys, the bar and the goal.
 */
export function renderRun(state: RunState, frame: RunFrame): string[] {
  const { height } = frame;
  if (height < 1 || frame.width < 1) return [];
  const width = Math.max(1, measure(frame) - 2 * margin.length);
  const [goal, now, bar] = header(state, frame, width);
  if (height < 3 || state.plan === null) return framed([now], frame);
  const keys = keyHints(state, frame);
  const top = height < 4 ? [now] : height < 5 ? [goal, now] : [goal, now, bar];
  const bottom = keys !== '' && height >= 7 ? [keys] : [];
  const airy = height >= 10 ? 1 : 0;
  const rows = height - top.length - bottom.length - airy * (bottom.length > 0 ? 2 : 1);
  const blank = Array<string>(airy).fill('');
  const spine = spineWindow(createSpine(state, frame.now, width, frame), frame, rows);
  return framed([...top, ...blank, ...spine, ...(bottom.length > 0 ? blank : []), ...bottom], frame);
}

const framed = (lines: string[], frame: RunFrame): string[] =>
  indent(lines, frame.width > 2 ? margin : '').map((line) => short(line, frame.width, frame));

function header(state: RunState, frame: RunFrame, width: number): [string, string, string] {
  const { style, now, title = '' } = frame;
  const goal = style.strong(visible(state.plan?.goal ?? ''));
  const counts = tally(state);
  const { text, tone } = sentenceOf(state);
  const doing = `${stateGlyph(state.status, style)} ${paints(frame)[tone](text)}`;
  const facts = [
    doing,
    style.dim(`${counts.done} done`),
    ...(counts.failed > 0 && state.status === 'running' ? [style.failed(`${counts.failed} failed`)] : []),
  ].join(style.dim(` ${style.glyphs.separator} `));
  const elapsed = style.dim(duration(activeTime(state, now)));
  const fits = (left: string, right: string) => displayWidth(left + gap + right) <= width;
  const name = style.dim(visible(title));
  return [
    spread(goal, fits(goal, name) ? name : '', width, frame),
    spread(fits(facts, elapsed) ? facts : doing, elapsed, width, frame),
    progressBar(counts, width, frame),
  ];
}

const paints = ({ style }: Look): Record<Tone, (text: string) => string> => ({
  quiet: (text) => text,
  going: (text) => text,
  done: (text) => text,
  wait: style.waiting,
  fail: style.failed,
  mind: style.changed,
});

/** What the brain makes of the step that is being mended, for the line below it; null where none is. */
function mendingWords(state: RunState): { stepId: string; text: string } | null {
  if (state.thinking !== null) return { stepId: state.thinking.stepId, text: 'asking the brain' };
  const last = state.corrections.at(-1);
  if (last === undefined || (last.status !== 'proposed' && last.status !== 'applied')) return null;
  const status = stepState(state, last.stepId)?.status;
  if (status === undefined || status === 'done' || status === 'skipped') return null;
  const what = `${correctionWords(last.correction)}, ${sourceWords(last.correction)}`;
  const { reasoning } = last.correction;
  return { stepId: last.stepId, text: reasoning === '' ? what : `${reasoning} (${what})` };
}

function spineWindow(spine: Spine, frame: RunFrame, rows: number): string[] {
  const { views, state } = spine;
  const wanted =
    state.inFlight === null ? 0 : Math.max(Math.min(frame.tail.length, tailLimit), frame.tailRows ?? 0);
  const room = rows - Math.min(views.length, stepsBeforeTail);
  const mended = rows > views.length || room > 0 ? mendingWords(state) : null;
  const mendingLine = mended === null ? [] : [aside(mended.text, spine, frame)];
  const tailRows = Math.max(0, Math.min(wanted, tailLimit, room - mendingLine.length));
  const focus = indexOfStep(state.plan, focusOf(state) ?? '');
  const { from, to, above, below } = windowAround(views.length, focus, rows - tailRows - mendingLine.length);
  const { style } = frame;
  const hidden = (n: number, where: string) =>
    ' '.repeat(spine.titleColumn) + style.dim(`${style.glyphs.ellipsis} ${n} more ${where}`);
  return [
    ...(above > 0 ? [hidden(above, 'above')] : []),
    ...views.slice(from, to).flatMap((view, index) => {
      const lines = [spineLine(view, spine), ...(view.step.id === mended?.stepId ? mendingLine : [])];
      return from + index === focus && tailRows > 0
        ? [...lines, ...tailLines(spine, frame, tailRows)]
        : lines;
    }),
    ...(below > 0 ? [hidden(below, 'below')] : []),
  ];
}

/** What the machine says about a step, beside the spine and in the colour of what it changes. */
function aside(text: string, { titleColumn, width }: Spine, frame: RunFrame): string {
  const { style } = frame;
  const edge = style.dim(style.glyphs.spine) + ' '.repeat(titleColumn - 1);
  return edge + style.changed(short(visible(text), width - titleColumn, frame));
}

/** The last lines of output beside the spine; they may use the whole width of the terminal. */
function tailLines({ titleColumn }: Spine, frame: RunFrame, rows: number): string[] {
  const { style, tail } = frame;
  const edge = style.dim(style.glyphs.spine) + ' '.repeat(titleColumn - 1);
  const room = frame.width - titleColumn - 2 * margin.length;
  const shown = tail.slice(-rows).map((line) => style.dim(short(cleanOutput(line), room, frame)));
  const free = Array<string>(rows - shown.length).fill('');
  return [...shown, ...free].map((line) => (line === '' ? style.dim(style.glyphs.spine) : edge + line));
}

/** A run that waits is answered by a prompt, which has its own words. */
function keyHints(state: RunState, { style, width }: Look): string {
  if (state.status !== 'running' && state.status !== 'recovering') return '';
  const asked = state.inbox.map(({ request }) => request.type);
  if (asked.includes('cancel-requested')) return '';
  if (asked.includes('pause-requested')) return style.dim('Ctrl-C again ends the step and cancels the run');
  return style.dim(
    width < 60 ? 'Ctrl-C to rest, twice to cancel' : 'Ctrl-C to rest and resume later, twice to cancel',
  );
}
