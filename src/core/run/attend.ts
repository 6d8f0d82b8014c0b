import type { FactBody, RunState } from '../contract/index.ts';
import type { AbortReason, Attention } from '../stream/index.ts';
import { refuseInFlight } from './answer.ts';
import { earliest, isOverTime, timeLimit } from './time.ts';
import { cancelsOf, type RunWork } from './work.ts';

/**
 * What becomes of a run's work that is under way. Pure, as `next` is.
 *
 *   attempt, consult, plan ▶ a cancel ends it, a skip of its step or its turn to a service, its deadline, the run's wall time, the end of the grace
 *                            that a pause gives it
 *   checkpoint, release,   ▶ a cancel that came after it was begun ends it: what a cancel itself set going is not
 *   learn, take              ended by that same cancel
 *   judge, survey          ▶ a cancel ends it
 *   recover, rollback, stop ▶ is brought to its end
 *
 * An edit of the step in flight is refused; pause, mode and every other edit wait for the boundary.
 */
export function attend(state: RunState, work: RunWork, now: number): Attention<FactBody> {
  switch (work.kind) {
    case 'attempt': {
      const refusal = refuseInFlight(state, work.step.id);
      return refusal ?? untilAsked(state, now, work.step.id, state.inFlight?.deadline ?? null);
    }
    case 'consult':
      return untilAsked(state, now, work.step.id, null);
    case 'plan':
      return untilAsked(state, now, null, null);
    case 'judge':
    case 'survey':
      return wasCancelled(state) ? abort('cancelled') : { kind: 'await', until: null };
    case 'checkpoint':
    case 'release':
    case 'learn':
    case 'take':
      return wasCancelled(state, work.heard) ? abort('cancelled') : { kind: 'await', until: null };
    case 'summarise':
    case 'stop':
    case 'recover':
    case 'rollback':
      return { kind: 'await', until: null };
  }
}

const abort = (why: AbortReason): Attention<FactBody> => ({ kind: 'abort', why });

const wasCancelled = (state: RunState, heard: readonly number[] = []): boolean =>
  cancelsOf(state).some((seq) => !heard.includes(seq));

function untilAsked(
  state: RunState,
  now: number,
  stepId: string | null,
  deadline: number | null,
): Attention<FactBody> {
  const options = state.options!;
  if (wasCancelled(state)) return abort('cancelled');
  const isSkipped = state.inbox.some(
    ({ request }) => request.type === 'skip-requested' && request.stepId === stepId,
  );
  if (isSkipped) return abort('skipped');
  const isServed = state.inbox.some(
    ({ request }) => request.type === 'serve-requested' && request.stepId === stepId,
  );
  if (isServed) return abort('served');
  if (deadline !== null && now >= deadline) return abort('timeout');
  if (isOverTime(state, options, now)) return abort('limit');
  const grace = graceOf(state);
  if (grace !== null && now >= grace) return abort('rested');
  return { kind: 'await', until: earliest(earliest(deadline, grace), timeLimit(state, options)) };
}

/** Until when a pause lets go on what is under way; null where none has said. */
const graceOf = ({ inbox }: RunState): number | null =>
  inbox.reduce<number | null>(
    (soonest, { request }) =>
      request.type === 'pause-requested' && request.graceMs !== undefined
        ? earliest(soonest, request.at + request.graceMs)
        : soonest,
    null,
  );
