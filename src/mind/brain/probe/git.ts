import { execFile } from 'node:child_process';
import { helperEnvironment } from '../../../world/process/environment.ts';
import type { GitFacts } from './probe.ts';

/** Nothing of the repository's configuration may run a program while we look. */
const quiet = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.pager=cat'];

/** Reads refs and remotes by git's plumbing. Null where there is no repository, no git, or no answer in time. */
export async function readGit(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  timeout: number,
): Promise<GitFacts | null> {
  const ask = (...args: readonly string[]): Promise<string | null> =>
    new Promise((resolve) => {
      const options = {
        cwd,
        timeout,
        maxBuffer: 1024 * 1024,
        env: helperEnvironment({ ...env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' }),
      };
      execFile('git', [...quiet, ...args], options, (error, stdout) =>
        resolve(error === null ? stdout : null),
      );
    });
  const [refs, remotes, head] = await Promise.all([
    ask('for-each-ref', '--count=2000', '--format=%(refname)', 'refs/heads', 'refs/remotes', 'refs/tags'),
    ask('config', '--get-regexp', '--name-only', '^remote\\..*\\.url$'),
    ask('symbolic-ref', '--quiet', '--short', 'HEAD'),
  ]);
  if (refs === null) return null;
  const names = refs.split('\n').filter((name) => name !== '');
  const under = (prefix: string): string[] =>
    names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  return {
    branch: head?.trim() ?? null,
    branches: under('refs/heads/'),
    remoteBranches: under('refs/remotes/').filter((name) => !name.endsWith('/HEAD')),
    remotes: (remotes ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.slice('remote.'.length, -'.url'.length)),
    tags: under('refs/tags/'),
  };
}
