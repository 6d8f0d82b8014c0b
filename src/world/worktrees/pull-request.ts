import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { TaskState } from '../../core/contract/tasks/index.ts';
import type { MergeResult } from '../../core/tasks/index.ts';
import { helperEnvironment } from '../process/environment.ts';
import { baseBranch } from './base.ts';
import { type Merging, movedSince, refused } from './merge.ts';
import { openRepository, reasonOf, type Surroundings } from './repository.ts';

const PUSH_MS = 300_000;
const GH_MS = 120_000;

interface GhEnd {
  code: number | 'missing';
  stdout: string;
  stderr: string;
}

/**
 * GitHub's own program, from the PATH, with the person's login. It is told the repository by its address and started
 * outside of it: what a repository's configuration says is not its business.
 */
const gh = (args: readonly string[], { env, signal }: Surroundings, input = ''): Promise<GhEnd> =>
  new Promise((resolve) => {
    const options = {
      cwd: tmpdir(),
      env: helperEnvironment(env),
      timeout: GH_MS,
      maxBuffer: 1 << 20,
      signal,
    };
    const child = execFile('gh', [...args], options, (error, stdout, stderr) => {
      const { code } = (error ?? { code: 0 }) as { code?: string | number | null };
      resolve({ code: code === 'ENOENT' ? 'missing' : typeof code === 'number' ? code : 1, stdout, stderr });
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });

type Opening = Merging & Pick<TaskState, 'pullRequest' | 'merging'>;
type Repository = Awaited<ReturnType<typeof openRepository>>;

/** Where git pushes to under this name, as it may be shown: without what logs in there. */
export async function pushAddress(repository: Repository, remote: string | null): Promise<string | null> {
  if (remote === null) return null;
  const { code, stdout } = await askedAddress(repository, remote);
  return code === 0 ? shown(stdout.toString().trim()) : null;
}
const askedAddress = (repository: Repository, remote: string) =>
  repository.try(['remote', 'get-url', '--push', '--end-of-options', remote]);
const shown = (url: string): string => url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');

/**
 * Pushes what was reviewed to the project's remote, as the task's branch, and opens a pull request for it, or finds the
 * one that is open. A branch there that somebody else has moved is left alone. Done twice it is done once.
 */
export async function openPullRequest(opening: Opening, where: Surroundings): Promise<MergeResult> {
  const { branch, commit, title, task, pullRequest } = opening;
  const { remote, path } = opening.repository;
  if (remote === null)
    return refused(
      'no-remote',
      'the project has no remote: planwright project set --remote NAME gives it one',
    );
  const repository = await openRepository(path, where);
  const into = await baseBranch(repository, opening.repository);
  if (into === null)
    return refused('no-base', 'no branch is checked out to ask for: give the project a base branch');
  const moved = await movedSince(repository, branch, commit);
  if (moved !== null) return moved;
  const address = await askedAddress(repository, remote);
  if (address.code !== 0)
    return refused('no-remote', `there is no remote ${remote} here: ${reasonOf(address)}`);
  const url = address.stdout.toString().trim();
  if (shown(url) !== opening.merging?.to)
    return refused(
      'another-address',
      `${remote} is at ${shown(url)} now, and a push to ${opening.merging?.to ?? 'no address'} was agreed on`,
    );
  const version = await gh(['--version'], where);
  if (version.code === 'missing')
    return refused(
      'no-gh',
      'pull requests are opened by gh, which is not on the PATH: install it from cli.github.com',
    );
  const ref = `refs/heads/${branch}`;
  const pushed = await repository.try(
    [
      ...['push', '--quiet', '--no-verify', '--no-follow-tags', '--recurse-submodules=no'],
      // Where it is there and not what we put there, somebody else works on it.
      ...['--receive-pack=git-receive-pack', `--force-with-lease=${ref}:${pullRequest?.commit ?? ''}`],
      ...['--end-of-options', remote, `${commit}:${ref}`],
    ],
    { timeoutMs: PUSH_MS },
  );
  const there = pushed.code === 0 ? commit : await tipAt(repository, remote, ref);
  if (there !== commit)
    return refused('not-pushed', `${branch} was not pushed to ${remote}: ${reasonOf(pushed)}`);
  const open = (at: string): MergeResult => ({
    ...{ ok: true, commit: null, code: null, conflicts: [] },
    message: `${at} asks for ${branch} to be merged into ${into}`,
    pullRequest: { url: at, commit },
  });
  const about = ['--repo', url, '--head', branch, '--base', into];
  const found = await gh(['pr', 'list', ...about, '--state', 'open', '--json', 'url'], where);
  const before = found.code === 0 ? urlIn(found.stdout) : null;
  if (before !== null) return open(before);
  const body = `${opening.summary ?? ''}\n\nPlanwright-Task: ${task} ${commit}\n`.trimStart();
  const made = await gh(['pr', 'create', ...about, '--title', title, '--body-file', '-'], where, body);
  const at = urlIn(made.stdout);
  if (made.code === 0 && at !== null) return open(at);
  const why = made.stderr.trim().split('\n').at(-1) ?? '';
  return refused(
    'gh-failed',
    `${branch} was pushed to ${remote}, and gh opened no pull request: ${why.slice(0, 500)}`,
  );
}

const urlIn = (text: string): string | null => /https?:\/\/[^\s"\\]+/.exec(text)?.[0] ?? null;

async function tipAt(repository: Repository, remote: string, ref: string): Promise<string | null> {
  const listed = await repository.try([
    'ls-remote',
    '--upload-pack=git-upload-pack',
    '--end-of-options',
    remote,
    ref,
  ]);
  return /^[0-9a-f]{40,}/.exec(listed.stdout.toString())?.[0] ?? null;
}

/** What a pull request was merged as; null where it is not, or that cannot be told. */
export async function mergedByRequest(url: string, where: Surroundings): Promise<string | null> {
  const { code, stdout } = await gh(['pr', 'view', url, '--json', 'state,mergeCommit'], where);
  if (code !== 0) return null;
  try {
    const { state, mergeCommit } = JSON.parse(stdout) as { state?: string; mergeCommit?: { oid?: string } };
    return state === 'MERGED' ? (mergeCommit?.oid ?? null) : null;
  } catch {
    return null;
  }
}
