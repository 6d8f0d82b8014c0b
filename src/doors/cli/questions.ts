import {
  type ApprovalState,
  planStep,
  type RequestBody,
  type RunState,
  type Step,
} from '../../core/contract/index.ts';
import { printAction } from '../../core/plan/index.ts';
import { askKey, askLine, type NoAnswer } from './ask.ts';
import { type Context, note } from './context.ts';
import { editStep } from './edit.ts';
import { explanationLines } from './explanation.ts';
import { lookOf } from './look.ts';
import {
  approvalChoices,
  grantChoices,
  interruptChoices,
  manualChoices,
  offerChoices,
} from './view/choices.ts';
import {
  renderApproval,
  renderDenial,
  renderInterrupt,
  renderOffer,
  renderQuestion,
} from './view/questions.ts';

export interface Asking {
  context: Context;
  /** Makes a rule that allows exactly this here from now on, and says what it made. */
  allowHere(approvalId: string): Promise<string>;
  /** Lets a model add its words while a step that is offered waits for its answer. */
  explaining<T>(stepId: string, ask: () => Promise<T>): Promise<T>;
}

/**
 * Puts the run's open question to the person at the terminal. Null where it was taken back, because
 * somebody answered elsewhere, or where there is none.
 */
export async function askAbout(
  asking: Asking,
  state: RunState,
  signal: AbortSignal,
): Promise<RequestBody | 'interrupted' | null> {
  const answer = await putQuestion(asking, state, signal);
  return answer === 'withdrawn' ? null : answer;
}

async function putQuestion(
  { context, allowHere, explaining }: Asking,
  state: RunState,
  signal: AbortSignal,
): Promise<RequestBody | NoAnswer | null> {
  const look = { ...lookOf(context, 'stderr'), printAction };
  const show = (lines: string[]) => note(context, lines.join('\n'));
  if (state.planning?.question != null && state.status === 'waiting') {
    show(['', ` The planner asks: ${state.planning.question}`]);
    const answer = await askLine(context, signal);
    return typeof answer === 'string' ? answer : { type: 'answer-given', value: answer.text };
  }
  const approval = state.approvals.find((candidate) => candidate.status === 'needed');
  if (approval !== undefined) {
    show(renderApproval(approval, state, look));
    return putApproval(context, state, approval, allowHere, signal);
  }
  const offered = state.plan?.steps.find((_, index) => state.steps[index]?.offered);
  if (offered !== undefined) {
    show(renderOffer(offered, state, { ...look, explanation: explanationLines(offered.action) }));
    const answer = await explaining(offered.id, () => askKey(context, offerChoices, signal));
    if (typeof answer === 'string') return answer;
    if (answer.decision === 'edit') return edited(context, state, offered.id);
    if (answer.decision === 'skip') return declined(context, state, offered.id, signal);
    return { type: 'step-decided', stepId: offered.id, decision: answer.decision };
  }
  const asked = state.plan?.steps.find((_, index) => state.steps[index]?.asked);
  if (asked !== undefined) return putAnswer(context, state, asked, signal);
  if (state.interrupted === null) return null;
  const { stepId, attemptIndex } = state.interrupted;
  show(renderInterrupt(state, look));
  const answer = await askKey(context, interruptChoices, signal);
  return typeof answer === 'string'
    ? answer
    : { type: 'interrupt-decided', stepId, attemptIndex, decision: answer.decision };
}

async function putApproval(
  context: Context,
  state: RunState,
  approval: ApprovalState,
  allowHere: Asking['allowHere'],
  signal: AbortSignal,
): Promise<RequestBody | NoAnswer | null> {
  const { id: approvalId, stepId } = approval;
  const answer = await askKey(context, approvalChoices, signal);
  if (typeof answer === 'string') return answer;
  switch (answer.decision) {
    case 'edit':
      return edited(context, state, stepId);
    case 'always':
      note(context, ` ${await allowHere(approvalId)}`);
      return { type: 'approval-decided', approvalId, decision: 'approve' };
    case 'deny-why': {
      const why = await askLine(context, signal);
      if (typeof why === 'string') return why;
      const reason = why.text.trim();
      if (isPlanned(state) && reason !== '') return { type: 'replan-requested', stepId, reason };
      return { type: 'approval-decided', approvalId, decision: 'deny', reason };
    }
    default:
      return { type: 'approval-decided', approvalId, decision: answer.decision };
  }
}

/** A run that was made from a goal can be planned again from any step that is not over. */
const isPlanned = ({ planning }: RunState): boolean => planning !== null;

/** Whoever says why does not want to go on without the step, but by another way: what is left is planned again. */
async function declined(
  context: Context,
  state: RunState,
  stepId: string,
  signal: AbortSignal,
): Promise<RequestBody | NoAnswer> {
  const skip: RequestBody = { type: 'step-decided', stepId, decision: 'skip' };
  if (!isPlanned(state)) return skip;
  note(context, ' Why not? What is left is then planned again. (Enter: just skip it)');
  const why = await askLine(context, signal);
  if (typeof why === 'string') return why;
  const reason = why.text.trim();
  return reason === '' ? skip : { type: 'replan-requested', stepId, reason };
}

/** The step as the person changed it; null, and the question is put again, where they changed nothing. */
function edited(context: Context, state: RunState, stepId: string): RequestBody | null {
  const step = planStep(state, stepId);
  const patch = step === undefined ? null : editStep(context, state, step);
  if (patch === null) return null;
  return { type: 'edit-requested', baseRevision: state.plan!.revision, patch, reason: 'edited by a person' };
}

async function putAnswer(
  context: Context,
  state: RunState,
  step: Step,
  signal: AbortSignal,
): Promise<RequestBody | NoAnswer> {
  note(context, renderQuestion(step, state, lookOf(context, 'stderr')).join('\n'));
  if (step.action.kind === 'manual') {
    const answer = await askKey(context, manualChoices, signal);
    if (typeof answer === 'string') return answer;
    return answer.decision === 'done'
      ? { type: 'answer-given', stepId: step.id }
      : { type: 'pause-requested' };
  }
  const answer = await askLine(context, signal);
  return typeof answer === 'string' ? answer : { type: 'answer-given', stepId: step.id, value: answer.text };
}

/** Offers to run a step that its sandbox refused with exactly what was missing; null where it is left. */
export async function offerGrant(
  context: Context,
  state: RunState,
  signal: AbortSignal,
): Promise<RequestBody | null> {
  const denied = state.steps.find(
    ({ status, result }) => status === 'failed' && result?.missing !== undefined,
  );
  if (denied === undefined) return null;
  note(context, renderDenial(denied, state, lookOf(context, 'stderr')).join('\n'));
  const answer = await askKey(context, grantChoices, signal);
  if (typeof answer === 'string' || answer.decision === 'leave') return null;
  return { type: 'retry-requested', stepId: denied.id, grants: denied.result!.missing! };
}
