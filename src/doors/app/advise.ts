import {
  type Correction,
  itemAt,
  type Plan,
  type RequestBody,
  type RunState,
} from '../../core/contract/index.ts';
import { changesPlan, correctPlan } from '../../core/plan/index.ts';
import type { Mind } from '../../core/run/index.ts';
import type { CallLedger } from '../../core/stream/index.ts';

/** What a brain would do about the step that failed: for a person to take or leave. */
export interface AdviceForPerson {
  stepId: string;
  /** Null: no brain is sure. */
  correction: Correction | null;
  /** What a person asks of the run to have it done; null where there is none, or it fits the plan no longer. */
  requests: RequestBody[] | null;
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
  const { result = null, attempts = 1 } = itemAt(state.steps, at) ?? {};
  if (step === undefined || result === null) return null;
  const work = { run, state, step, result, attemptIndex: Math.max(0, attempts - 1) };
  const { signal } = new AbortController();
  const told = await mind.consult(work, { signal, ledger: noCalls });
  const correction = told.objection === undefined ? told.correction : null;
  const requests = correction === null ? null : asRequests(state.plan!, step.id, correction);
  return { stepId: step.id, correction, requests };
}

/** A correction as a person's own requests; null where it fits the plan no longer. */
function asRequests(plan: Plan, stepId: string, correction: Correction): RequestBody[] | null {
  const { action, reasoning: reason } = correction;
  if (changesPlan(correction)) {
    const mutation = correctPlan(plan, stepId, correction);
    if (!mutation.ok) return null;
    const { patch } = mutation;
    return [
      { type: 'edit-requested', baseRevision: plan.revision, patch, reason },
      { type: 'resume-requested' },
    ];
  }
  switch (action) {
    case 'skip':
      return [{ type: 'skip-requested', stepId, reason }];
    case 'abort':
      return [{ type: 'cancel-requested', reason }];
    case 'retry':
    case 'modify':
    case 'insert_steps':
      return [{ type: 'retry-requested', stepId }];
  }
}
