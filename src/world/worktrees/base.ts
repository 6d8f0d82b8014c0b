import type { Repository as Given } from '../../core/contract/tasks/index.ts';
import { WorktreeError } from './errors.ts';
import { commitOf, type OpenedRepository, reasonOf } from './repository.ts';

export interface Base {
  /** The branch here that work is merged into; null where none is checked out. */
  branch: string | null;
  /** What work is begun from and compared with. */
  commit: string;
  warnings: string[];
}

const FETCH_MS = 60_000;

/** The branch that a project's work belongs to: the one that it names, or the one that is checked out. */
export async function baseBranch(
  repository: OpenedRepository,
  { baseBranch: named }: Given,
): Promise<string | null> {
  if (named !== undefined) return named;
  const { code, stdout } = await repository.try(['symbolic-ref', '--quiet', '--short', 'HEAD']);
  return code === 0 ? stdout.toString().trim() : null;
}

/** Fetches what there is to fetch, and finds the base. Throws a WorktreeError where there is none. */
export async function findBase(repository: OpenedRepository, given: Given): Promise<Base> {
  const branch = await baseBranch(repository, given);
  const warnings: string[] = [];
  let { remote } = given;
  if (branch === null) {
    const head = await commitOf(repository, 'HEAD');
    if (head === null) throw empty;
    return {
      branch,
      commit: head,
      warnings: ['no branch is checked out: work is begun at the commit that is'],
    };
  }
  if (given.remote !== null) {
    const fetched = await fetchOnce(repository, given.remote, branch);
    if (fetched !== null) warnings.push(fetched.warning);
    if (fetched?.isGone === true) remote = null;
  }
  const commit = await tipOf(repository, branch, remote);
  if (commit !== null) return { branch, commit, warnings };
  if ((await commitOf(repository, 'HEAD')) === null && given.baseBranch === undefined) throw empty;
  const where = given.remote === null ? 'here' : `here or at ${given.remote}`;
  throw new WorktreeError(
    'no-base',
    `the base branch ${branch} is not ${where} any more: make it again, or give the project another one`,
  );
}

/** The remote's, where there is one and it was ever fetched; otherwise the one here. */
const tipOf = async (
  repository: OpenedRepository,
  branch: string,
  remote: string | null,
): Promise<string | null> =>
  (remote === null ? null : await commitOf(repository, `refs/remotes/${remote}/${branch}`)) ??
  commitOf(repository, `refs/heads/${branch}`);

/** What work is compared with, as far as it is known here: nothing is fetched. */
export async function knownBase(repository: OpenedRepository, given: Given): Promise<string | null> {
  const branch = await baseBranch(repository, given);
  return branch === null ? commitOf(repository, 'HEAD') : tipOf(repository, branch, given.remote);
}

const empty = new WorktreeError('no-commits', 'the repository has no commit yet: make the first one');

type Fetched = { warning: string; isGone: boolean } | null;
const underWay = new Map<string, Promise<Fetched>>();

/** Those that are asked for while one is under way wait for it: several at once would only lock each other out. */
function fetchOnce(repository: OpenedRepository, remote: string, branch: string): Promise<Fetched> {
  const key = `${repository.common}\n${remote}\n${branch}`;
  const before = underWay.get(key);
  if (before !== undefined) return before;
  const fetching = fetchBase(repository, remote, branch).finally(() => underWay.delete(key));
  underWay.set(key, fetching);
  return fetching;
}

async function fetchBase(repository: OpenedRepository, remote: string, branch: string): Promise<Fetched> {
  const ended = await repository.try(
    [
      ...['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'],
      // Of several such settings git takes the first, which is the repository's: it has to be said here.
      '--upload-pack=git-upload-pack',
      ...['--end-of-options', remote, `+refs/heads/${branch}:refs/remotes/${remote}/${branch}`],
    ],
    { timeoutMs: FETCH_MS },
  );
  if (ended.code === 0) return null;
  const isGone = /couldn't find remote ref/i.test(ended.stderr);
  const left = repository.dropped.filter((key) => /^(?:core\.sshcommand|credential\.|remote\.)/i.test(key));
  const without =
    left.length === 0 ? '' : ` (done without ${left.join(', ')} of the repository's configuration)`;
  const warning = isGone
    ? `${remote} has no branch ${branch}: the one here is the base`
    : `${remote} could not be fetched: ${reasonOf(ended)}${without}`;
  return { warning, isGone };
}
