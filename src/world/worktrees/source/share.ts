import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isSecretFile } from '../../../core/risk/index.ts';
import { WorktreeError } from '../errors.ts';
import { patternsIn } from '../include.ts';
import { linkedAt, worktreePath } from '../linked.ts';
import { commitOf, type Git, type OpenedRepository, openRepository, reasonOf } from '../repository.ts';
import { commitOfLeft, keep } from '../rescue.ts';
import { mustAllow, readAddress } from './address.ts';
import { packed } from './carry.ts';
import { makeFolder } from './folder.ts';
import { type Caching, mirrorWith, only, type Reaching, resolveSource } from './mirror.ts';

/** A task as it lies in a project's folder on this machine. */
export interface Shared {
  project: string;
  task: string;
  branch: string;
  base: string;
  url: string;
}

const PUSH_MS = 10 * 60_000;
/** What others have of a task's branch, as this repository last knew it. */
const pushedRef = (task: string): string => `refs/planwright/pushed/${task}`;

/**
 * Pushes what is committed on a task's branch to where others clone the project from, and nothing else. Not where a commit of it has
 * a file that holds secrets, or that was copied into the worktree: resolves with why. Throws a WorktreeError where git cannot be asked.
 */
export async function shareBranch(
  { project, task, branch, base, url }: Shared,
  around: Reaching,
): Promise<{ pushed: string } | { warning: string } | null> {
  const repository = await openRepository(project, around);
  const address = readAddress(url);
  mustAllow(address, around.protocols);
  const ref = `refs/heads/${branch}`;
  const commit = await commitOf(repository, ref);
  if (commit === null || commit === base) return null;
  const before = await commitOf(repository, pushedRef(task));
  if (before === commit) return { pushed: commit };
  const kept = await neverShared(repository, base, commit);
  if (kept !== undefined)
    return { warning: `${branch} was not pushed: ${kept} is in it, and is for nobody else` };
  const ended = await repository.try(
    [
      ...['push', '--quiet', '--no-verify', '--no-follow-tags', '--recurse-submodules=no'],
      // Where it is there and not what we put there, somebody else works on it.
      ...['--receive-pack=git-receive-pack', `--force-with-lease=${ref}:${before ?? ''}`],
      ...['--end-of-options', address.url, `${commit}:${ref}`],
    ],
    { timeoutMs: PUSH_MS, env: only(around.protocols) },
  );
  if (ended.code !== 0) return { warning: `${branch} was not pushed to ${url}: ${reasonOf(ended)}` };
  await repository.ask(['update-ref', pushedRef(task), commit]);
  return { pushed: commit };
}

/** A path of any commit since the base, gone again or not, that is not for others. */
async function neverShared(git: OpenedRepository, base: string, commit: string): Promise<string | undefined> {
  const listed = await git.ask([
    'log',
    '-z',
    '--format=',
    '--name-only',
    '--no-renames',
    '-m',
    `${base}..${commit}`,
  ]);
  const paths = [...new Set(listed.split('\0').map((path) => path.replace(/^\n/, '')))].filter(
    (path) => path !== '',
  );
  const secret = paths.find((path) => isSecretFile(join(git.folder, path), git.folder));
  const patterns = await patternsIn(git, base);
  if (secret !== undefined || patterns.length === 0 || paths.length === 0) return secret;
  const folder = mkdtempSync(join(tmpdir(), 'planwright-share-'));
  try {
    const env = { GIT_INDEX_FILE: join(folder, 'index') };
    const blob = await git.ask(['hash-object', '-w', '--stdin'], { input: '' });
    const input = paths.map((path) => `100644 ${blob}\t${path}\0`).join('');
    await git.ask(['update-index', '-z', '--index-info'], { env, input });
    const excludes = patterns.map((pattern) => `--exclude=${pattern}`);
    const included = await git.ask(['ls-files', '-z', '--cached', '--ignored', ...excludes], { env });
    return included.split('\0').find((path) => path !== '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What lies in a task's worktree and is not committed, ignored files left out; null where there is nothing. Changes nothing. */
export async function packLeft(
  { project, task, base }: Omit<Shared, 'branch' | 'url'>,
  around: Reaching,
): Promise<{ commit: string; bytes: Buffer } | null> {
  const repository = await openRepository(project, around);
  const linked = linkedAt(repository, worktreePath(project, task));
  if (linked === undefined) return null;
  const git = await repository.at(linked.path, linked.gitDir);
  const commit = await commitOfLeft(git);
  // With all of its branch: what could not be pushed is not lost either.
  return commit === null ? null : { commit, bytes: await packed(git, [commit, `^${base}`]) };
}

export interface WantedTask {
  task: string;
  url: string;
  baseBranch: string | undefined;
  branch: string | null;
  /** What was not committed, as `packLeft` made it elsewhere. */
  left: { commit: string; bytes: Uint8Array } | null;
}

/**
 * The folder of a project on this machine, for one task: with its branch as it was pushed, and what was left uncommitted under a rescue
 * ref. Throws a WorktreeError.
 */
export async function makeProject(
  { task, url, baseBranch, branch, left }: WantedTask,
  around: Caching,
): Promise<string> {
  const source = await resolveSource(baseBranch === undefined ? url : `${url}#${baseBranch}`, around);
  const folder = await makeFolder(
    { run: task, source, carried: null, parcel: async () => new Uint8Array() },
    around,
  );
  try {
    const repository = await openRepository(folder, around);
    if (branch !== null) await takeBranch(repository, task, `${url}#${branch}`, branch, around);
    if (left !== null) {
      const unpacking = ['index-pack', '--stdin', '--fix-thin', '--strict'];
      await repository.ask(unpacking, { input: Buffer.from(left.bytes) });
      await keep(repository, task, left.commit);
    }
    return folder;
  } catch (error) {
    // Nobody has worked in it: left there, each try would put the one before it aside.
    rmSync(dirname(folder), { recursive: true, force: true });
    throw error;
  }
}

/** A branch that nobody has pushed is begun anew. */
async function takeBranch(
  git: Git,
  task: string,
  address: string,
  branch: string,
  around: Caching,
): Promise<void> {
  const pushed = await resolveSource(address, around).catch((error: unknown) => {
    if (error instanceof WorktreeError && error.code === 'bad-source') return null;
    throw error;
  });
  if (pushed === null) return;
  await mirrorWith(pushed, around);
  await git.ask(['update-ref', `refs/heads/${branch}`, pushed.commit]);
  await git.ask(['update-ref', pushedRef(task), pushed.commit]);
}
