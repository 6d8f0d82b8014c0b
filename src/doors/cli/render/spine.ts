import type { RunState } from '../../../core/contract/index.ts';
import { duration, durationWidth, openQuestion, stepNote } from '../../../core/contract/told/index.ts';
import { gap, isUnbounded, type Look, short, spread } from './look.ts';
import { isAlarming, type StepView, stepViews, verdictOf } from './steps.ts';
import { visible } from './text/clean.ts';
import { displayWidth, padStart } from './text/width.ts';

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
    case 'pending':
    case 'skipped':
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

function noteOf(
  { step, state }: StepView,
  { state: run, look: { style } }: Spine,
): { text: string; paint: (text: string) => string } {
  const isOpen = state.status === 'pending' || state.status === 'running';
  const verdict = isOpen ? verdictOf(run, state) : null;
  const risk =
    verdict !== null && isAlarming(verdict.level)
      ? `${style.glyphs.risk[verdict.level]} ${verdict.level}`
      : '';
  const paint = { failed: style.failed, interrupted: style.waiting } as Record<string, typeof style.dim>;
  const text = [risk, stepNote(step, state, run)].filter(Boolean).join(', ');
  return { text, paint: paint[state.status] ?? style.dim };
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
