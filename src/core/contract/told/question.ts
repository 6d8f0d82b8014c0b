import { itemAt } from '../blocks.ts';
import type {
  ApprovalDecision,
  ApprovalState,
  Correction,
  EventOf,
  RunState,
  Step,
  StepState,
  WaitingFor,
} from '../index.ts';
import { parkedApproval } from '../run/approvals.ts';
import { parkedQuestion, planStep, stepState } from '../run/steps.ts';

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
  const isParked = state.status === 'paused' && state.stopReason === 'decision-needed';
  if (state.status !== 'waiting' && !isParked) return null;
  const text = state.planning?.question ?? null;
  if (text !== null) return { kind: 'planner', stepId: null, text };
  const rests = parkedQuestion(state);
  const asked = rests && planStep(state, rests.id);
  if (isParked) return rests && asked ? ofStep(asked, rests) : null;
  if (state.interrupted?.asked) return interrupt(state);
  for (const approval of state.approvals) {
    const step = approval.status === 'needed' ? planStep(state, approval.stepId) : undefined;
    if (step !== undefined) return { kind: 'approval', stepId: step.id, step, approval };
  }
  const at = state.steps.findIndex(({ offered, asked }) => offered || asked);
  const step = state.plan?.steps[at];
  return step === undefined ? null : ofStep(step, itemAt(state.steps, at)!);
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

/** The question about a step whose end nobody saw. */
export const wasItDone = (title: string): string => `Was “${title}” done?`;

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
  const own = itemAt(state.steps, at)!;
  const kind = own.result?.missing === undefined ? 'stuck' : 'grant';
  return { kind, stepId: step.id, step, state: own };
}

/** One answer to a question: the key that gives it, and the decision that the request carries. */
export interface Choice<Decision extends string> {
  key: string;
  label: string;
  decision: Decision;
  /** What Enter means. Where nobody has decided anything yet, it is the choice that does least. */
  default?: true;
}

/** What is agreed to. */
export interface Agreeing {
  /** How many dangerous steps a yes approves. */
  dangerous: number;
  /** Every step is offered before it runs, and decided then. */
  isTaught: boolean;
}

/** What approves something dangerous has no default: nobody says that by a key pressed once too often. */
const runs = ({ dangerous, isTaught }: Agreeing): readonly Choice<'all' | 'asking' | 'step-by-step'>[] => {
  if (isTaught)
    return [{ key: 'y', label: 'Begin: each step is shown first', decision: 'all', default: true }];
  const byStep = { key: 's', label: 'Run step by step', decision: 'step-by-step' } as const;
  if (dangerous === 0) return [{ key: 'y', label: 'Run all steps', decision: 'all', default: true }, byStep];
  const which = dangerous === 1 ? 'the dangerous one' : `the ${dangerous} dangerous ones`;
  return [
    { key: 'y', label: `Run all steps, ${which} included`, decision: 'all' },
    { key: 'a', label: `Run all steps, and ask again at ${which}`, decision: 'asking' },
    byStep,
  ];
};

/** `asking` agrees to the plan and approves nothing dangerous in it: that is asked when it comes. */
type AgreementDecision = EventOf<'plan-decided'>['decision'] | 'asking';

export const agreementChoices = (of: Agreeing): readonly Choice<AgreementDecision>[] => [
  ...runs(of),
  { key: 'n', label: 'Run nothing', decision: 'cancel' },
];

/** For a plan that was made from a goal: it can be made again. */
export const plannedChoices = (of: Agreeing): readonly Choice<PlannedDecision>[] => [
  ...runs(of),
  { key: 'e', label: 'Edit the plan first', decision: 'edit' },
  { key: 'd', label: 'Decline a step, say why, plan again', decision: 'decline' },
  { key: 'k', label: 'Keep it for later', decision: 'keep' },
  { key: 'n', label: 'Run nothing', decision: 'cancel' },
];

type PlannedDecision = AgreementDecision | 'edit' | 'decline' | 'keep';

/** For a plan that is made and not run. */
export const keepChoices: readonly Choice<PlannedDecision>[] = [
  { key: 'k', label: 'Keep this plan', decision: 'keep', default: true },
  { key: 'e', label: 'Edit the plan first', decision: 'edit' },
  { key: 'd', label: 'Decline a step, say why, plan again', decision: 'decline' },
  { key: 'n', label: 'Keep nothing', decision: 'cancel' },
];

/** After planning was given up. A draft can be mended only where there is one. */
export const draftChoices = (hasDraft: boolean): readonly Choice<'edit' | 'again' | 'leave'>[] => [
  ...(hasDraft ? [{ key: 'e', label: 'Mend the best draft by hand', decision: 'edit' } as const] : []),
  { key: 'r', label: 'Plan again', decision: 'again' },
  { key: 'x', label: 'Stop here, resume later', decision: 'leave', default: true },
];

export const approvalChoices: readonly Choice<ApprovalDecision | 'deny-why' | 'edit' | 'always'>[] = [
  { key: 'd', label: 'Deny: it is not run', decision: 'deny', default: true },
  { key: 'r', label: 'Deny, and say why', decision: 'deny-why' },
  { key: 'a', label: 'Approve exactly this, once', decision: 'approve' },
  { key: 'e', label: 'Edit it: it is judged again', decision: 'edit' },
  { key: 'w', label: 'Always allow exactly this in this folder', decision: 'always' },
  { key: 'x', label: 'Cancel the run', decision: 'abort' },
];

type AtTerminal = Choice<(typeof approvalChoices)[number]['decision'] | 'skip'>;
const skips: AtTerminal = { key: 's', label: 'Skip it: the run goes on without it', decision: 'skip' };

/** At a terminal. A step of the plan can be left out as well; one of a correction stands and falls with it. */
export const approvalChoicesAt = (state: RunState, stepId: string): readonly AtTerminal[] =>
  stepState(state, stepId)?.correction == null
    ? // After the ways to say no.
      approvalChoices.flatMap<AtTerminal>((each) => (each.decision === 'deny-why' ? [each, skips] : [each]))
    : approvalChoices;

export type CallDecision = 'approve' | 'deny' | 'did-it' | 'deny-why' | 'edit' | 'always' | 'stop';

/** For a call of a conversation. What is asked by its mode and not for its risk no rule allows. */
export const callChoices = (isDangerous: boolean): readonly Choice<CallDecision>[] => [
  { key: 'y', label: 'Yes, do it', decision: 'approve' },
  { key: 'n', label: 'No', decision: 'deny' },
  { key: 'r', label: 'No, and say why', decision: 'deny-why' },
  { key: 'e', label: 'Edit it: it is judged again', decision: 'edit' },
  ...(isDangerous
    ? [{ key: 'w', label: 'Always allow exactly this in this folder', decision: 'always' } as const]
    : []),
  { key: 'i', label: 'I did it myself', decision: 'did-it' },
  { key: 's', label: 'Stop this message', decision: 'stop' },
];

export const offerChoices: readonly Choice<EventOf<'step-decided'>['decision'] | 'edit'>[] = [
  { key: 'r', label: 'Run it', decision: 'run', default: true },
  { key: 'm', label: 'I did it myself', decision: 'did-it' },
  { key: 'e', label: 'Edit it first', decision: 'edit' },
  { key: 's', label: 'Skip it', decision: 'skip' },
  { key: 'x', label: 'Stop here, resume later', decision: 'stop' },
];

type FailureDecision = 'apply' | 'retry' | 'edit' | 'skip' | 'did-it' | 'leave';

/** Teacher mode, after a failure. What the brain proposes can be taken only where it proposes something. */
export const failureChoices = (proposed: Correction | null): readonly Choice<FailureDecision>[] => [
  ...(proposed === null ? [] : [{ key: 'a', label: 'Do as proposed', decision: 'apply' } as const]),
  { key: 'r', label: 'Run it again as it is', decision: 'retry' },
  { key: 'e', label: 'Edit it, and run it', decision: 'edit' },
  { key: 'm', label: 'I did it myself', decision: 'did-it' },
  { key: 's', label: 'Skip it', decision: 'skip' },
  { key: 'x', label: 'Stop here, resume later', decision: 'leave', default: true },
];

type StuckDecision = 'retry' | 'hint' | 'edit' | 'skip' | 'more' | 'model' | 'abort' | 'leave';

/** After a step has failed and nobody mends it. What needs a brain or a model is offered where there is one. */
export const stuckChoices = ({ brain, models }: StuckMeans): readonly Choice<StuckDecision>[] => [
  ...(brain ? [{ key: 'h', label: 'Give the brain a hint', decision: 'hint' } as const] : []),
  { key: 'e', label: 'Edit the step, and run it', decision: 'edit' },
  { key: 's', label: 'Skip it, and go on', decision: 'skip' },
  brain
    ? { key: 'm', label: 'Allow more attempts', decision: 'more' }
    : { key: 'r', label: 'Run it again as it is', decision: 'retry' },
  ...(brain && models ? [{ key: 'o', label: 'Ask another model', decision: 'model' } as const] : []),
  { key: 'a', label: 'Abort: cancel the run', decision: 'abort' },
  { key: 'x', label: 'Stop here, resume later', decision: 'leave', default: true },
];

/** Whether the run still asks a brain, and whether there is a model to choose. */
export interface StuckMeans {
  brain: boolean;
  models: boolean;
}

/** A run that rests, when somebody comes back to it. */
export const restingChoices: readonly Choice<'resume' | 'abort' | 'leave'>[] = [
  { key: 'r', label: 'Go on with it', decision: 'resume' },
  { key: 'a', label: 'Abort: cancel the run', decision: 'abort' },
  { key: 'x', label: 'Stop here, resume later', decision: 'leave', default: true },
];

export const manualChoices: readonly Choice<'done' | 'stop'>[] = [
  { key: 'd', label: 'I have done it', decision: 'done' },
  { key: 'x', label: 'Stop here, resume later', decision: 'stop', default: true },
];

export const grantChoices: readonly Choice<'grant' | 'leave'>[] = [
  { key: 'g', label: 'Run it again with exactly that', decision: 'grant' },
  { key: 'x', label: 'Leave it', decision: 'leave', default: true },
];

export const interruptChoices: readonly Choice<EventOf<'interrupt-decided'>['decision']>[] = [
  { key: 'd', label: 'It was done: go on after it', decision: 'done' },
  { key: 'r', label: 'It was not: run it again', decision: 'rerun' },
  { key: 's', label: 'Skip it', decision: 'skip' },
  { key: 'x', label: 'Stop here, look first', decision: 'stop', default: true },
];
