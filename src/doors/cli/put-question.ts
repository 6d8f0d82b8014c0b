import { type ApprovalState, planStep, type RequestBody, type RunState } from '../../core/contract/index.ts';
import {
  approvalChoicesAt,
  grantChoices,
  helpWanted,
  interruptChoices,
  manualChoices,
  offerChoices,
  openQuestion,
  type Question,
} from '../../core/contract/told/index.ts';
import { printAction } from '../../core/plan/index.ts';
import { explanationLines } from '../../core/risk/explain/index.ts';
import { askKey, askLine, type NoAnswer } from './ask.ts';
import { type Context, note } from './context.ts';
import { editStep } from './edit.ts';
import { lookOf } from './look-of.ts';
import { renderDenial, renderOpen } from './render/questions.ts';

export interface QuestionDesk {
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
  asking: QuestionDesk,
  state: RunState,
  signal: AbortSignal,
): Promise<RequestBody | 'interrupted' | null> {
  const answer = await putQuestion(asking, state, signal);
  return answer === 'withdrawn' ? null : answer;
}

async function putQuestion(
  { context, allowHere, explaining }: QuestionDesk,
  state: RunState,
  signal: AbortSignal,
): Promise<RequestBody | NoAnswer | null> {
  const question = openQuestion(state);
  // A plan is agreed on where it is shown.
  if (question === null || question.kind === 'agreement') return null;
  const explanation = question.kind === 'offer' ? explanationLines(question.step.action) : [];
  const look = { ...lookOf(context, 'stderr'), printAction, explanation };
  const shown = renderOpen(question, state, look);
  note(context, [...(shown[0] === '' ? [] : ['']), ...shown].join('\n'));
  switch (question.kind) {
    case 'planner': {
      const answer = await askLine(context, signal);
      return typeof answer === 'string' ? answer : { type: 'answer-given', value: answer.text };
    }
    case 'approval':
      return putApproval(context, state, question.approval, allowHere, signal);
    case 'offer': {
      const { stepId } = question;
      const answer = await explaining(stepId, () => askKey(context, offerChoices, signal));
      if (typeof answer === 'string') return answer;
      if (answer.decision === 'edit') return edited(context, state, stepId);
      if (answer.decision === 'skip') return declined(context, state, stepId, signal);
      return { type: 'step-decided', stepId, decision: answer.decision };
    }
    case 'ask':
    case 'manual':
      return putAnswer(context, question, signal);
    case 'interrupt': {
      const { stepId, attemptIndex } = question;
      const answer = await askKey(context, interruptChoices, signal);
      if (typeof answer === 'string') return answer;
      return { type: 'interrupt-decided', stepId, attemptIndex, decision: answer.decision };
    }
  }
}

async function putApproval(
  context: Context,
  state: RunState,
  approval: ApprovalState,
  allowHere: QuestionDesk['allowHere'],
  signal: AbortSignal,
): Promise<RequestBody | NoAnswer | null> {
  const { id: approvalId, stepId } = approval;
  const answer = await askKey(context, approvalChoicesAt(state, stepId), signal);
  if (typeof answer === 'string') return answer;
  switch (answer.decision) {
    case 'edit':
      return edited(context, state, stepId);
    case 'skip':
      return { type: 'skip-requested', stepId };
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
export function edited(context: Context, state: RunState, stepId: string): RequestBody | null {
  const step = planStep(state, stepId);
  const patch = step === undefined ? null : editStep(context, state, step);
  if (patch === null) return null;
  return { type: 'edit-requested', baseRevision: state.plan!.revision, patch, reason: 'edited by a person' };
}

async function putAnswer(
  context: Context,
  { kind, stepId }: Extract<Question, { kind: 'ask' | 'manual' }>,
  signal: AbortSignal,
): Promise<RequestBody | NoAnswer> {
  if (kind === 'manual') {
    const answer = await askKey(context, manualChoices, signal);
    if (typeof answer === 'string') return answer;
    return answer.decision === 'done' ? { type: 'answer-given', stepId } : { type: 'pause-requested' };
  }
  const answer = await askLine(context, signal);
  return typeof answer === 'string' ? answer : { type: 'answer-given', stepId, value: answer.text };
}

/** Offers to run a step that its sandbox refused with exactly what was missing; null where it is left. */
export async function offerGrant(
  context: Context,
  state: RunState,
  signal: AbortSignal,
): Promise<RequestBody | null> {
  const help = helpWanted(state);
  if (help?.kind !== 'grant') return null;
  note(context, renderDenial(help.state, state, lookOf(context, 'stderr')).join('\n'));
  const answer = await askKey(context, grantChoices, signal);
  if (typeof answer === 'string' || answer.decision === 'leave') return null;
  return { type: 'retry-requested', stepId: help.stepId, grants: help.state.result!.missing! };
}
