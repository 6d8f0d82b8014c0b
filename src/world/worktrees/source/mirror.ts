import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GitSource } from '../../../core/contract/index.ts';
import { onlyLooks, runGit } from '../../process/git.ts';
import { openLock } from '../../workspace/index.ts';
import { WorktreeError } from '../errors.ts';
import { commitOf, failed, type Git, openOwn, reasonOf, type Surroundings } from '../repository.ts';
import { cleanEnvironment } from '../settings.ts';
import { type Address, mustAllow, nameOf, type Protocol, readAddress } from './address.ts';

export interface Reaching extends Surroundings {
  /** By which repositories may be reached from here. */
  protocols: readonly Protocol[];
}

export interface Caching extends Reaching {
  /** Where repositories of others are kept, and the folders of runs. */
  cache: string;
}

const FETCH_MS = 30 * 60_000;
const LOOK_MS = 60_000;
const transport = ['--upload-pack=git-upload-pack'];
export const only = (protocols: readonly Protocol[]) => ({ GIT_ALLOW_PROTOCOL: protocols.join(':') });

/** Which commit `URL[#ref]` stands for now. Throws a WorktreeError where that cannot be found out. */
export async function resolveSource(text: string, { env, signal, protocols }: Reaching): Promise<GitSource> {
  const address = readAddress(text);
  mustAllow(address, protocols);
  const { url, ref } = address;
  if (ref !== null && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(ref)) return { url, commit: ref };
  // A tag that has words of its own stands for what it names.
  const wanted =
    ref === null ? ['HEAD'] : [ref, `refs/heads/${ref}`, `refs/tags/${ref}^{}`, `refs/tags/${ref}`];
  const args = ['ls-remote', '--symref', ...transport, '--end-of-options', url, ...wanted];
  // In no repository: one that it was called from could say that this address is another.
  const call = { cwd: '/', env: { ...cleanEnvironment(env), ...only(protocols) }, config: onlyLooks, signal };
  const ended = await runGit(args, call, { timeoutMs: LOOK_MS });
  if (ended.code !== 0) throw unreachable(url, reasonOf(ended));
  const lines = ended.stdout
    .toString()
    .split('\n')
    .map((line) => line.split('\t'));
  const commits = new Map(
    lines.flatMap(([id = '', name = '']) => (/^[0-9a-f]{40,64}$/.test(id) ? [[name, id]] : [])),
  );
  const head = lines.find(([id, name]) => id?.startsWith('ref: ') && name === 'HEAD')?.[0]?.slice(5);
  const name = wanted.find((one) => commits.has(one));
  const commit = name === undefined ? undefined : commits.get(name);
  if (name === undefined || commit === undefined)
    throw new WorktreeError('bad-source', `${url} has no branch, tag or commit ${ref ?? 'HEAD'}`);
  const whole = name === 'HEAD' ? head : name.replace(/\^\{\}$/, '');
  return { url, commit, ...(whole?.startsWith('refs/') ? { ref: whole } : {}) };
}

const unreachable = (url: string, why: string): WorktreeError =>
  new WorktreeError('source-unreachable', `${url} could not be read: ${why}`);

export const mirrorsIn = (cache: string): string => join(cache, 'mirrors');

/**
 * The objects of a repository, kept once for all runs of this machine, with this commit in them. One process fetches at a time.
 * Throws a WorktreeError.
 */
export async function mirrorWith({ url, ref, commit }: GitSource, around: Caching): Promise<Git> {
  const address = readAddress(url);
  mustAllow(address, around.protocols);
  const folder = join(mirrorsIn(around.cache), `${nameOf(url)}.git`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = openLock(folder, 'planwright.lock', FETCH_MS);
  try {
    return await lock.hold(async () => {
      const mirror = await openMirror(folder, url, around);
      if ((await commitOf(mirror, commit)) === null)
        await fetchCommit(mirror, address, { ref, commit }, around);
      // What is named is not thrown away.
      await mirror.ask(['update-ref', `refs/planwright/commits/${commit}`, commit]);
      utimesSync(folder, new Date(), new Date());
      return mirror;
    });
  } finally {
    lock.close();
  }
}

async function openMirror(folder: string, url: string, around: Surroundings): Promise<Git> {
  if (!existsSync(join(folder, 'HEAD'))) {
    const args = ['init', '--quiet', '--bare', '--template=', folder];
    const made = await runGit(args, {
      cwd: folder,
      env: cleanEnvironment(around.env),
      signal: around.signal,
    });
    if (made.code !== 0) throw failed(args, made);
    writeFileSync(join(folder, 'description'), `${url}\n`);
  }
  return openOwn(folder, around);
}

/** By its name, where the other side gives out what is asked for so; or with all that its branches and tags have. */
async function fetchCommit(
  mirror: Git,
  { url }: Address,
  { ref, commit }: Pick<GitSource, 'ref' | 'commit'>,
  { protocols }: Reaching,
): Promise<void> {
  const fetch = (...refs: string[]) =>
    mirror.try(
      [
        ...['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--force'],
        ...[...transport, '--end-of-options', url, ...refs],
      ],
      { timeoutMs: FETCH_MS, env: only(protocols) },
    );
  const named = await fetch(`${commit}:refs/planwright/commits/${commit}`);
  if (named.code === 0) return;
  const all = await fetch(
    '+refs/heads/*:refs/source/heads/*',
    ...(ref?.startsWith('refs/tags/') ? [`+${ref}:refs/source/tag`] : []),
  );
  if (all.code !== 0) throw unreachable(url, reasonOf(all));
  if ((await commitOf(mirror, commit)) === null)
    throw new WorktreeError('source-unreachable', `${url} does not have the commit ${commit} any more`);
}
