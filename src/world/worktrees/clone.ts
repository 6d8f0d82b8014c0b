import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitAll } from './commit.ts';
import { WorktreeError } from './errors.ts';
import { linkedAt, worktreePath } from './linked.ts';
import { kindAt } from './records.ts';
import {
  commitOf,
  failed,
  isIn,
  type OpenedRepository,
  openRepository,
  type Surroundings,
} from './repository.ts';
import { keep } from './rescue.ts';

/** Of which task, and in which project. */
export interface Cloned {
  project: string;
  task: string;
  branch: string;
  /** The commit that the work is compared with. */
  base: string;
}

/**
 * A repository of its own for an agent that cannot be gated: a linked worktree would let it write to the person's. It
 * reads the objects that are there by `alternates` and adds its own beside them; it has the task's branch and `base`.
 * What was there before under this name is removed: its work has been fetched. Throws a WorktreeError.
 */
export async function makeClone(
  { project, task, branch, base }: Cloned,
  where: Surroundings,
): Promise<string> {
  const repository = await openRepository(project, where);
  const tip = await commitOf(repository, `refs/heads/${branch}`);
  if (tip === null) throw new WorktreeError('no-branch', `the branch ${branch} is not there any more`);
  const path = clonePath(project, task);
  if (kindAt(path) === 'other') throw new WorktreeError('folder-taken', `${path} is no folder: remove it`);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  const git = await repository.at(path, join(path, '.git'));
  const format = await repository.ask(['rev-parse', '--show-object-format']);
  await git.ask(['init', '--quiet', '--template=', `--object-format=${format}`]);
  writeFileSync(alternates(path), borrowed(repository));
  await git.ask(['update-ref', `refs/heads/${branch}`, tip]);
  await git.ask(['update-ref', 'refs/heads/base', base]).catch(() => '');
  await git.ask(['symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
  for (const key of ['user.name', 'user.email'])
    await git.ask(['config', '--local', key, await repository.ask(['config', '--get', key])]);
  await git.ask(['reset', '--quiet', '--hard'], { timeoutMs: 600_000 });
  return path;
}

const clonePath = (project: string, task: string): string => `${worktreePath(project, task)}.clone`;
const alternates = (clone: string): string => join(clone, '.git/objects/info/alternates');
const borrowed = ({ common }: OpenedRepository): string => `${join(common, 'objects')}\n`;

/**
 * Commits what lies in a private clone and is not ignored, by our own git. Resolves with the commit, or null where there is
 * nothing. Throws a WorktreeError.
 */
export async function commitInClone(
  { project, task, branch }: Cloned,
  message: string,
  where: Surroundings,
): Promise<string | null> {
  const repository = await openRepository(project, where);
  const path = checkedClone(project, task);
  return commitAll(await repository.at(path, join(path, '.git')), branch, message);
}

/** Where the clone is. Throws a WorktreeError where something else is in its place. */
function checkedClone(project: string, task: string): string {
  const path = clonePath(project, task);
  if (kindAt(join(path, '.git')) !== 'folder' || kindAt(join(path, '.git/objects')) !== 'folder')
    throw new WorktreeError('no-clone', `${path} is no private clone any more`);
  return path;
}

/**
 * Takes the task's branch out of a private clone, and nothing else: no other ref is read, no configuration of the clone
 * counts, and its objects are checked on the way. The branch here moves forward only, with the worktree's files. Resolves
 * with the commit that it has then. Throws a WorktreeError, and then nothing has moved.
 */
export async function fetchFromClone(
  { project, task, branch }: Cloned,
  where: Surroundings,
): Promise<string> {
  const repository = await openRepository(project, where);
  const path = checkedClone(project, task);
  // What else it would borrow from, the sandbox may have kept from it.
  if (readText(alternates(path)) !== borrowed(repository))
    throw new WorktreeError('changed', `${path} takes its objects from elsewhere than it was told to`);
  const ref = `refs/heads/${branch}`;
  const [theirs, ours] = [
    await commitOf(await repository.at(path, join(path, '.git')), ref),
    await commitOf(repository, ref),
  ];
  if (theirs === null) throw new WorktreeError('no-branch', `${branch} is not in ${path} any more`);
  if (ours === null) throw new WorktreeError('no-branch', `the branch ${branch} is not there any more`);
  if (theirs === ours) return ours;
  await takeObjects(repository, path, [theirs, `^${ours}`]);
  if (!(await isIn(repository, ours, theirs))) {
    const kept = await keep(repository, task, theirs);
    throw new WorktreeError(
      'not-forward',
      `${branch} was rewritten and has not what it was begun with: what it became is kept as ${kept}`,
    );
  }
  const linked = linkedAt(repository, worktreePath(project, task));
  const args =
    linked === undefined
      ? ['update-ref', '-m', 'planwright: from a private clone', ref, theirs, ours]
      : ['merge', '--quiet', '--ff-only', '--no-verify', '--no-stat', theirs];
  const git = linked === undefined ? repository : await repository.at(linked.path, linked.gitDir);
  await git.ask(args);
  return theirs;
}

const MAX_PACK = 1024 * 1024 * 1024;

/** Packed by our own git, which looks into the clone's objects only; unpacked with every check. */
async function takeObjects(
  repository: OpenedRepository,
  clone: string,
  range: readonly string[],
): Promise<void> {
  const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(clone, '.git/objects')) };
  const args = ['pack-objects', '--revs', '--stdout', '--quiet', '--thin', '--delta-base-offset'];
  const pack = await repository.try(args, { env, input: `${range.join('\n')}\n`, maxBytes: MAX_PACK });
  if (pack.code !== 0) throw failed(args, pack);
  const unpacking = ['index-pack', '--stdin', '--fix-thin', '--strict'];
  const unpacked = await repository.try(unpacking, { input: pack.stdout });
  if (unpacked.code !== 0) throw failed(unpacking, unpacked);
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Removes a clone whose work has been taken. */
export const removeClone = (project: string, task: string): void =>
  rmSync(clonePath(project, task), { recursive: true, force: true });
