import {
  type ChatState,
  calledPlanId,
  callsOf,
  correctionsUsed,
  hashPlan,
  limitsLeft,
  type RunEvent,
} from '../contract/index.ts';

/**
 * What a plan of the conversation begins with: the same each time it is asked. It may spend what the conversation has left,
 * and whoever agrees on it is whoever talks.
 */
export function planEvents(state: ChatState, run: string): RunEvent[] {
  const { begun, options, turn, place, spending, sealed } = state;
  if (begun === null || options === null || turn === null) return [];
  const call = callsOf(turn).find(({ id }) => calledPlanId(begun.chat, id) === run);
  const goal = call === undefined ? turn.text : (call.args as { goal: string }).goal;
  const { mode, onAsk, onFailure, runLimits, limits, checkpoints, chain, shell } = options;
  // What was tried in another way for one message counts, wherever it was tried.
  const left = Math.max(0, limits.corrections - correctionsUsed(turn));
  const retriesPerStep = Math.min(runLimits.retriesPerStep, left);
  const begins = {
    v: 1 as const,
    at: turn.at,
    place,
    ...(begun.environment === undefined ? {} : { environment: begun.environment }),
    sealed: [...sealed],
    options: {
      mode,
      onFailure,
      onAsk,
      onInterrupt: onAsk === 'wait' ? ('ask' as const) : ('stop' as const),
      limits: { ...runLimits, ...limitsLeft(spending, limits), retriesPerStep },
      stepTimeoutMs: null,
      excluded: [],
      inputs: call === undefined ? (turn.given?.inputs ?? {}) : {},
      checkpoints,
    },
  };
  if (call === undefined && turn.given !== undefined) {
    const { plan } = turn.given;
    return [{ ...begins, type: 'plan-created', plan, hash: hashPlan(plan) }];
  }
  return [{ ...begins, type: 'goal-given', goal, chain, shell, awaitedBy: begun.chat }];
}
