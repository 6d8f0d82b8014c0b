import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type GitPlace, git } from './git.ts';
import { forget, listIds } from './repository.ts';
import type { CheckpointLimits } from './types.ts';

const day = 24 * 60 * 60 * 1000;

const count = (folder: string, end = ''): number => {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(end)).length;
  } catch {
    return 0;
  }
};

/** Loose objects are spread evenly over 256 folders; three of them tell enough. */
const looseObjects = (gitDir: string): number =>
  (['17', '4b', 'a8'].reduce((sum, name) => sum + count(join(gitDir, 'objects', name)), 0) * 256) / 3;

/** Most checkpoints are one each: git looks into one after the other. */
const MANY_PACKS = 200;

/** Many small packs make every look-up slower, and loose objects take a block of the disk each. */
export const needsPacking = ({ gitDir }: GitPlace): boolean =>
  count(join(gitDir, 'objects/pack'), '.pack') > MANY_PACKS || looseObjects(gitDir) > 2_000;

/**
 * Puts small packs and loose objects together, and leaves large packs as they are, so that the work stays in
 * proportion to what is new. Objects are only ever moved: safe beside anything that reads or adds.
 */
export const packLightly = (place: GitPlace): Promise<Buffer> =>
  git(place, ['repack', '--geometric=2', '-d', '-q', '-l']);

/** Drops every object that no checkpoint and not the index needs. The caller holds the lock. */
export async function dropUnreachable(place: GitPlace): Promise<void> {
  await git(place, ['repack', '-a', '-d', '-q', '-l']);
  await git(place, ['prune', '--expire=now']);
}

const isTooMany = (count: number, limits: CheckpointLimits): boolean => count > limits.checkpoints * 1.1;

/** Whether checkpoints expire for their number: told without looking at each of them. */
export const hasTooMany = (gitDir: string, limits: CheckpointLimits): boolean =>
  isTooMany(count(join(gitDir, 'refs/checkpoints')), limits);

/**
 * Forgets the checkpoints that the limits let expire; answers how many. A tenth or a day late, so that the work of
 * dropping them is done for many at once.
 */
export function expire(root: string, gitDir: string, limits: CheckpointLimits, now: number): number {
  const ids = listIds(gitDir);
  const oldest = now - limits.days * day;
  if (!isTooMany(ids.length, limits) && (ids[0]?.at ?? now) >= oldest - day) return 0;
  const expired = ids.filter(({ at }, place) => at < oldest || place < ids.length - limits.checkpoints);
  forget(
    root,
    gitDir,
    expired.map(({ id }) => id),
  );
  return expired.length;
}
