import { type Action, judgementOf, type RunRow, type RunState, type Step, type StepState } from '../index.ts';
import { openQuestion } from './question.ts';
import { failureNote, skipWords } from './reasons.ts';
import { count } from './text.ts';
import { duration } from './time.ts';

/** What there is to say about the steps of a run, one by one and all together. */

/** What is special about a step, beside its title: `exit 17, attempt 2`; empty where there is nothing. */
export function stepNote(step: Step, state: StepState, run: RunState): string {
  const plain = () => [attemptNote(state), kindNote(step.action)];
  const open = () => [...plain(), lookWords(run, step.id).length > 0 ? 'a look warns' : ''];
  const notes: Record<StepState['status'], () => string[]> = {
    pending: open,
    running: open,
    done: plain,
    failed: () => [failureNote(state.result), attemptNote(state)],
    interrupted: () => ['was it done?'],
    skipped: () => [state.skipReason === null ? 'skipped' : skipWords(state.skipReason, step, run)],
  };
  return notes[state.status]()
    .filter((note) => note !== '')
    .join(', ');
}

const kindNote = ({ kind }: Action): string =>
  kind === 'manual' ? 'by hand' : kind === 'ask' ? 'asks you' : kind === 'start' ? 'service' : '';

/** How often a step was begun; of a loop, how far it has come. */
function attemptNote({ attempts, loop, status }: StepState): string {
  if (loop === null) return attempts > 1 ? `attempt ${attempts}` : '';
  return status === 'done' ? count(loop.count, 'item') : `${loop.done} of ${count(loop.count, 'item')}`;
}

/** The item of a loop that failed: `item 6 of 9: /work/api/5.html`; null for a step that is none. */
export function failedItem({ loop, status }: StepState): string | null {
  if (loop === null || status !== 'failed') return null;
  const name = loop.items?.[loop.done];
  return `item ${loop.done + 1} of ${loop.count}${name === undefined ? '' : `: ${name}`}`;
}

/** What a look at the world has against a step that is due, a sentence each. */
export const lookWords = (state: RunState, stepId: string): string[] =>
  judgementOf(state, stepId)?.warnings?.map(({ message }) => message) ?? [];

/** The step that a person wants to see: asked about, running, looked at by the brain, failed, or next. */
export function focusOf(state: RunState): string | null {
  const { steps, inFlight, thinking, status, ended } = state;
  const now = openQuestion(state)?.stepId ?? inFlight?.stepId ?? thinking?.stepId;
  if (now !== undefined) return now;
  const troubled = steps.find((step) => step.status === 'interrupted' || step.status === 'failed');
  if (troubled !== undefined && status !== 'running') return troubled.id;
  const pending = ended ? undefined : steps.find((step) => step.status === 'pending');
  return (pending ?? steps.findLast(({ attempts }) => attempts > 0) ?? steps.at(0))?.id ?? null;
}

export interface Tally {
  total: number;
  done: number;
  failed: number;
  skipped: number;
  /** Running, interrupted or pending. */
  open: number;
}

export function tally({ steps }: RunState): Tally {
  const counts = { total: steps.length, done: 0, failed: 0, skipped: 0, open: 0 };
  for (const { status } of steps) {
    if (status === 'done' || status === 'failed' || status === 'skipped') counts[status] += 1;
    else counts.open += 1;
  }
  return counts;
}

/** The time that counts as this run's: waiting and pauses are left out. */
export const activeTime = (state: RunState, now: number): number =>
  state.activeMs + (state.activeSince === null ? 0 : Math.max(0, now - state.activeSince));

/** The same of a row of a listing; from its beginning to its end where it was written before that was counted. */
export function workedOf(row: RunRow, now: number): number {
  const { workedMs, workingSince = null, createdAt, endedAt, updatedAt, goesOn } = row;
  if (workedMs === undefined) return (endedAt ?? (goesOn ? now : updatedAt)) - createdAt;
  return workedMs + (workingSince === null ? 0 : Math.max(0, now - workingSince));
}

/** `3 times, after 10 s`. */
export const retryWords = ({ times, delayMs = 0 }: NonNullable<Step['retry']>): string =>
  `${times === 1 ? 'once' : `${times} times`}${delayMs === 0 ? '' : `, after ${duration(delayMs)}`}`;
