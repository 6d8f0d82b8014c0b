import { onlyLooks, runGit } from '../../../world/process/git.ts';
import type { GitFacts } from './probe.ts';

/** Reads refs and remotes by git's plumbing. Null where there is no repository, no git, or no answer in time. */
export async function readGit(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  timeout: number,
): Promise<GitFacts | null> {
  const ask = async (...args: readonly string[]): Promise<string | null> => {
    const limits = { timeoutMs: timeout, maxBytes: 1024 * 1024 };
    const { code, stdout } = await runGit(args, { cwd, env, config: onlyLooks }, limits);
    return code === 0 ? stdout.toString() : null;
  };
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
