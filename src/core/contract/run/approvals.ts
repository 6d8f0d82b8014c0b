import { fingerprint } from '../canonical.ts';
import type { EventOf } from '../events.ts';
import { decide } from '../stream/approvals.ts';
import type { ApprovalState, RunState } from './state.ts';
import { withStep } from './steps.ts';

/** What the events of asking and deciding make of a run's approvals. All pure. */

/** Agreeing on a plan approves its dangerous steps, each for exactly what was shown. */
export function agreed(state: RunState, { approves = [] }: EventOf<'plan-confirmed'>): RunState {
  const approvals = approves.map(
    ({ subject, verdict }): ApprovalState => ({
      id: `${subject.stepId}.0`,
      stepId: subject.stepId,
      planRevision: state.plan?.revision ?? 0,
      fingerprint: fingerprint(subject),
      verdict,
      subject,
      status: 'granted',
      warning: null,
      reason: null,
    }),
  );
  return approvals.length === 0 ? state : { ...state, approvals: [...state.approvals, ...approvals] };
}

export function asked(state: RunState, event: EventOf<'approval-needed'>): RunState {
  const { approvalId, fingerprint: print, verdict, subject } = event;
  const approval: ApprovalState = {
    id: approvalId,
    stepId: subject.stepId,
    planRevision: state.plan?.revision ?? 0,
    fingerprint: print,
    verdict,
    subject,
    status: 'needed',
    warning: event.warningMessage ?? null,
    reason: null,
  };
  return { ...state, approvals: [...state.approvals, approval] };
}

export function decided(
  state: RunState,
  id: string,
  status: 'granted' | 'denied',
  reason: string | null,
): RunState {
  const approval = state.approvals.find((candidate) => candidate.id === id);
  if (approval === undefined) return state;
  // What is denied is not granted by an older approval of the same.
  const same = (each: ApprovalState) =>
    each.status === 'granted' && each.fingerprint === approval.fingerprint;
  const left =
    status === 'denied'
      ? state.approvals.map((each) => (same(each) ? { ...each, status } : each))
      : state.approvals;
  const approvals = decide(left, id, status, reason);
  // What was judged before the person looked away is judged again before it runs.
  return withStep({ ...state, approvals }, approval.stepId, { judged: null });
}

/**
 * What the run stopped for because nobody was there: a person can still decide it, from any door, as long as it is what
 * they would be shown. Null where it did not stop for that, or where the plan is another by now.
 */
export function parkedApproval({
  status,
  stopReason,
  approvals,
  plan,
  steps,
}: RunState): ApprovalState | null {
  const last = approvals.at(-1);
  if (status !== 'paused' || stopReason !== 'approval-needed' || last?.status !== 'withdrawn') return null;
  const isDue = steps.some((step) => step.id === last.stepId && step.status === 'pending');
  return isDue && last.planRevision === plan?.revision ? last : null;
}
