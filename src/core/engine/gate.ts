import { fingerprint, type RunState, type StepState, type Subject } from '../contract/index.ts';

/**
 * The one place where permits are made. A performer cannot act without one, and one serves a single attempt
 * at exactly the subject it was made for: a permit that is forged, used twice, or shown for anything else
 * is refused by `redeem`.
 */
declare const permitBrand: unique symbol;
export interface Permit {
  readonly [permitBrand]: true;
}

const issued = new WeakMap<Permit, string>();

export type PermitRefusal = 'not-judged' | 'blocked' | 'not-approved';

/** A permit for the next attempt at this step as it was last judged, or why there is none. */
export function issuePermit(
  state: RunState,
  step: StepState,
): { permit: Permit } | { refused: PermitRefusal } {
  const judged = step.judged;
  if (!judged) return { refused: 'not-judged' };
  if (judged.verdict.level === 'blocked') return { refused: 'blocked' };
  if (needsApproval(step) && !isApproved(state, judged.fingerprint)) {
    return { refused: 'not-approved' };
  }
  const permit = Object.freeze({}) as Permit;
  issued.set(permit, judged.fingerprint);
  return { permit };
}

/** True once for a permit made for exactly this subject; false for anything else, and ever after. */
export function redeemPermit(permit: Permit, subject: Subject): boolean {
  const bound = issued.get(permit);
  issued.delete(permit);
  return bound !== undefined && bound === fingerprint(subject);
}

/** What is dangerous, and what wants more than its sandbox gives. */
export const needsApproval = ({ judged, wants }: StepState): boolean =>
  judged?.verdict.level === 'dangerous' || wants !== null;

/** An approval counts for the fingerprint that was shown, whichever step asks. */
export const isApproved = (state: RunState, print: string): boolean =>
  state.approvals.some((approval) => approval.fingerprint === print && approval.status === 'granted');
