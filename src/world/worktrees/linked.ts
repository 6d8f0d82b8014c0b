import { lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { AgentGiven, AgentMode } from '../../core/contract/tasks/index.ts';
import { WorktreeError } from './errors.ts';
import { FOLDER, kindAt, textOf } from './records.ts';
import type { OpenedRepository } from './repository.ts';

/** A worktree as the repository knows it, whatever is at its path. */
export interface Linked {
  path: string;
  /** Its part of the repository's git folder. */
  gitDir: string;
  /** Why it is locked; null where it is not. */
  locked: string | null;
}

/** All that are linked to the repository: its own records, not what the folders say about themselves. */
export function linkedTo({ common }: Pick<OpenedRepository, 'common'>): Linked[] {
  const root = join(common, 'worktrees');
  const names = kindAt(root) === 'folder' ? readdirSync(root) : [];
  return names.flatMap((name) => {
    const gitDir = join(root, name);
    const gitFile = textOf(join(gitDir, 'gitdir'));
    const whose = textOf(join(gitDir, 'commondir'));
    if (gitFile === null || whose === null || resolve(gitDir, whose) !== common) return [];
    return [{ path: dirname(resolve(gitDir, gitFile)), gitDir, locked: textOf(join(gitDir, 'locked')) }];
  });
}

export const linkedAt = (repository: OpenedRepository, path: string): Linked | undefined =>
  linkedTo(repository).find((one) => one.path === path);

/** A task's name is part of a path and of a ref. */
export function checkName(task: string): void {
  if (!/^[A-Za-z0-9][\w.-]*$/.test(task) || /\.\.|\.$|\.lock$/.test(task))
    throw new WorktreeError(
      'bad-name',
      `${JSON.stringify(task)} cannot be the name of a folder and a branch`,
    );
}

/** The task's branch: the one that it has, or the one that this mode begins. */
export const branchFor = (
  task: string,
  mode: AgentMode,
  { repository }: Pick<AgentGiven, 'repository'>,
): string => repository.branch ?? `task/${task}/${mode}`;

/** The folder for worktrees, whose content git does not see. Throws where somebody put something else in its place. */
export function worktreesFolder(project: string): string {
  const folder = join(realpathSync(project), FOLDER);
  mkdirSync(folder, { recursive: true });
  if (kindAt(folder) !== 'folder')
    throw new WorktreeError('folder-taken', `${folder} is no folder: remove it, worktrees of tasks go there`);
  const ignore = join(folder, '.gitignore');
  try {
    writeFileSync(ignore, '*\n', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return folder;
}

/** The project's, without making anything. */
export const worktreePath = (project: string, task: string): string =>
  join(realpathSync(project), FOLDER, task);

/**
 * The task's worktree, if it is there. What was moved with the repository is connected again; what was removed by hand is
 * forgotten. Throws where something else is in its place.
 */
export async function findWorktree(repository: OpenedRepository, path: string): Promise<Linked | null> {
  const kind = kindAt(path);
  if (kind === 'other') throw taken(path);
  const linked = linkedAt(repository, path);
  if (kind === 'absent') {
    if (linked !== undefined) await repository.ask(['worktree', 'remove', '--force', '--force', path]);
    return null;
  }
  if (linked !== undefined && gitFileOf(path) === linked.gitDir) return linked;
  if (kindAt(join(path, '.git')) === 'folder') throw taken(path);
  if (linked !== undefined) {
    // By hand: git's own repair would believe what it says.
    rmSync(join(path, '.git'), { force: true });
    writeFileSync(join(path, '.git'), `gitdir: ${linked.gitDir}\n`, { flag: 'wx' });
    return linked;
  }
  if (readdirSync(path).length === 0) return null;
  if (!wasHere(repository, path)) throw taken(path);
  await repository.ask(['worktree', 'repair', path]);
  const repaired = linkedAt(repository, path);
  if (repaired === undefined || gitFileOf(path) !== repaired.gitDir) throw taken(path);
  return repaired;
}

/** Where its `.git` says that it belongs. Whoever works there can write that. */
function gitFileOf(path: string): string | null {
  const file = join(path, '.git');
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const named = /^gitdir: (.+)$/.exec(textOf(file) ?? '')?.[1];
  return named === undefined ? null : resolve(path, named);
}

/** Its own record is still there under the old path. Only then: it could name the record of another one. */
function wasHere(repository: OpenedRepository, path: string): boolean {
  const named = basename(gitFileOf(path) ?? '');
  const before = linkedTo(repository).find(({ gitDir }) => basename(gitDir) === named);
  const tail = (folder: string): string => join(basename(dirname(folder)), basename(folder));
  return before !== undefined && kindAt(before.path) === 'absent' && tail(before.path) === tail(path);
}

const taken = (path: string): WorktreeError =>
  new WorktreeError('folder-taken', `${path} is there and is no worktree of this repository: move it away`);
