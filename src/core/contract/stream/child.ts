import { z } from 'zod';
import type { Limits } from '../options.ts';
import { fact } from './fact.ts';
import type { StreamRow } from './row.ts';
import { committed, Spending } from './spending.ts';

/**
 * A stream that another one began and waits for: a chat for its run, a task for its agent run.
 *
 *   child-started ──▶ wanted ──child-begun──▶ open ──child-cancelled──▶ open, told to stop
 *                                              └──child-ended──▶ over
 *
 * `child-ended` is written to the parent in the very transaction that ends the child: whoever waits is woken by it.
 */
export const childFacts = [
  fact('child-started', { child: z.string(), kind: z.string() }),
  fact('child-begun', { child: z.string() }),
  /** The parent was cancelled, and said so to its child. */
  fact('child-cancelled', { child: z.string() }),
  fact('child-ended', { child: z.string(), state: z.string(), spending: Spending.nullable() }),
] as const;

export type ChildFact = z.infer<(typeof childFacts)[number]>;

/** For `childEnded` of a kind. */
export const childEnded = ({ id, state, spending }: StreamRow, at: number): ChildFact => ({
  v: 1,
  type: 'child-ended',
  at,
  child: id,
  state,
  spending: spending ?? null,
});

export interface ChildState {
  id: string;
  kind: string;
  isBegun: boolean;
  isCancelled: boolean;
  /** The state in which it ended. */
  ended: string | null;
}

const names: Record<ChildFact['type'], true> = {
  'child-started': true,
  'child-begun': true,
  'child-cancelled': true,
  'child-ended': true,
};
export const isChildFact = (event: { type: string }): event is ChildFact => Object.hasOwn(names, event.type);

export function withChild(children: readonly ChildState[], event: ChildFact): readonly ChildState[] {
  const change = (changes: Partial<ChildState>) =>
    children.map((child) => (child.id === event.child ? { ...child, ...changes } : child));
  switch (event.type) {
    case 'child-started':
      return [
        ...children,
        { id: event.child, kind: event.kind, isBegun: false, isCancelled: false, ended: null },
      ];
    case 'child-begun':
      return change({ isBegun: true });
    case 'child-cancelled':
      return change({ isCancelled: true });
    case 'child-ended':
      return change({ ended: event.state });
  }
}

/** What a child may spend: what its parent has left, counting what may still be charged. Never less than nothing. */
export function limitsLeft(
  spending: Spending,
  limits: Pick<Limits, 'money' | 'tokens'>,
): Pick<Limits, 'money' | 'tokens'> {
  const { usd, unpricedTokens } = committed(spending);
  return { money: Math.max(0, limits.money - usd), tokens: Math.max(0, limits.tokens - unpricedTokens) };
}

/** What the parent has spent once its child has: the child's calls are its own. */
export function withChildSpending(own: Spending, of: Spending | null): Spending {
  if (of === null) return own;
  const { usd, tokens, unpricedTokens } = committed(of);
  return {
    ...own,
    usd: own.usd + usd,
    tokens: own.tokens + tokens,
    unpricedTokens: own.unpricedTokens + unpricedTokens,
    calls: own.calls + of.calls,
  };
}
