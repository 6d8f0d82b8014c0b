import { sep } from 'node:path';
import type { Driver } from '../../core/contract/index.ts';
import type { Folder } from '../../core/stream/index.ts';
import type { Liveness } from './liveness.ts';

/** A process as it is written beside its heartbeat. */
export interface ProcessFacts extends Driver {
  /** Null where it could not be found out. */
  pidStart: string | null;
  pidSpace: string;
}

export interface Owner extends ProcessFacts {
  /** By the store's clock. */
  beatAt: number;
  ttl: number;
}

/**
 * Whether what an owner holds can be taken: nobody owns it, the owner has been silent for its time-to-live, or it is
 * surely dead. `now` is the store's: a reader's own clock may be wrong. A beat from the future is no better than an old
 * one: the clock has been set back.
 */
export function isFree(
  owner: Owner | undefined,
  now: number,
  self: ProcessFacts,
  liveness: Liveness,
): boolean {
  if (owner === undefined || Math.abs(now - owner.beatAt) >= owner.ttl) return true;
  return isSurelyDead(owner, self, liveness);
}

/**
 * True where the owner is surely dead: it lived where we live, and its pid is gone or belongs to another
 * process now. Anything less sure is left to its heartbeat.
 */
export function isSurelyDead(owner: ProcessFacts, self: ProcessFacts, liveness: Liveness): boolean {
  const isNeighbour =
    owner.host === self.host && owner.boot === self.boot && owner.pidSpace === self.pidSpace;
  // Where not even our own start can be found out, nothing can be said of others.
  if (!isNeighbour || self.pidStart === null) return false;
  const start = liveness.startTime(owner.pid);
  return start === null || (owner.pidStart !== null && start !== owner.pidStart);
}

const withSeparator = (path: string): string => (path.endsWith(sep) ? path : path + sep);

/**
 * Whether two folders of one machine are the same, or one lies within the other. Worktrees of git that lie within each
 * other are separate folders all the same.
 */
export function overlaps(a: Omit<Folder, 'host'>, b: Omit<Folder, 'host'>): boolean {
  if ((a.worktree ?? null) !== (b.worktree ?? null)) return false;
  const [one, two] = [withSeparator(a.path), withSeparator(b.path)];
  return one.startsWith(two) || two.startsWith(one);
}

export const isSameFolder = (a: Folder | null, b: Folder | null): boolean =>
  a?.host === b?.host && a?.path === b?.path && a?.worktree === b?.worktree;
