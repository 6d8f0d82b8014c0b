import type { ApprovalState, RunState, Step, StepState, WaitingFor } from '../index.ts';
import { parkedApproval } from '../run/approvals.ts';
import { planStep } from '../run/steps.ts';

/** What a run waits for a person to decide. */
export type Question =
  /** The planner cannot go on without an answer. */
  | { kind: 'planner'; stepId: null; text: string }
  | { kind: 'agreement'; stepId: null }
  /** It was in flight when its driver died, and nothing tells whether it was done. */
  | { kind: 'interrupt'; stepId: string; step: Step; attemptIndex: number; detail: string }
  | { kind: 'approval'; stepId: string; step: Step; approval: ApprovalState }
  /** Teacher mode: the person runs it. `failed`: it was attempted before. */
  | { kind: 'offer'; stepId: string; step: Step; failed: boolean }
  | { kind: 'ask' | 'manual'; stepId: string; step: Step; text: string };

/**
 * The open question of a run; null where nothing waits for a person. What a run stopped for because nobody was there is
 * one too: whoever comes later decides it. `evolve` keeps at most one open; should there be
 * more, they come in the order in which a run meets them: its plan, what nobody knows of a step, approvals with the
 * oldest first, then steps in the order of the plan.
 */
export function openQuestion(state: RunState): Question | null {
  if (state.status === 'agreeing') return state.plan && { kind: 'agreement', stepId: null };
  const parked = parkedApproval(state);
  if (parked !== null) {
    const step = planStep(state, parked.stepId);
    return step === undefined ? null : { kind: 'approval', stepId: step.id, step, approval: parked };
  }
  if (state.status !== 'waiting') return null;
  const text = state.planning?.question ?? null;
  if (text !== null) return { kind: 'planner', stepId: null, text };
  if (state.interrupted?.asked) return interrupt(state);
  for (const approval of state.approvals) {
    const step = approval.status === 'needed' ? planStep(state, approval.stepId) : undefined;
    if (step !== undefined) return { kind: 'approval', stepId: step.id, step, approval };
  }
  const at = state.steps.findIndex(({ offered, asked }) => offered || asked);
  const step = state.plan?.steps[at];
  return step === undefined ? null : ofStep(step, state.steps[at]!);
}

function ofStep(step: Step, { offered, failures }: StepState): Question {
  const { id: stepId, action } = step;
  if (offered) return { kind: 'offer', stepId, step, failed: failures > 0 };
  if (action.kind === 'ask') return { kind: 'ask', stepId, step, text: action.question };
  return { kind: 'manual', stepId, step, text: action.kind === 'manual' ? action.text : step.title };
}

function interrupt(state: RunState): Extract<Question, { kind: 'interrupt' }> | null {
  if (state.interrupted === null) return null;
  const { stepId, attemptIndex, detail } = state.interrupted;
  const step = planStep(state, stepId);
  return step === undefined ? null : { kind: 'interrupt', stepId, step, attemptIndex, detail };
}

/** What a listing calls each question. */
export const waitingFor: Record<Question['kind'], WaitingFor> = {
  planner: 'answer',
  agreement: 'agreement',
  interrupt: 'interrupt',
  approval: 'approval',
  offer: 'step',
  ask: 'answer',
  manual: 'answer',
};

/** In two words, for a listing. */
export const waitingWords: Record<WaitingFor, string> = {
  agreement: 'agree?',
  approval: 'approve?',
  step: 'your turn',
  answer: 'your answer',
  interrupt: 'was it done?',
};

/** A run that stands because of a step, asks nothing, and that a person could help on. */
export type Help =
  | Extract<Question, { kind: 'interrupt' }>
  /** The sandbox and not the command was to blame: attempt it again with what was missing? */
  | { kind: 'grant'; stepId: string; step: Step; state: StepState }
  /** The step failed, and nobody mends it. */
  | { kind: 'stuck'; stepId: string; step: Step; state: StepState };

/** The first step that failed is the one that a run stops for. */
export function helpWanted(state: RunState): Help | null {
  if (state.ended || (state.status !== 'failed' && state.status !== 'paused')) return null;
  if (state.interrupted !== null) return interrupt(state);
  const at = state.steps.findIndex(({ status }) => status === 'failed');
  const step = state.plan?.steps[at];
  if (step === undefined) return null;
  const own = state.steps[at]!;
  const kind = own.result?.missing === undefined ? 'stuck' : 'grant';
  return { kind, stepId: step.id, step, state: own };
}
