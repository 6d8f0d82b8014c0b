import {
  type ApprovalState,
  type FactBody,
  parkedApproval,
  parkedQuestion,
  planStep,
  type RequestEvent,
  type RunState,
  stepState,
} from '../contract/index.ts';
import { dueStep } from './due.ts';
import { doneByPerson, failedResult } from './results.ts';
import { hasToRelease, type RunEffect, record, release } from './work.ts';

/** Answers to what people decided about an open question: an approval, an offered step, a question, an unknown step. */

export type Refuse = (code: string, message: string) => RunEffect;
export type Request<T extends RequestEvent['type']> = Extract<RequestEvent, { type: T }>;
/** `answers` is the place of the request in the journal. */
export type Answering<T extends RequestEvent['type']> = (
  state: RunState,
  request: Request<T>,
  answers: number,
  refuse: Refuse,
  now: number,
) => RunEffect;

export const approval: Answering<'approval-decided'> = (state, request, answers, refuse) => {
  const { approvalId } = request;
  const open = state.approvals.find((candidate) => candidate.id === approvalId);
  if (open === undefined) return refuse('no-such-approval', 'nothing asks for that approval');
  // Denying wins until it has begun: what another door approved a moment ago included.
  const overrules = open.status === 'granted' && request.decision !== 'approve';
  if (overrules && stepState(state, open.stepId)?.status !== 'pending')
    return refuse('already-begun', 'it was approved before, and has begun since');
  const isParked = parkedApproval(state)?.id === approvalId;
  if (open.status !== 'needed' && !overrules && !isParked)
    return refuse('already-decided', decidedWords[open.status]);
  // It stopped for this alone: whoever decides it lets the run go on.
  const onwards: FactBody[] = isParked ? [{ type: 'run-resumed', options: state.options! }] : [];
  if (request.decision === 'approve')
    return record(...onwards, { type: 'approval-granted', approvalId, answers });
  const why = request.reason === undefined ? {} : { reason: request.reason };
  const overruled = overrules ? { overruled: true as const } : {};
  const denied: FactBody = { type: 'approval-denied', approvalId, answers, ...overruled, ...why };
  if (request.decision === 'abort') {
    if (hasToRelease(state)) return release(state);
    return record(denied, { type: 'run-finished', outcome: 'cancelled', reason: 'approval-denied' });
  }
  // What is not its turn yet is asked about again when it is.
  if (overrules && !(isGoing(state) && dueStep(state)?.step.id === open.stepId)) return record(denied);
  return record(...onwards, denied, {
    type: 'step-failed',
    stepId: open.stepId,
    attemptIndex: stepState(state, open.stepId)?.attempts ?? 0,
    title: planStep(state, open.stepId)?.title,
    result: failedResult('denied', request.reason ?? 'its approval was denied'),
  });
};

/** Of an approval that nothing waits for any more. */
const decidedWords: Record<ApprovalState['status'], string> = {
  needed: 'it is not asked any more',
  granted: 'it was approved already',
  denied: 'it was denied already',
  withdrawn: 'it is not asked any more',
};

const isGoing = ({ status }: RunState): boolean => status === 'running' || status === 'recovering';

export const taught: Answering<'step-decided'> = (state, request, answers, refuse) => {
  const step = stepState(state, request.stepId);
  // Whoever has done by hand what failed need not be offered it first.
  const isDoneByHand = step?.status === 'failed' && request.decision === 'did-it';
  if (step === undefined || !(step.offered || isDoneByHand)) {
    return refuse('not-offered', `step ${request.stepId} does not wait for a decision`);
  }
  switch (request.decision) {
    case 'run':
      return record({ type: 'step-accepted', stepId: step.id, answers });
    case 'skip':
      return record({ type: 'step-skipped', stepId: step.id, reason: 'declined', answers });
    case 'did-it':
      return record({
        type: 'step-completed',
        stepId: step.id,
        attemptIndex: step.attempts,
        result: doneByPerson,
        by: 'person',
        answers,
      });
    case 'stop':
      return record({ type: 'run-paused', reason: 'paused', answers });
  }
};

export const answered: Answering<'answer-given'> = (state, request, answers, refuse) => {
  const { stepId = '' } = request;
  const step = stepState(state, stepId);
  const action = planStep(state, stepId)?.action;
  if (step === undefined || !step.asked) {
    return refuse('not-asked', `step ${stepId} does not wait for an answer`);
  }
  if (action?.kind === 'ask' && request.value === undefined) return refuse('no-value', 'an answer is needed');
  const captured = action?.kind === 'ask' ? { captured: { key: action.as, value: request.value ?? '' } } : {};
  // It stopped for this alone: whoever answers lets the run go on.
  const onwards: FactBody[] =
    parkedQuestion(state)?.id === step.id ? [{ type: 'run-resumed', options: state.options! }] : [];
  return record(...onwards, {
    type: 'step-completed',
    stepId: step.id,
    attemptIndex: step.attempts,
    result: { ...doneByPerson, ...captured },
    by: 'person',
    answers,
  });
};

export const interrupt: Answering<'interrupt-decided'> = (state, request, answers, refuse) => {
  const open = state.interrupted;
  if (open === null || open.stepId !== request.stepId || open.attemptIndex !== request.attemptIndex) {
    return refuse(
      'not-interrupted',
      `nobody asks about attempt ${request.attemptIndex} of ${request.stepId}`,
    );
  }
  const { stepId, attemptIndex } = open;
  return request.decision === 'stop'
    ? record({ type: 'run-paused', reason: 'interrupted-unknown', message: open.detail, answers })
    : record({
        type: 'interrupt-resolved',
        stepId,
        attemptIndex,
        decision: request.decision,
        answers,
        ...(stepState(state, stepId)?.loop ? { item: true } : {}),
      });
};
