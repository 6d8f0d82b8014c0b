import type { RequestBody, RunState, Step } from '../../core/contract/index.ts';
import { printAction } from '../../core/plan/index.ts';
import { askKey, askLine, type NoAnswer } from './ask.ts';
import { type Context, note } from './context.ts';
import { explanationLines } from './explanation.ts';
import { lookOf } from './look.ts';
import {
  approvalChoices,
  interruptChoices,
  manualChoices,
  offerChoices,
  renderApproval,
  renderInterrupt,
  renderOffer,
  renderQuestion,
} from './view/index.ts';

/**
 * Puts the run's open question to the person at the terminal. Null where it was taken back, because
 * somebody answered elsewhere, or where there is none.
 */
export async function askAbout(
  context: Context,
  state: RunState,
  signal: AbortSignal,
): Promise<RequestBody | 'interrupted' | null> {
  const answer = await putQuestion(context, state, signal);
  return answer === 'withdrawn' ? null : answer;
}

async function putQuestion(
  context: Context,
  state: RunState,
  signal: AbortSignal,
): Promise<RequestBody | NoAnswer | null> {
  const look = { ...lookOf(context, 'stderr'), printAction };
  const show = (lines: string[]) => note(context, lines.join('\n'));
  const approval = state.approvals.find((candidate) => candidate.status === 'needed');
  if (approval !== undefined) {
    show(renderApproval(approval, state, look));
    const answer = await askKey(context, approvalChoices, signal);
    return typeof answer === 'string'
      ? answer
      : { type: 'approval-decided', approvalId: approval.id, decision: answer.decision };
  }
  const offered = state.plan?.steps.find((_, index) => state.steps[index]?.offered);
  if (offered !== undefined) {
    show(renderOffer(offered, state, { ...look, explanation: explanationLines(offered.action) }));
    const answer = await askKey(context, offerChoices, signal);
    return typeof answer === 'string'
      ? answer
      : { type: 'step-decided', stepId: offered.id, decision: answer.decision };
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
