import type { Verdict } from '../verdict.ts';

/** A person's decision on a subject that they were shown: bound to exactly that by its fingerprint. */
export interface Approval<Subject> {
  id: string;
  fingerprint: string;
  verdict: Verdict;
  subject: Subject;
  /** `withdrawn`: nobody waits for an answer any more. */
  status: 'needed' | 'granted' | 'denied' | 'withdrawn';
  /** What has changed since an earlier approval of the same thing. */
  warning: string | null;
  reason: string | null;
}

type Any = Approval<unknown>;

export const decide = <A extends Any>(
  approvals: readonly A[],
  id: string,
  status: 'granted' | 'denied',
  reason: string | null,
): readonly A[] =>
  approvals.map((approval) => (approval.id === id ? { ...approval, status, reason } : approval));

/** Takes back what is asked, all of it or what `isMeant` says: what is still needed is asked again. */
export function withdraw<A extends Any>(
  approvals: readonly A[],
  isMeant: (approval: A) => boolean = () => true,
): readonly A[] {
  const isTaken = (approval: A) => approval.status === 'needed' && isMeant(approval);
  return approvals.some(isTaken)
    ? approvals.map((approval) =>
        isTaken(approval) ? { ...approval, status: 'withdrawn' as const } : approval,
      )
    : approvals;
}
