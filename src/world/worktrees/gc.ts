import { lstatSync, readdirSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository as Given } from '../../core/contract/tasks/index.ts';
import { failureOf, WorktreeError } from './errors.ts';
import { linkedAt, worktreePath } from './linked.ts';
import { isMerged } from './merge.ts';
import { kindAt } from './records.ts';
import { type OpenedRepository, openRepository, type Surroundings } from './repository.ts';
import { changedPaths } from './rescue.ts';

/** A task that is through, as whoever asks for it to be removed knows it. */
export interface Through {
  task: string;
  branch: string;
}

export interface Removed {
  removed: { task: string; path: string; bytes: number }[];
  kept: { task: string; path: string; why: string }[];
}

/**
 * Removes the worktrees of tasks that are through, where the branch is merged, nothing is uncommitted and nobody has
 * locked it. Branches stay. What is kept is said, and why. Throws a WorktreeError where there is no repository.
 */
export async function removeMerged(
  given: Given,
  tasks: readonly Through[],
  where: Surroundings,
): Promise<Removed> {
  const repository = await openRepository(given.path, where);
  const result: Removed = { removed: [], kept: [] };
  for (const one of tasks) {
    const path = worktreePath(given.path, one.task);
    if (kindAt(path) === 'absent') continue;
    try {
      const bytes = await bytesIn(path);
      await removeOne(repository, given, one, path);
      result.removed.push({ task: one.task, path, bytes });
    } catch (error) {
      result.kept.push({ task: one.task, path, why: failureOf(error).message });
    }
  }
  return result;
}

async function removeOne(
  repository: OpenedRepository,
  given: Given,
  one: Through,
  path: string,
): Promise<void> {
  const refuse = (why: string): never => {
    throw new WorktreeError('kept', why);
  };
  const linked = linkedAt(repository, path);
  if (linked === undefined) return refuse('it is no worktree of this repository');
  if (linked.locked !== null) return refuse('it is locked');
  if (!(await isMerged(repository, { ...one, repository: given }))) return refuse('its branch is not merged');
  const git = await repository.at(path, linked.gitDir);
  const head = await git.try(['symbolic-ref', '--quiet', '--short', 'HEAD']);
  if (head.stdout.toString().trim() !== one.branch) return refuse('another branch is checked out in it');
  const changed = await changedPaths(git);
  if (changed.length > 0)
    return refuse(`it has changes that are not committed: ${changed.slice(0, 5).join(', ')}`);
  const within = await repositoriesIn(git.folder, await git.ask(['ls-files', '-z', '--stage']));
  if (within !== undefined) return refuse(`there is a repository in it: ${within}`);
  // Forced once: git's own look would enter submodules. A lock it still minds.
  await repository.ask(['worktree', 'remove', '--force', path]);
}

/** A submodule that has something in it may have what nobody has committed. */
function repositoriesIn(folder: string, staged: string): string | undefined {
  const links = staged.split('\0').filter((line) => line.startsWith('160000 '));
  return links
    .map((line) => line.slice(line.indexOf('\t') + 1))
    .find((path) => {
      const at = join(folder, path);
      return lstatSync(at, { throwIfNoEntry: false })?.isDirectory() === true && readdirSync(at).length > 0;
    });
}

/** What a folder takes on the disk. No link is followed, and what is gone meanwhile counts nothing. */
export async function bytesIn(folder: string): Promise<number> {
  let sum = 0;
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    const sizes = entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      if (entry.isDirectory()) folders.push(path);
      const stats = await lstat(path).catch(() => null);
      return (stats?.blocks ?? 0) * 512;
    });
    for (const size of await Promise.all(sizes)) sum += size;
  }
  return sum;
}
