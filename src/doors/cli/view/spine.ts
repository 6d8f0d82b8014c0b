import type { RunState, StepState } from '../../../core/contract/index.ts';
import { count, gap, isUnbounded, type Look, short, spread } from './look.ts';
import { isAlarming, openQuestion, type StepView, stepViews, verdictOf } from './steps.ts';
import { visible } from './text/clean.ts';
import { duration, durationWidth } from './text/time.ts';
import { displayWidth, padStart } from './text/width.ts';
import { failureWords } from './words.ts';

/**
 * The step spine: one line a step.
 *
 *   ● 2  Install dependencies                    11.2 s
 *   │ │  │                                            │
 *   │ │  title, then what is special about it         its last attempt
 *   │ number
 *   state
 */
export interface Spine {
  views: StepView[];
  state: RunState;
  now: number;
  look: Look;
  /** Columns of a line. */
  width: number;
  /** Columns of the widest number, and of all that stands before a title. */
  digits: number;
  titleColumn: number;
  /** The step that a person is asked about. */
  asked: string | null;
  byId: ReadonlyMap<string, StepView>;
}

export function createSpine(state: RunState, now: number, width: number, look: Look): Spine {
  const views = stepViews(state);
  const digits = String(views.length).length;
  return {
    views,
    state,
    now,
    look,
    width,
    digits,
    titleColumn: digits + 4,
    asked: openQuestion(state)?.stepId ?? null,
    byId: new Map(views.map((view) => [view.step.id, view])),
  };
}

export function spineLine(view: StepView, context: Spine): string {
  const { look, width, digits, titleColumn } = context;
  const { style } = look;
  const waits = context.asked === view.step.id;
  const glyph = stepGlyph(view, waits, context);
  const number = style.dim(padStart(view.number === null ? '' : String(view.number), digits));
  const shift = view.number === null ? '  ' : '';
  const right = rightColumn(view, waits, context);
  const room = width - titleColumn - shift.length - (right === '' ? 0 : displayWidth(right) + gap.length);
  const left = `${glyph} ${number}  ${shift}${titleAndNote(view, context, room)}`;
  return spread(left, right, width, look);
}

function stepGlyph({ state }: StepView, waits: boolean, { now, look, state: run }: Spine): string {
  const { style } = look;
  const { step, waiting } = style.glyphs;
  if (waits) return style.waiting(waiting);
  if (run.thinking?.stepId === state.id) return style.changed(spinner(look, now));
  switch (state.status) {
    case 'done':
      return style.done(step.done);
    case 'failed':
      return style.failed(step.failed);
    case 'interrupted':
      return style.waiting(step.interrupted);
    case 'running':
      return style.strong(spinner(look, now));
    default:
      return style.dim(step[state.status]);
  }
}

/** The spinner turns with the clock, so that a frame is a function of its time. */
const spinner = ({ style }: Look, now: number): string => {
  const { spinner: frames } = style.glyphs;
  return frames[Math.floor(now / 83) % frames.length] ?? '';
};

/** The note gives way before the title is cut to less than it takes to recognise it. */
function titleAndNote(view: StepView, context: Spine, room: number): string {
  const { look } = context;
  const title = visible(view.step.title);
  const { text: note, paint } = noteOf(view, context);
  const noteRoom = gap.length + displayWidth(note);
  const fits = note !== '' && (isUnbounded(look) || room - noteRoom >= Math.min(displayWidth(title), 12));
  const shown = paintTitle(view, context, short(title, fits ? room - noteRoom : room, look));
  return fits ? shown + gap + paint(note) : shown;
}

function paintTitle({ step, state }: StepView, { look, asked }: Spine, title: string): string {
  const { style } = look;
  if (step.repairs !== undefined || state.correction !== null) return style.changed(title);
  if (state.status === 'running' || asked === step.id) return style.strong(title);
  return state.status === 'pending' || state.status === 'skipped' ? style.dim(title) : title;
}

function noteOf(view: StepView, context: Spine): { text: string; paint: (text: string) => string } {
  const { style } = context.look;
  const { state } = view;
  const attempts = tries(state);
  if (state.status === 'failed') {
    return { text: [failureWords(state.result), attempts].filter(Boolean).join(', '), paint: style.failed };
  }
  if (state.status === 'skipped') return { text: skipWords(view, context), paint: style.dim };
  if (state.status === 'interrupted') return { text: 'interrupted', paint: style.waiting };
  const verdict = state.status === 'done' ? null : verdictOf(context.state, state);
  const risk =
    verdict !== null && isAlarming(verdict.level)
      ? `${style.glyphs.risk[verdict.level]} ${verdict.level}`
      : '';
  return { text: [risk, attempts].filter(Boolean).join(', '), paint: style.dim };
}

function skipWords({ step, state }: StepView, { byId }: Spine): string {
  switch (state.skipReason) {
    case 'not-selected':
      return 'not selected';
    case 'dependency': {
      const unmet = step.after?.map((id) => byId.get(id)).find((other) => other?.state.status !== 'done');
      return `skipped: needs ${unmet?.number ? `step ${unmet.number}` : 'a step that did not succeed'}`;
    }
    case 'interrupted':
      return 'skipped after an interruption';
    case 'declined':
      return 'skipped: declined';
    case 'corrected':
      return step.repairs === undefined ? 'skipped: the brain did without it' : 'taken back';
    default:
      return 'skipped on request';
  }
}

function rightColumn({ state }: StepView, waits: boolean, { state: run, now, look }: Spine): string {
  if (waits) return look.style.waiting(padStart('waiting', durationWidth));
  const time = (ms: number) => padStart(duration(ms), durationWidth);
  if (state.status === 'running') return look.style.strong(time(now - (run.inFlight?.startedAt ?? now)));
  const { result } = state;
  if (result === null || (state.status !== 'done' && state.status !== 'failed')) return '';
  const ran = result.exitCode !== null || result.signal !== null || result.durationMs > 0;
  return ran ? look.style.dim(time(result.durationMs)) : '';
}

/** How often a step was begun; of a loop, how far it has come. */
function tries({ attempts, loop, status }: StepState): string {
  if (loop === null) return attempts > 1 ? `attempt ${attempts}` : '';
  return status === 'done' ? count(loop.count, 'item') : `${loop.done} of ${count(loop.count, 'item')}`;
}
