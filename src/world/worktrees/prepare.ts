import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentGiven, AgentMode } from '../../core/contract/tasks/index.ts';
import { sizeText } from '../../core/contract/told/index.ts';
import type { Prepared } from '../../core/tasks/index.ts';
import { findBase } from './base.ts';
import { WorktreeError } from './errors.ts';
import { includeFiles } from './include.ts';
import {
  branchFor,
  checkName,
  findWorktree,
  type Linked,
  linkedAt,
  worktreePath,
  worktreesFolder,
} from './linked.ts';
import { lockFor, lockReason } from './locks.ts';
import { recordRefs } from './refs.ts';
import {
  commitOf,
  type Git,
  isIn,
  type OpenedRepository,
  openRepository,
  reasonOf,
  type Surroundings,
} from './repository.ts';
import { rescue } from './rescue.ts';

export interface Wanted {
  run: string;
  task: string;
  mode: AgentMode;
  given: Pick<AgentGiven, 'repository' | 'setupCommands'>;
}

export interface Preparing extends Surroundings {
  /** Whether this agent run has not ended: then its worktree is its own. */
  isAtWork(run: string): Promise<boolean>;
  /** Whether files of the project may say what is copied into its worktrees. */
  isTrusted(project: string): Promise<boolean>;
  /** Where it is noted what all refs were, which no agent sees. */
  dir: string;
}

/** For a checkout of very many files. */
const CHECKOUT_MS = 600_000;

type Worktree = Extract<Prepared, { ok: true }>['worktree'];

/**
 * A worktree for an agent run, locked for it.
 *
 *   fetch ─▶ base ─▶ there? ─no──▶ add, on the task's branch ─┐
 *                      └─yes─▶ lock ─▶ rescue ─▶ clean ───────┴─▶ rebase ─▶ include, until it is set up ─▶ prepared
 *
 * May be done again after a crash at any point: what was made is found. Throws a WorktreeError.
 */
export async function prepareWorktree(wanted: Wanted, around: Preparing): Promise<Worktree> {
  const { run, task, mode, given } = wanted;
  const { path: project, branch: before } = given.repository;
  checkName(task);
  const repository = await openRepository(project, around);
  const base = await findBase(repository, given.repository);
  worktreesFolder(project);
  const path = worktreePath(project, task);
  const branch = branchFor(task, mode, given);
  const warnings = [...base.warnings, ...filtersLeftOut(repository)];
  const hadBranch = (await commitOf(repository, `refs/heads/${branch}`)) !== null;
  if (before !== null && !hadBranch) warnings.push(`the branch ${branch} was gone: it was begun again`);

  const found = await findWorktree(repository, path);
  let rescued: string | null = null;
  if (found === null) await add(repository, { path, run, branch, from: hadBranch ? null : base.commit });
  else {
    await lockFor(run, found, repository, around.isAtWork);
    const git = await repository.at(path, found.gitDir);
    // One that never got its files has nothing to lose, and would seem to have lost everything.
    if (existsSync(join(found.gitDir, 'index')) || isSetUp(found)) rescued = await rescue(git, task);
    await clean(git, branch, base.commit);
  }
  const linked = linkedAt(repository, path);
  if (linked === undefined) throw new WorktreeError('git-failed', `git made no worktree at ${path}`);
  const git = await repository.at(path, linked.gitDir);
  if (hadBranch) warnings.push(...(await rebase(git, base.commit)));
  const isNew = !isSetUp(linked);
  if (isNew && (await around.isTrusted(project)))
    warnings.push(...(await includeFiles(repository, path, base.commit)).map((why) => `not copied: ${why}`));
  if (given.setupCommands.length === 0) noteSetUp(linked);
  await recordRefs(repository, around.dir, run);
  const head = (await commitOf(git, 'HEAD')) ?? base.commit;
  return { path, branch, base: base.commit, head, isNew, rescued, warnings };
}

const marker = ({ gitDir }: Linked): string => join(gitDir, 'planwright-set-up');

/** Until it is, it is new: a crash, or a set-up that failed, leaves it so. */
const isSetUp = (linked: Linked): boolean => existsSync(marker(linked));
export const noteSetUp = (linked: Linked): void => writeFileSync(marker(linked), '');

const filtersLeftOut = ({ dropped }: OpenedRepository): string[] => {
  const filters = dropped.filter((key) => /^filter\./i.test(key));
  return filters.length === 0
    ? []
    : [
        `files are as git keeps them: ${filters.join(', ')} of the repository's configuration would run a program`,
      ];
};

interface Adding {
  path: string;
  run: string;
  branch: string;
  /** Where the branch is begun; null where it is there. */
  from: string | null;
}

/** In steps that can each be done again, should another git make a worktree at the same moment. */
async function add(repository: OpenedRepository, { path, run, branch, from }: Adding): Promise<void> {
  if (from !== null) {
    const none = '0'.repeat(from.length);
    await repository.ask(['update-ref', '-m', 'planwright: begin', `refs/heads/${branch}`, from, none]);
  }
  const args = ['worktree', 'add', '--no-checkout', '--lock', '--reason', lockReason(run), path, branch];
  const ended = await repository.try(args);
  if (ended.code !== 0) {
    if (/already (?:checked out|used)/.test(ended.stderr))
      throw new WorktreeError(
        'branch-in-use',
        `the branch ${branch} is checked out elsewhere: leave it there by git switch, and begin again`,
      );
    throw new WorktreeError('git-failed', `the worktree could not be made: ${reasonOf(ended)}`);
  }
  const linked = linkedAt(repository, path);
  if (linked === undefined) throw new WorktreeError('git-failed', `git made no worktree at ${path}`);
  const git = await repository.at(path, linked.gitDir);
  const filled = await git.try(['reset', '--quiet', '--hard'], { timeoutMs: CHECKOUT_MS });
  if (filled.code !== 0)
    throw new WorktreeError(
      'git-failed',
      `its files could not be written: ${reasonOf(filled)}${roomAt(path)}`,
    );
}

const LITTLE = 100_000_000;

/** Git does not say why a file could not be written: how much room there is, where it is little. */
function roomAt(path: string): string {
  try {
    const { bavail, bsize } = statfsSync(path);
    const free = bavail * bsize;
    return free < LITTLE ? ` (${sizeText(free)} are free on this disk)` : '';
  } catch {
    return '';
  }
}

/** What git leaves in a worktree's part of the repository while something is under way, and how one leaves that. */
const underWay: Readonly<Record<string, readonly string[]>> = {
  'rebase-merge': ['rebase', '--quit'],
  'rebase-apply': ['rebase', '--quit'],
  'rebase-apply/applying': ['am', '--quit'],
  sequencer: ['cherry-pick', '--quit'],
};

/** On the task's branch, with nothing that is not committed; ignored files and repositories within stay. */
async function clean(git: Git, branch: string, base: string): Promise<void> {
  // Of a git that was ended: whoever had the worktree before is gone.
  for (const lock of ['index.lock', 'HEAD.lock']) rmSync(join(git.gitDir, lock), { force: true });
  for (const [name, args] of Object.entries(underWay))
    if (existsSync(join(git.gitDir, name))) await git.try(args);
  const ref = `refs/heads/${branch}`;
  const on = (await git.try(['symbolic-ref', '--quiet', 'HEAD'])).stdout.toString().trim();
  const isThere = (await commitOf(git, ref)) !== null;
  if (on === ref && isThere) await git.ask(['reset', '--quiet', '--hard']);
  else
    await git.ask([
      'checkout',
      '--quiet',
      '--force',
      ...(isThere ? [branch] : ['--no-track', '-B', branch, base]),
      '--',
    ]);
  await git.ask(['clean', '--quiet', '-fd']);
}

/** A rebase that does not work out is taken back, and told. Merges stay: it would leave out what was done in them. */
async function rebase(git: Git, base: string): Promise<string[]> {
  if (await isIn(git, base, 'HEAD')) return [];
  const stays = (why: string): string[] => [
    `the branch could not be put on top of its base, and stays where it was: ${why}`,
  ];
  if ((await git.ask(['rev-list', '--merges', '-n', '1', `${base}..HEAD`])) !== '')
    return stays('there are merges in it');
  const args = [
    'rebase',
    '--quiet',
    '--no-verify',
    '--no-autostash',
    '--no-autosquash',
    '--no-stat',
    '--no-fork-point',
  ];
  const ended = await git.try([...args, base], { timeoutMs: CHECKOUT_MS });
  if (ended.code === 0) return [];
  const conflicts = await git.try(['diff', '--name-only', '--diff-filter=U', '-z', '--no-ext-diff']);
  const files = conflicts.stdout
    .toString()
    .split('\0')
    .filter((name) => name !== '');
  await git.try(['rebase', '--abort']);
  return stays(files.length === 0 ? reasonOf(ended) : `conflicts in ${files.slice(0, 20).join(', ')}`);
}
