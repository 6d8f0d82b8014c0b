import type { EventOf } from '../events.ts';
import type { ContextEntry, RollingContext } from './context-state.ts';
import type { RunState } from './state.ts';
import { planStep } from './steps.ts';

/** At this many the oldest are to be summarised, so many at once; at twice as many a digest has to do. */
const ENTRY_LIMIT = 10;
const SUMMARY_BATCH = 5;
const OUTPUT_CHARACTERS = 800;
const DIGEST_CHARACTERS = 4000;

/** What is to be summarised next; null where there is nothing yet. */
export const dueForSummary = ({ entries, muted }: RollingContext): readonly ContextEntry[] | null =>
  muted || entries.length < ENTRY_LIMIT ? null : entries.slice(0, SUMMARY_BATCH);

type Ended = EventOf<'step-completed' | 'step-failed' | 'step-skipped'>;

export function remembered(state: RunState, event: Ended): RunState {
  const step = planStep(state, event.stepId);
  if (step === undefined) return state;
  const result = event.type === 'step-skipped' ? null : event.result;
  // What was only foreseen was no attempt.
  if (result?.why === 'precheck') return state;
  const outcome =
    event.type === 'step-completed' ? 'succeeded' : event.type === 'step-failed' ? 'failed' : 'skipped';
  const output = (result?.stderrTail || result?.stdoutTail || '').slice(-OUTPUT_CHARACTERS);
  const { title, action, id: stepId } = step;
  const entry = { stepId, title, action, outcome, exitCode: result?.exitCode ?? null, output } as const;
  return { ...state, context: add(state.context, { ...entry, correction: null }) };
}

function add(context: RollingContext, entry: ContextEntry): RollingContext {
  const entries = [...context.entries, entry];
  const consecutiveFailures = entry.outcome === 'failed' ? context.consecutiveFailures + 1 : 0;
  const next = { ...context, entries, consecutiveFailures };
  return entries.length < (context.muted ? ENTRY_LIMIT : 2 * ENTRY_LIMIT) ? next : digested(next);
}

const rollUp = (context: RollingContext, summary: string): RollingContext => ({
  ...context,
  summary,
  entries: context.entries.slice(SUMMARY_BATCH),
  rolled: context.rolled + SUMMARY_BATCH,
});

function digested(context: RollingContext): RollingContext {
  const all = `${context.summary} ${context.entries.slice(0, SUMMARY_BATCH).map(sentence).join(' ')}`.trim();
  return rollUp(context, all.length <= DIGEST_CHARACTERS ? all : `[…] ${all.slice(-DIGEST_CHARACTERS)}`);
}

/** A summary takes the place of what it was made of, unless a digest has done so meanwhile. */
export function summarised(state: RunState, { rolled, text }: EventOf<'context-summarised'>): RunState {
  const { context } = state;
  if (text === null) return { ...state, context: { ...digested(context), muted: true } };
  return rolled === context.rolled ? { ...state, context: rollUp(context, text) } : state;
}

/** What was decided after the last failure of a step. */
export function decidedAfter({ context }: RunState, stepId: string, correction: string): RollingContext {
  const at = context.entries.findLastIndex((entry) => entry.stepId === stepId && entry.outcome === 'failed');
  if (at === -1) return context;
  return { ...context, entries: context.entries.with(at, { ...context.entries[at]!, correction }) };
}

/** One sentence an attempt, without a model: what was done, how it ended, what was decided. */
function sentence({ title, outcome, exitCode, output, correction }: ContextEntry): string {
  const decided = correction === null ? '' : ` ${correction.replace(/\.*$/, '.')}`;
  if (outcome !== 'failed')
    return `"${title}" ${outcome === 'skipped' ? 'was skipped' : 'succeeded'}.${decided}`;
  const said = output.trim().split('\n').at(-1)?.trim().slice(0, 160) ?? '';
  const how = exitCode === null ? 'failed' : `failed with exit code ${exitCode}`;
  return `"${title}" ${how}${said === '' ? '' : ` (${said})`}.${decided}`;
}
