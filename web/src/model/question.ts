import { type ApprovalState, planStep, type RunState, type Step, type StepState } from '@contract';

/** What the run wants a person to decide now. At most one is open at a time. */
export type Question =
  | { kind: 'approval'; stepId: string; step: Step; approval: ApprovalState }
  | { kind: 'offer'; stepId: string; step: Step; failed: boolean }
  | { kind: 'ask'; stepId: string; step: Step; text: string }
  | { kind: 'manual'; stepId: string; step: Step; text: string }
  | { kind: 'interrupt'; stepId: string; step: Step; attemptIndex: number; detail: string }
  /** The sandbox and not the command was to blame: run it again with what was missing? */
  | { kind: 'grant'; stepId: string; step: Step; state: StepState }
  /** The run stands because this step failed and nobody mends it: a person can help. */
  | { kind: 'stuck'; stepId: string; step: Step; state: StepState };

export function openQuestion(state: RunState): Question | null {
  if (state.ended || state.plan === null) return null;
  const approval = state.approvals.findLast(({ status }) => status === 'needed');
  if (approval !== undefined) {
    const step = planStep(state, approval.stepId);
    return step === undefined ? null : { kind: 'approval', stepId: step.id, step, approval };
  }
  if (state.interrupted !== null && (state.interrupted.asked || state.status === 'paused')) {
    const { stepId, attemptIndex, detail } = state.interrupted;
    const step = planStep(state, stepId);
    return step === undefined ? null : { kind: 'interrupt', stepId, step, attemptIndex, detail };
  }
  const at = state.status === 'waiting' ? state.steps.findIndex((step) => step.offered || step.asked) : -1;
  const step = state.plan.steps[at];
  if (step !== undefined) return asking(step, state.steps[at]!);
  return stopped(state);
}

function asking(step: Step, state: StepState): Question {
  const stepId = step.id;
  if (state.offered) return { kind: 'offer', stepId, step, failed: state.failures > 0 };
  if (step.action.kind === 'ask') return { kind: 'ask', stepId, step, text: step.action.question };
  const text = step.action.kind === 'manual' ? step.action.text : step.title;
  return { kind: 'manual', stepId, step, text };
}

/** The run stands because of a step that a person could help on. */
function stopped(state: RunState): Question | null {
  if (state.status !== 'failed' && state.status !== 'paused') return null;
  const at = state.steps.findLastIndex(({ status }) => status === 'failed');
  const step = state.plan?.steps[at];
  const own = state.steps[at];
  if (step === undefined || own === undefined) return null;
  if (own.result?.missing !== undefined) return { kind: 'grant', stepId: step.id, step, state: own };
  return { kind: 'stuck', stepId: step.id, step, state: own };
}
