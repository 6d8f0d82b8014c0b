import { copyFileSync, existsSync, lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitOf, failed, type Git } from './repository.ts';

/** For what nobody thought of ignoring. */
const STAGING_MS = 600_000;

/** Under which a task's rescued work is kept. */
export const rescueFolder = (task: string): string => `refs/planwright/rescue/${task}`;

/** Keeps a commit under a ref of its own, which nobody else has, and names it. */
export async function keep(git: Git, task: string, commit: string): Promise<string> {
  const folder = rescueFolder(task);
  for (;;) {
    const refs = await git.ask(['for-each-ref', '--format=%(refname)', `${folder}/`]);
    const numbers = refs.split('\n').map((ref) => Number(ref.slice(ref.lastIndexOf('/') + 1)));
    const ref = `${folder}/${Math.max(0, ...numbers) + 1}`;
    const args = ['update-ref', '--no-deref', ref, commit, '0'.repeat(commit.length)];
    const ended = await git.try(args);
    if (ended.code === 0) return ref;
    if ((await commitOf(git, ref)) === null) throw failed(args, ended);
  }
}

/**
 * Paths that differ from what is committed, untracked ones too. Submodules are not entered: git would read their
 * configuration, and run what it says. A repository within the folder ends with a slash.
 */
export async function changedPaths(git: Git, untracked: 'all' | 'no' = 'all'): Promise<string[]> {
  const args = ['status', '--porcelain', '-z', `--untracked-files=${untracked}`, '--ignore-submodules=dirty'];
  const parts = (await git.ask(args)).split('\0');
  const paths: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const line = parts[at]!;
    if (line === '') continue;
    paths.push(line.slice(3));
    // Renamed or copied: what it was called before comes next.
    if (/^[RC]|^.[RC]/.test(line)) paths.push(parts[(at += 1)] ?? '');
  }
  return paths;
}

/**
 * Keeps what is in a worktree and nowhere else: what is not committed, untracked files too, and commits that nothing
 * names. Resolves with the ref, or null where there is nothing. Changes nothing in the worktree.
 */
export async function rescue(git: Git, task: string): Promise<string | null> {
  const head = await commitOf(git, 'HEAD');
  const commit = await commitOfLeft(git);
  if (commit !== null) return keep(git, task, commit);
  if (head === null) return null;
  const holding = await git.ask(['for-each-ref', '--count=1', '--format=%(refname)', '--contains', head]);
  return holding === '' ? keep(git, task, head) : null;
}

/** What is not committed, untracked files too, as a commit that nothing names; null where there is nothing. */
export async function commitOfLeft(git: Git): Promise<string | null> {
  const paths = await changedPaths(git);
  return paths.length === 0 ? null : commitAll(git, await commitOf(git, 'HEAD'), paths);
}

/** A pipe, a socket or a device has no content that git could keep, and reading one may never end. */
function isSpecial(path: string): boolean {
  try {
    const stats = lstatSync(path);
    return !(stats.isFile() || stats.isSymbolicLink() || stats.isDirectory());
  } catch {
    return false;
  }
}

/**
 * Puts these paths into an index as they are, and resolves with its tree. Repositories within are left out; where a pipe
 * or the like has taken a file's place, the file is gone.
 */
export async function stage(
  git: Git,
  paths: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const files = paths.filter((path) => !path.endsWith('/'));
  const gone = new Set(files.filter((path) => isSpecial(join(git.folder, path))));
  const update = (how: readonly string[], some: readonly string[]) =>
    git.ask(['update-index', ...how, '-z', '--stdin'], {
      env,
      input: some.map((path) => `${path}\0`).join(''),
      timeoutMs: STAGING_MS,
    });
  if (gone.size > 0) await update(['--force-remove'], [...gone]);
  await update(
    ['--add', '--remove', '--replace'],
    files.filter((path) => !gone.has(path)),
  );
  return git.ask(['write-tree'], { env });
}

/**
 * As a stash does: what is in the folder, on what it was made from; what was staged otherwise is a parent of it. Null
 * where that comes to the same as what is committed.
 */
async function commitAll(git: Git, head: string | null, paths: readonly string[]): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'planwright-rescue-'));
  try {
    const index = join(folder, 'index');
    if (existsSync(join(git.gitDir, 'index'))) copyFileSync(join(git.gitDir, 'index'), index);
    const env = { GIT_INDEX_FILE: index };
    const staged = await git.try(['write-tree'], { env });
    const tree = await stage(git, paths, env);
    const committed = head === null ? null : await git.ask(['rev-parse', `${head}^{tree}`]);
    const stagedTree = staged.code === 0 ? staged.stdout.toString().trim() : tree;
    const parents = head === null ? [] : ['-p', head];
    if (stagedTree !== tree && stagedTree !== committed)
      parents.push('-p', await git.ask(['commit-tree', stagedTree, ...parents, '-m', 'what was staged']));
    else if (tree === committed) return null;
    return await git.ask(['commit-tree', tree, ...parents, '-m', 'what was not committed']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
