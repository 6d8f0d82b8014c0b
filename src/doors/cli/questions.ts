import type { RequestBody, RunState } from '../../core/contract/index.ts';
import { printAction } from '../../core/plan/index.ts';
import { askKey, type NoAnswer } from './ask.ts';
import { type Context, note } from './context.ts';
import { lookOf } from './look.ts';
import {
  approvalChoices,
  interruptChoices,
  offerChoices,
  renderApproval,
  renderInterrupt,
  renderOffer,
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
    show(renderOffer(offered, state, look));
    const answer = await askKey(context, offerChoices, signal);
    return typeof answer === 'string'
      ? answer
      : { type: 'step-decided', stepId: offered.id, decision: answer.decision };
  }
  if (state.interrupted === null) return null;
  const { stepId, attemptIndex } = state.interrupted;
  show(renderInterrupt(state, look));
  const answer = await askKey(context, interruptChoices, signal);
  return typeof answer === 'string'
    ? answer
    : { type: 'interrupt-decided', stepId, attemptIndex, decision: answer.decision };
}
