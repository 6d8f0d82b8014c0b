import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository as Given, MergeHow } from '../../core/contract/tasks/index.ts';
import type { MergeResult } from '../../core/tasks/index.ts';
import { baseBranch } from './base.ts';
import { WorktreeError } from './errors.ts';
import { linkedTo } from './linked.ts';
import { FOLDER } from './records.ts';
import {
  commitOf,
  failed,
  type Git,
  isIn,
  type OpenedRepository,
  openRepository,
  reasonOf,
  type Surroundings,
} from './repository.ts';
import { changedPaths } from './rescue.ts';

export interface Merging {
  task: string;
  title: string;
  branch: string;
  /** What was reviewed of it: this is merged, and only while the branch has nothing else. */
  commit: string;
  how: MergeHow;
  /** What the last agent said of it in short. */
  summary?: string | null;
  repository: Given;
}

/** For very many files. */
const CHECKOUT_MS = 600_000;

/** In the message of what merging makes, so that it is found again. */
const TRAILER = 'Planwright-Task';

export const refused = (code: string, message: string, conflicts: string[] = []): MergeResult => ({
  ok: false,
  commit: null,
  code,
  message,
  conflicts,
});
const done = (commit: string, message: string): MergeResult => ({
  ok: true,
  commit,
  code: null,
  message,
  conflicts: [],
});

/**
 * Merges a task's branch into its base. The merge is made in the object store, where nobody sees it, and then the base is
 * moved to it in one step, if it is still what it was. Where the base is checked out its files go with it, or, where
 * there are changes in them, nothing does. Throws a WorktreeError where git itself fails.
 */
export async function mergeBranch(merging: Merging, { env, signal }: Surroundings): Promise<MergeResult> {
  const { task, branch, commit: tip, how } = merging;
  // A git that is ended in the middle would leave files half changed: whoever wants to stop it is heard before that.
  const repository = await openRepository(merging.repository.path, { env });
  const into = await baseBranch(repository, merging.repository);
  if (into === null)
    return refused('no-base', 'no branch is checked out to merge into: give the project a base branch');
  const base = await commitOf(repository, `refs/heads/${into}`);
  if (base === null) return refused('no-base', `there is no branch ${into} here to merge into`);
  const before = await mergedBefore(repository, { task, tip, base });
  if (before !== null) return done(before, `${branch} is in ${into} already`);
  const moved = await movedSince(repository, branch, tip);
  if (moved !== null) return moved;

  const merged = await repository.try([
    'merge-tree',
    '--write-tree',
    '-z',
    '--name-only',
    '--no-messages',
    base,
    tip,
  ]);
  const [tree = '', ...conflicts] = merged.stdout
    .toString()
    .split('\0')
    .filter((part) => part !== '');
  if (merged.code === 1) {
    const files = [...new Set(conflicts)];
    return refused('conflict', `${branch} and ${into} change the same lines: ${files.join(', ')}`, files);
  }
  if (merged.code === 129)
    return refused('old-git', 'merging needs git 2.38 or newer: install it, or merge the branch yourself');
  if (merged.code !== 0) throw failed(['merge-tree'], merged);
  // Its files would be written into the worktrees of other tasks.
  if ((await repository.ask(['ls-tree', '--full-tree', tree, '--', FOLDER])) !== '')
    return refused(
      'in-the-way',
      `${branch} has files in ${FOLDER}, where worktrees of tasks are: remove them`,
    );
  if (tree === (await repository.ask(['rev-parse', `${base}^{tree}`])) && how === 'squash')
    return refused('no-changes', `${branch} changes nothing that ${into} does not have`);

  const parents = how === 'squash' ? ['-p', base] : ['-p', base, '-p', tip];
  const commit = await repository.ask(['commit-tree', tree, ...parents, '-F', '-'], {
    input: await messageOf(repository, merging, { tip, base, into }),
  });
  if (signal?.aborted === true) return refused('stopped', 'it was stopped before anything was changed');
  return (await moveBase(repository, { into, base, commit })) ?? done(commit, `${branch} is in ${into} now`);
}

/** Null where the branch is what was reviewed; otherwise what is said of it. */
export async function movedSince(git: Git, branch: string, seen: string): Promise<MergeResult | null> {
  const now = await commitOf(git, `refs/heads/${branch}`);
  if (now === null) return refused('no-branch', `the branch ${branch} is not there any more`);
  if (now === seen) return null;
  return refused(
    'moved-since',
    `${branch} is not what was reviewed: it was at ${seen.slice(0, 12)} and is at ${now.slice(0, 12)} now. Have it reviewed again`,
  );
}

interface Tips {
  task: string;
  tip: string;
  base: string;
}

/**
 * The commit that brought it in; null where it is not in. Only what the base itself was moved to says so, in a line of its
 * own: what agents write into their messages comes with their branches, or in a list of what was squashed.
 */
export async function mergedBefore(git: Git, { task, tip, base }: Tips): Promise<string | null> {
  const found = await git.ask([
    ...['log', '-1', '--format=%H', '--no-show-signature', '--first-parent', '--extended-regexp'],
    ...[`--grep=^${trailer(task, tip).replaceAll('.', '[.]')}$`, '--end-of-options', `${tip}..${base}`, '--'],
  ]);
  if (found !== '') return found;
  return (await isIn(git, tip, base)) ? base : null;
}

const trailer = (task: string, tip: string): string => `${TRAILER}: ${task} ${tip}`;

async function messageOf(
  git: Git,
  { task, title, branch, how }: Merging,
  { tip, base, into }: { tip: string; base: string; into: string },
): Promise<string> {
  const subject = title.split('\n')[0]!.trim() || task;
  if (how === 'merge') return `Merge ${branch} into ${into}: ${subject}\n\n${trailer(task, tip)}\n`;
  const made = await git.ask([
    'log',
    '--reverse',
    '--no-show-signature',
    '--format=- %s',
    '-n',
    '100',
    `${base}..${tip}`,
  ]);
  return `${subject}\n\n${made}\n\n${trailer(task, tip)}\n`;
}

interface Move {
  into: string;
  base: string;
  commit: string;
}

/** Null where it was moved; otherwise why not, and nothing was. */
async function moveBase(
  repository: OpenedRepository,
  { into, base, commit }: Move,
): Promise<MergeResult | null> {
  const ref = `refs/heads/${into}`;
  const checkout = await checkoutOf(repository, ref);
  if (checkout === 'busy')
    return refused('busy', `${into} is in the middle of a rebase or a bisection: end that first`);
  if (checkout === null) {
    const args = ['update-ref', '-m', 'planwright: merge', ref, commit, base];
    const ended = await repository.try(args);
    return ended.code === 0 ? null : refused('moved', `${into} was moved meanwhile: ${reasonOf(ended)}`);
  }
  const changed = (await changedPaths(checkout, 'no')).slice(0, 10);
  if (changed.length > 0)
    return refused(
      'dirty',
      `${into} is checked out in ${checkout.folder} with changes that are not committed (${changed.join(', ')}): commit or stash them, then merge again`,
    );
  const ended = await checkout.try(
    // What git does not track is nobody else's to write over, ignored or not: a branch may have it by force.
    [
      ...['merge', '--quiet', '--ff-only', '--no-autostash', '--no-verify', '--no-stat'],
      ...['--no-overwrite-ignore', commit],
    ],
    { timeoutMs: CHECKOUT_MS },
  );
  if (ended.code === 0) return null;
  if ((await commitOf(repository, ref)) === commit) return null;
  // The files that are in its way, each on a line of its own.
  const named = [...ended.stderr.matchAll(/^\t(.+)$/gm)].slice(0, 10).map(([, path]) => ` ${path}`);
  const why = `${reasonOf(ended)}${named.join(',')}`;
  return refused('refused', `git did not move ${into} in ${checkout.folder}: ${why}`);
}

/** The worktree that has the branch, if one does. */
async function checkoutOf(repository: OpenedRepository, ref: string): Promise<Git | 'busy' | null> {
  const main = repository.common.endsWith('/.git')
    ? [{ path: repository.common.slice(0, -'/.git'.length), gitDir: repository.common }]
    : [];
  for (const { path, gitDir } of [...main, ...linkedTo(repository)]) {
    if (!existsSync(path)) continue;
    if (isUnderWay(gitDir, ref)) return 'busy';
    const git = await repository.at(path, gitDir);
    const head = await git.try(['symbolic-ref', '--quiet', 'HEAD']);
    if (head.stdout.toString().trim() === ref) return git;
  }
  return null;
}

/** A rebase or a bisection leaves the branch while it lasts, and comes back to it. */
function isUnderWay(gitDir: string, ref: string): boolean {
  const named = (file: string): string => {
    try {
      return readFileSync(join(gitDir, file), 'utf8').trim();
    } catch {
      return '';
    }
  };
  const isRebased = ['rebase-merge', 'rebase-apply'].some((folder) => named(`${folder}/head-name`) === ref);
  return isRebased || (named('BISECT_START') !== '' && `refs/heads/${named('BISECT_START')}` === ref);
}

/** Whether a branch may be taken for merged; a WorktreeError where nobody can tell. */
export async function isMerged(
  repository: OpenedRepository,
  merging: Pick<Merging, 'task' | 'branch' | 'repository'>,
): Promise<boolean> {
  const into = await baseBranch(repository, merging.repository);
  const tip = await commitOf(repository, `refs/heads/${merging.branch}`);
  const base = into === null ? null : await commitOf(repository, `refs/heads/${into}`);
  if (base === null) throw new WorktreeError('no-base', 'there is no base branch to compare it with');
  if (tip === null) return true;
  return (await mergedBefore(repository, { task: merging.task, tip, base })) !== null;
}
