import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './errors.ts';
import { git } from './git.ts';
import { indexByStats } from './index-stats.ts';
import { tryLstat } from './inside.ts';
import { treeObject, writeObjects } from './objects.ts';
import { ancestorsOf, fieldsOf, joinZ, onDisk, within } from './path-bytes.ts';
import type { CheckpointPlace } from './place.ts';

const noOid = '0'.repeat(40);
const inPlace = ({ prefix }: CheckpointPlace, paths: string[]): string[] =>
  paths.map((path) => prefix + path);
const fromPlace = ({ prefix }: CheckpointPlace, paths: string[]): string[] =>
  paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));

export interface IndexLook {
  /** Paths whose file is gone, or is not what the index says by its stat data. */
  touched: string[];
  /** Where the index is small: those that surely are as it says, and all that it has. */
  same: string[];
  held: Set<string>;
}

/** One lstat for each covered file: here for a few, by git's threads for many. Reads no covered file and writes nothing. */
export async function readIndex(place: CheckpointPlace): Promise<IndexLook> {
  const near = indexByStats(place);
  if (near !== null) {
    const touched = fromPlace(place, near.changed);
    const same = fromPlace(place, [...near.same]);
    return { touched, same, held: new Set([...touched, ...same]) };
  }
  const fields = fieldsOf(
    await git(place, ['diff-files', '--name-only', '-z', '--no-renames', '--no-ext-diff']),
  );
  return { touched: fromPlace(place, fields), same: [], held: new Set() };
}

/** Every path that the private index holds. */
export const heldPaths = async (place: CheckpointPlace): Promise<string[]> =>
  fromPlace(place, fieldsOf(await git(place, ['ls-files', '-c', '-z'])));

/**
 * What the user's own repository tracks although an ignore file names it. Their index is opened by our repository,
 * so that nothing of their configuration is read. An index that cannot be read that way (split, sparse, another
 * hash) has none.
 */
export async function trackedIgnored(place: CheckpointPlace): Promise<string[]> {
  if (place.userIndex === null) return [];
  const args = ['ls-files', '-c', '-i', '--exclude-standard', '-z'];
  try {
    return fromPlace(place, fieldsOf(await git(place, args, { index: place.userIndex })));
  } catch (error) {
    if (codeOf(error) === 'git-failed') return [];
    throw error;
  }
}

/**
 * A second name for the index, to work on: git replaces an index and never writes into one. A git that outlives its
 * killed parent goes on with a name that nobody else uses.
 */
export function privateIndex({ gitDir }: CheckpointPlace): string {
  for (const name of readdirSync(gitDir))
    if (name.startsWith('index.')) rmSync(join(gitDir, name), { force: true });
  const path = join(gitDir, `index.${process.pid}.${Date.now()}.${Math.random().toString(36).slice(2)}`);
  const index = join(gitDir, 'index');
  if (!existsSync(index)) return path;
  try {
    linkSync(index, path);
  } catch {
    // No links on this disk. A copy must not look younger: git checks files as young as their index again.
    const { mtimeMs } = statSync(index);
    copyFileSync(index, path);
    utimesSync(path, mtimeMs / 1000, (mtimeMs - 1) / 1000);
  }
  return path;
}

/** Git writes an index only where something in it changes: until then both names are of one file. */
export const isUntouched = ({ gitDir }: CheckpointPlace, index: string): boolean => {
  const [own, theirs] = [tryLstat(join(gitDir, 'index')), tryLstat(index)];
  if (own === null || own === 'hidden' || theirs === null || theirs === 'hidden') return false;
  return own.ino === theirs.ino;
};

export function adoptIndex({ gitDir }: CheckpointPlace, index: string): void {
  renameSync(index, join(gitDir, 'index'));
  // Where git found nothing to write, both are names of one file, and renaming does nothing.
  rmSync(index, { force: true });
}

/** What staging works on: nobody else sees either before it is adopted. */
export interface Staging {
  index: string;
  quarantine: string;
}

async function remove(place: CheckpointPlace, staging: Staging, paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  const input = joinZ(inPlace(place, paths).map((path) => `0 ${noOid}\t${path}`));
  await git(place, ['update-index', '-z', '--index-info'], { ...staging, input });
}

/** So many files are faster written into one pack, which is how git treats large ones, than a loose object each. */
const manyFiles = 1_000;

/**
 * Puts files into the index and the object store as they are now; one that has meanwhile gone is removed. Resolves
 * with those that cannot be read. Git gives up at the first of these, so they are found and left out.
 */
export async function stage(
  place: CheckpointPlace,
  staging: Staging,
  { add, unlike, gone }: { add: string[]; unlike: ReadonlySet<string>; gone: string[] },
): Promise<string[]> {
  const missing = new Set(gone.filter((path) => isMissing(place, path)));
  await remove(
    place,
    staging,
    gone.filter((path) => !missing.has(path)),
  );
  // Taken out first, they are read again.
  const unseen = add.length === 0 ? null : (indexByStats(place)?.unseen ?? null);
  await remove(
    place,
    staging,
    add.filter((path) => unlike.has(path) || unseen?.has(place.prefix + path)),
  );
  const unreadable: string[] = [];
  const config = add.length > manyFiles ? ['core.bigFileThreshold=0'] : [];
  for (let left = [...missing, ...add], tries = 1; left.length > 0; tries += 1) {
    try {
      const args = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'];
      await git(place, args, { ...staging, input: joinZ(inPlace(place, left)), config });
      break;
    } catch (error) {
      const closed = left.filter((path) => !isReadable(place, path));
      if (codeOf(error) !== 'git-failed' || (closed.length === 0 && tries > 3)) throw error;
      unreadable.push(...closed);
      const out = new Set(closed);
      left = left.filter((path) => !out.has(path));
    }
  }
  await remove(place, staging, unreadable);
  return unreadable;
}

/** Git removes what is not there, but stops at a path that leads through a link. */
function isMissing({ workspace }: CheckpointPlace, path: string): boolean {
  for (const folder of ancestorsOf(path)) {
    const stats = tryLstat(within(workspace, folder));
    if (stats === null || stats === 'hidden' || !stats.isDirectory()) return stats === null;
  }
  return tryLstat(within(workspace, path)) === null;
}

function isReadable({ workspace }: CheckpointPlace, path: string): boolean {
  try {
    accessSync(onDisk(`${workspace}/${path}`), constants.R_OK);
    return true;
  } catch (error) {
    // A dangling link, or one that has gone since, is not what git stumbled over.
    return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error));
  }
}

/** The tree of the workspace, whatever lies above it. */
export async function treeOf(place: CheckpointPlace, staging: Staging): Promise<string> {
  const { gitDir, prefix } = place;
  try {
    const args = prefix === '' ? [] : [`--prefix=${prefix}`];
    return (await git(place, ['write-tree', ...args], { ...staging })).toString().trim();
  } catch (error) {
    // Git knows no prefix without a file below it.
    const isEmpty =
      prefix !== '' && (await git(place, ['ls-files', '-c', '-z'], { ...staging })).length === 0;
    if (!isEmpty) throw error;
    const empty = treeObject([]);
    await writeObjects(gitDir, [empty]);
    return empty.oid;
  }
}
