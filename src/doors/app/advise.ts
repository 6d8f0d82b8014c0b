import type { Correction, RunState } from '../../core/contract/index.ts';
import type { CallLedger, Mind } from '../../core/engine/index.ts';

/** What a brain would do about the step that failed: for a person to take or leave. */
export interface AdviceForPerson {
  stepId: string;
  /** Null: no brain is sure. */
  correction: Correction | null;
}

/** Outside a run's own loop nothing is written down, so no model may be called. */
const noCalls: CallLedger = {
  reserve: async () => ({ ok: false, why: 'lost', message: 'only a run in agentic mode calls models' }),
  settle: async () => undefined,
  fellBack: async () => undefined,
};

/** Looks at the first failed step with the brains that cost nothing. Null where none failed. Never throws. */
export async function adviseOn(run: string, state: RunState, mind: Mind): Promise<AdviceForPerson | null> {
  const at = state.steps.findIndex(({ status }) => status === 'failed');
  const step = state.plan?.steps[at];
  const { result = null, attempts = 1 } = state.steps[at] ?? {};
  if (step === undefined || result === null) return null;
  const work = { run, state, step, result, attemptIndex: Math.max(0, attempts - 1) };
  const { signal } = new AbortController();
  const { correction, objection } = await mind.consult(work, { signal, ledger: noCalls });
  return { stepId: step.id, correction: objection === undefined ? correction : null };
}
