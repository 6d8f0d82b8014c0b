import { WorktreeError } from './errors.ts';
import { type Linked, linkedAt } from './linked.ts';
import type { OpenedRepository } from './repository.ts';

const PREFIX = 'planwright: agent run ';

export const lockReason = (run: string): string => `${PREFIX}${run}`;

/** The agent run that holds it; null where it is somebody else's lock. */
const holderOf = (reason: string): string | null =>
  reason.startsWith(PREFIX) ? reason.slice(PREFIX.length) : null;

/**
 * Locks a worktree for an agent run. A lock of a run that is over is taken over; one of a run that is at work, or of a
 * person, is not: throws.
 */
export async function lockFor(
  run: string,
  linked: Linked,
  repository: OpenedRepository,
  isAtWork: (run: string) => Promise<boolean>,
): Promise<void> {
  if (linked.locked !== null) {
    const holder = holderOf(linked.locked);
    if (holder === run) return;
    if (holder === null)
      throw new WorktreeError(
        'locked',
        `${linked.path} is locked${linked.locked === '' ? '' : ` (${linked.locked})`}: unlock it by git worktree unlock`,
      );
    if (await isAtWork(holder))
      throw new WorktreeError('in-use', `the agent run ${holder} is at work in ${linked.path}`);
    await repository.ask(['worktree', 'unlock', linked.path]);
  }
  // Of two at once, one is told that it is locked already.
  const ended = await repository.try(['worktree', 'lock', '--reason', lockReason(run), linked.path]);
  if (ended.code !== 0)
    throw new WorktreeError('in-use', `${linked.path} was locked by somebody else at the same time`);
}

/** Does nothing where the lock is another one's. */
export async function unlockOf(run: string, path: string, repository: OpenedRepository): Promise<void> {
  const linked = linkedAt(repository, path);
  if (linked?.locked != null && holderOf(linked.locked) === run)
    await repository.ask(['worktree', 'unlock', path]);
}
