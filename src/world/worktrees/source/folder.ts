import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Carried, GitSource } from '../../../core/contract/index.ts';
import { runGit } from '../../process/git.ts';
import { checkName } from '../linked.ts';
import { failed, type Git, openOwn, openRepository, type Surroundings } from '../repository.ts';
import { cleanEnvironment } from '../settings.ts';
import { shortName } from './address.ts';
import { type Caching, mirrorWith } from './mirror.ts';

export const runsIn = (cache: string): string => join(cache, 'runs');
const homeOf = (cache: string, run: string): string => join(runsIn(cache), run);
const folderIn = (home: string, { url }: GitSource): string => join(home, shortName(url));
export const carryIn = (home: string): string => join(home, '.carried');

/** For a checkout of very many files. */
const CHECKOUT_MS = 600_000;

export interface WantedFolder {
  run: string;
  source: GitSource;
  carried: Carried | null;
  /** The bytes of a parcel, by its name. */
  parcel(name: string): Promise<Uint8Array>;
}

/**
 * The folder of a run on this machine: a repository of its own, which reads the objects of the mirror and writes to its own, so that
 * nothing that a step does to it reaches another run. What was there before under this name is put aside: it may have what was
 * carried to nobody. Throws a WorktreeError.
 */
export async function makeFolder(
  { run, source, carried, parcel }: WantedFolder,
  around: Caching,
): Promise<string> {
  checkName(run);
  const mirror = await mirrorWith(source, around);
  const home = homeOf(around.cache, run);
  putAside(home);
  const folder = folderIn(home, source);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    await init(folder, [], around);
    writeFileSync(join(folder, '.git/objects/info/alternates'), `${join(mirror.gitDir, 'objects')}\n`);
    const repository = await openRepository(folder, around);
    await repository.ask(['config', 'remote.origin.url', source.url]);
    await repository.ask(['config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*']);
    for (const name of carried?.parcels ?? [])
      await repository.ask(['index-pack', '--stdin', '--fix-thin', '--strict'], {
        input: Buffer.from(await parcel(name)),
        timeoutMs: CHECKOUT_MS,
      });
    await setRefs(repository, source, carried);
    const { git } = await openCarry(home, folder, source, around);
    if (carried === null) await repository.ask(['reset', '--quiet', '--hard'], { timeoutMs: CHECKOUT_MS });
    else await unpack(git, repository, carried);
    return folder;
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    throw error;
  }
}

function putAside(home: string): void {
  if (!existsSync(home)) return;
  let n = 1;
  while (existsSync(`${home}.left-${n}`)) n += 1;
  renameSync(home, `${home}.left-${n}`);
}

async function init(at: string, more: readonly string[], { env, signal }: Surroundings): Promise<void> {
  const args = ['init', '--quiet', '--template=', ...more, at];
  const made = await runGit(args, { cwd: at, env: cleanEnvironment(env), signal });
  if (made.code !== 0) throw failed(args, made);
}

async function setRefs(git: Git, { ref, commit }: GitSource, carried: Carried | null): Promise<void> {
  const branch = ref?.startsWith('refs/heads/') ? ref : null;
  if (branch !== null)
    await git.ask(['update-ref', branch.replace('refs/heads/', 'refs/remotes/origin/'), commit]);
  const refs = carried?.refs ?? {
    ...(branch === null ? { HEAD: commit } : { HEAD: `ref: ${branch}`, [branch]: commit }),
  };
  for (const [name, at] of Object.entries(refs)) {
    if (at.startsWith('ref: ')) await git.ask(['symbolic-ref', name, at.slice(5)]);
    else await git.ask(['update-ref', '--no-deref', name, at]);
  }
}

/**
 * A second git folder over the same files, beside them, which takes them as they are, byte by byte: no filter and no end of line is
 * changed on the way, and what the run's own git says or ignores does not count.
 */
export async function openCarry(
  home: string,
  folder: string,
  { commit }: GitSource,
  around: Surroundings,
): Promise<{ git: Git; isNew: boolean }> {
  const dir = carryIn(home);
  const isNew = !existsSync(join(dir, 'HEAD'));
  if (isNew) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    await init(dir, ['--bare'], around);
    mkdirSync(join(dir, 'info'), { recursive: true });
    writeFileSync(join(dir, 'info/attributes'), '* -text -filter -ident -working-tree-encoding\n');
    writeFileSync(join(dir, 'objects/info/alternates'), `${join(folder, '.git/objects')}\n`);
  }
  const git = await openOwn(dir, around, folder);
  if (isNew) await git.ask(['read-tree', commit]);
  return { git, isNew };
}

export const carryOf = (cache: string, run: string, source: GitSource, around: Surroundings) => {
  const home = homeOf(cache, run);
  return openCarry(home, folderIn(home, source), source, around);
};

async function unpack(git: Git, repository: Git, { commit, folders }: Carried): Promise<void> {
  await git.ask(['read-tree', commit]);
  await git.ask(['checkout-index', '--all', '--force', '--index', '--quiet'], { timeoutMs: CHECKOUT_MS });
  for (const folder of folders) mkdirSync(join(git.folder, folder), { recursive: true });
  // What was staged is not carried: the files are.
  await repository.try(['reset', '--quiet', '--mixed']);
}
