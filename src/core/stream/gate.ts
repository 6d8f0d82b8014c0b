import { fingerprint, type Verdict } from '../contract/index.ts';

/**
 * The one place where permits are made. Nobody can act without one, and one serves a single attempt at exactly the
 * subject it was made for (a step, a tool call, an agent's command): a permit that is forged, used twice, or shown for
 * anything else is refused by `redeemPermit`.
 */
declare const permitBrand: unique symbol;
export interface Permit {
  readonly [permitBrand]: true;
}

const issued = new WeakMap<Permit, string>();

export type PermitRefusal = 'not-judged' | 'blocked' | 'not-approved';

/** What was judged, named by the fingerprint of its subject. */
export interface Judged {
  verdict: Verdict;
  fingerprint: string;
  /** It wants more than its sandbox gives: a person has to approve that, whatever the verdict. */
  wantsMore: boolean;
}

/** A person's decision, bound by its fingerprint to the subject that they were shown. */
export interface Decided {
  fingerprint: string;
  subject: object;
  status: 'needed' | 'granted' | 'denied' | 'withdrawn';
}

/** A permit for one attempt at what was last judged, or why there is none. */
export function issuePermit(
  judged: Judged | null,
  decisions: readonly Decided[],
): { permit: Permit } | { refused: PermitRefusal } {
  if (judged === null) return { refused: 'not-judged' };
  if (judged.verdict.level === 'blocked') return { refused: 'blocked' };
  if (needsApproval(judged) && !isApproved(decisions, judged.fingerprint)) return { refused: 'not-approved' };
  const permit = Object.freeze({}) as Permit;
  issued.set(permit, judged.fingerprint);
  return { permit };
}

/** True once for a permit made for exactly this subject; false for anything else, and ever after. */
export function redeemPermit(permit: Permit, subject: object): boolean {
  const bound = issued.get(permit);
  issued.delete(permit);
  return bound !== undefined && bound === fingerprint(subject);
}

/** What is dangerous, and what wants more than its sandbox gives. */
export const needsApproval = ({ verdict, wantsMore }: Judged): boolean =>
  verdict.level === 'dangerous' || wantsMore;

/**
 * An approval counts for what was shown, whoever asks: a fingerprint that is not that of the subject beside it was written by
 * somebody who shows one thing and means another.
 */
export const isApproved = (decisions: readonly Decided[], print: string): boolean =>
  decisions.some(
    ({ fingerprint: bound, subject, status }) =>
      bound === print && status === 'granted' && fingerprint(subject) === print,
  );
