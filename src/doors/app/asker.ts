import { userInfo } from 'node:os';
import { type Actor, allows, type Door, type Scope } from '../../core/contract/index.ts';
import { AppError } from './errors.ts';

/** Whoever asks something of a stream, and what they may do. The journal keeps who it was. */
export interface Asker {
  actor: Actor;
  scope: Scope;
}

/** Whoever this process belongs to: they may decide. */
export const ownerAt = (door: Door): Asker => ({ actor: { person: owner(), door }, scope: 'decide' });

function owner(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id that has no name, as in some containers.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Throws an AppError where they may not. */
export function mustAllow({ actor, scope }: Asker, needed: Scope): void {
  if (allows(scope, needed)) return;
  const may = { read: 'only look', ask: 'ask, but not decide', decide: 'decide' }[scope];
  throw new AppError('not-allowed', `${actor.person} may ${may} here`);
}
