import {
  type DraftState,
  type FactBody,
  MAX_DRAFTS,
  type ModelName,
  type PlannerCall,
  type PlanningCause,
  type PlanningState,
  type RunOptions,
  type RunState,
} from '../contract/index.ts';
import { answer } from './answer.ts';
import { isOverTime } from './time.ts';
import { paused, type RunEffect, record, rest } from './work.ts';

/**
 * What a run does while its plan is being made. Pure, as `next` is.
 *
 *   call in flight ────▶ of an earlier driver: it was interrupted, say so
 *   request waiting ───▶ answer it
 *   paused, given up ──▶ rest
 *   a question is open ▶ rest until it is answered, or take silence for an answer
 *   not restated ──────▶ call the fast model; without one, go on without
 *   unreadable draft ──▶ call its model once more to write it again, then reject it
 *   rejected draft ────▶ call the fast model for hints; without one, take the mends of the rejection
 *   over a limit ──────▶ give up │ else call the model whose turn it is
 */
export function nextPlanning(state: RunState, options: RunOptions, now: number): RunEffect {
  const planning = state.planning!;
  if (planning.inFlight !== null) return interrupted(planning.inFlight);
  if (state.ended && state.inbox.length === 0) return rest('finished');
  const pending = state.inbox[0];
  if (pending !== undefined) return answer(state, pending, now);
  if (state.status === 'paused') return resting(state, options, now);
  if (isOverTime(state, options, now)) {
    return record(paused('limit-time', 'the run used up its wall time'));
  }
  if (planning.question !== null) return question(state, planning, planning.question, options);
  return work(state, planning, options);
}

function work(state: RunState, planning: PlanningState, options: RunOptions): RunEffect {
  const spent = planning.failures.find(({ why }) => why === 'limit');
  if (spent !== undefined) return giveUp(state, planning, 'limit', spent.message);
  if (!planning.restated) {
    const fast = planning.chain.fast[planning.position.fast];
    if (fast !== undefined) return call(state, 'restate', 1, fast);
    const message = planning.failures.at(-1)?.message ?? 'no fast model is configured';
    return record({ type: 'goal-restated', restatement: null, durationMs: 0, message });
  }
  const last = planning.drafts.at(-1);
  if (last?.status === 'unreadable') {
    if (!last.repairing) return call(state, 'repair', last.n, last.model);
    return record({ type: 'draft-rejected', n: last.n, model: last.model, reasons: [...last.reasons] });
  }
  const model = planning.chain.planner[planning.position.planner];
  if (model === undefined) return giveUp(state, planning, ...exhausted(planning));
  const most = options.limits.drafts ?? MAX_DRAFTS;
  if (planning.asked >= most) {
    return giveUp(state, planning, 'too-many-drafts', `no draft of ${planning.asked} was good enough`);
  }
  if (last?.status === 'rejected' && planning.reflectedOn !== last.n) return reflect(state, planning, last);
  return call(state, 'plan', (last?.n ?? 0) + 1, model);
}

function call(state: RunState, kind: PlannerCall, n: number, model: ModelName): RunEffect {
  return {
    kind: 'perform',
    intent: [{ type: 'planner-called', n, call: kind, model }],
    work: { kind: 'plan', call: kind, n, model, state },
  };
}

function reflect(state: RunState, planning: PlanningState, draft: DraftState): RunEffect {
  const fast = planning.chain.fast[planning.position.fast];
  if (fast !== undefined) return call(state, 'reflect', draft.n, fast);
  const hints = [...new Set(draft.reasons.map(({ hint }) => hint))].slice(0, MAX_HINTS);
  return record({ type: 'hints-given', n: draft.n, hints, by: 'rules', durationMs: 0 });
}

const MAX_HINTS = 8;

function exhausted({ chain, failures }: PlanningState): [PlanningCause, string] {
  if (chain.planner.length === 0) return ['no-model', 'no model is configured that could plan'];
  const why = failures.at(-1);
  const last = why === undefined ? '' : `; the last call failed: ${why.message}`;
  return ['chain-exhausted', `none of ${chain.planner.length} models made a plan that passes${last}`];
}

/** Without a plan the run rests; one that had a plan before goes back to it. */
function giveUp(
  state: RunState,
  { drafts, isAwaited }: PlanningState,
  cause: PlanningCause,
  message: string,
): RunEffect {
  const best = drafts
    .filter(({ status }) => status === 'rejected')
    .toSorted((a, b) => weight(a) - weight(b) || b.n - a.n)[0];
  const failed: FactBody = {
    type: 'planning-failed',
    cause,
    message,
    best: best?.n ?? null,
    problems: [...(best?.reasons ?? [])],
  };
  if (state.plan !== null) return record(failed);
  if (isAwaited)
    return record(failed, {
      type: 'run-finished',
      outcome: 'cancelled',
      reason: 'planning-failed',
      message,
    });
  return record(failed, paused('planning-failed', message));
}

/** What cannot even be read is worse than anything that can. */
const weight = ({ reasons }: DraftState): number =>
  reasons.length + (reasons.some(({ code }) => code === 'not-json') ? 1000 : 0);

/** The answer to a call that an earlier driver made is lost. */
function interrupted({ call, n, model }: NonNullable<PlanningState['inFlight']>): RunEffect {
  const message = 'the process that waited for the answer was gone';
  return record({ type: 'planner-call-failed', call, n, model, why: 'interrupted', message, durationMs: 0 });
}

function resting(state: RunState, options: RunOptions, now: number): RunEffect {
  const { pausedUntil } = state;
  if (pausedUntil === null || now < pausedUntil) return rest('paused', pausedUntil);
  return record({ type: 'run-resumed', options, planning: true });
}

function question(state: RunState, planning: PlanningState, text: string, options: RunOptions): RunEffect {
  if (options.onAsk === 'deny') return record({ type: 'planning-answered', value: null });
  if (options.onAsk === 'fail')
    return record(paused('decision-needed', `nobody was there to answer: ${text}`));
  if (state.status === 'waiting') return rest('waiting');
  return record({ type: 'planning-question', n: planning.drafts.at(-1)!.n, question: text });
}
