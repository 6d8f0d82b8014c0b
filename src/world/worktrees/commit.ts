import type { AgentRunState } from '../../core/contract/tasks/index.ts';
import { WorktreeError } from './errors.ts';
import { branchFor, linkedAt, worktreePath } from './linked.ts';
import { commitOf, type Git, openRepository, type Surroundings } from './repository.ts';
import { changedPaths, stage } from './rescue.ts';

/** The top of the repository that the folder is in; null where it is in none. */
export async function topOf(folder: string, where: Surroundings): Promise<string | null> {
  try {
    return (await openRepository(folder, where)).folder;
  } catch {
    return null;
  }
}

/**
 * Commits what lies in the worktree of an agent run and is not ignored, on its branch. Resolves with the commit, or null
 * where there is nothing. Throws a WorktreeError where git cannot do it, or where another branch is checked out: whoever
 * works there can say that it is the base, which would be moved then.
 */
export async function commitLeft(
  { begun }: Pick<AgentRunState, 'begun'>,
  message: string,
  where: Surroundings,
): Promise<string | null> {
  if (begun === null) return null;
  const { path } = begun.given.repository;
  const repository = await openRepository(path, where);
  const linked = linkedAt(repository, worktreePath(path, begun.task));
  if (linked === undefined) return null;
  const git = await repository.at(linked.path, linked.gitDir);
  return commitAll(git, branchFor(begun.task, begun.mode, begun.given), message);
}

/** Commits what lies in the folder on the branch that has to be checked out there. */
export async function commitAll(git: Git, branch: string, message: string): Promise<string | null> {
  const paths = await changedPaths(git);
  const head = await commitOf(git, 'HEAD');
  if (paths.length === 0 || head === null) return null;
  const on = (await git.try(['symbolic-ref', '--quiet', 'HEAD'])).stdout.toString().trim();
  if (on !== `refs/heads/${branch}`)
    throw new WorktreeError('elsewhere', `${branch} is not checked out in ${git.folder} any more`);
  // Not by `git commit`, which would look into submodules.
  const tree = await stage(git, paths);
  if (tree === (await git.ask(['rev-parse', `${head}^{tree}`]))) return null;
  const commit = await git.ask(['commit-tree', tree, '-p', head, '-F', '-'], { input: message });
  await git.ask(['update-ref', '-m', 'planwright: commit', 'HEAD', commit, head]);
  return commit;
}
