import { type BigIntStats, lstatSync } from 'node:fs';
import { codeOf } from './errors.ts';
import { readIndexFile } from './index-file.ts';
import { ancestorsOf, onDisk, within } from './path-bytes.ts';
import type { CheckpointPlace } from './place.ts';

const SECOND = 1_000_000_000n;
/** The clock of a file system ticks this coarsely at worst: what changed just before the index was written may change again. */
export const TICK_MS = 20;
const TICK = BigInt(TICK_MS) * 1_000_000n;

/** Paths from the top of the repository. */
interface ByStats {
  changed: string[];
  same: Set<string>;
  /** Those that changed and that git, which compares seconds, would take for the same. */
  unseen: Set<string>;
}

/**
 * The same as git's diff-files, for a small index, without starting git: paths whose file is gone, or is not what the index
 * says by its stat data, and those that surely are. A file that was young when the index was written counts as changed. Null
 * where the index is none that this reads: git is asked then.
 */
export function indexByStats({ gitDir, top }: Pick<CheckpointPlace, 'gitDir' | 'top'>): ByStats | null {
  const index = readIndexFile(gitDir);
  if (index === null) return null;
  const isFolder = folders(top);
  const found: ByStats = { changed: [], same: new Set(), unseen: new Set() };
  for (const { data, path } of index.entries) {
    const stats = ancestorsOf(path).every(isFolder) ? look(within(top, path)) : null;
    const isSame = stats !== null && isAsWritten(data, stats);
    if (isSame && lastChange(stats) + TICK < index.written) found.same.add(path);
    else found.changed.push(path);
    if (stats !== null && !isSame && isAsWritten(data, stats, SECOND)) found.unseen.add(path);
  }
  return found;
}

/** Programs that unpack and copy put the time of the content back, and nobody puts back that of the inode. */
const lastChange = ({ mtimeNs, ctimeNs }: BigIntStats): bigint => (mtimeNs > ctimeNs ? mtimeNs : ctimeNs);

/** Each folder is looked at once. A link in its place is none: what is behind it is not what was covered. */
function folders(top: string): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    let is = known.get(path);
    if (is === undefined) {
      is = look(within(top, path))?.isDirectory() === true;
      known.set(path, is);
    }
    return is;
  };
}

/** What cannot be looked at is like what is gone: whoever takes it in finds out. */
function look(path: string): BigIntStats | null {
  try {
    return lstatSync(onDisk(path), { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (['ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG'].includes(codeOf(error))) return null;
    throw error;
  }
}

const LINK = 0o120000;
const FILE = 0o100000;
const TYPE = 0o170000;

/** Times are compared in units of so many nanoseconds. */
function isAsWritten(data: Buffer, stats: BigIntStats, unit = 1n): boolean {
  const field = (offset: number): bigint => BigInt(data.readUInt32BE(offset));
  const low = (value: bigint): bigint => BigInt.asUintN(32, value);
  const time = (offset: number): bigint => field(offset) * SECOND + field(offset + 4);
  const mode = data.readUInt32BE(24);
  const now = Number(stats.mode);
  const isSameKind =
    (mode & TYPE) === LINK
      ? (now & TYPE) === LINK
      : (mode & TYPE) === FILE && (now & TYPE) === FILE && ((mode ^ now) & 0o100) === 0;
  return (
    isSameKind &&
    time(0) / unit === stats.ctimeNs / unit &&
    time(8) / unit === stats.mtimeNs / unit &&
    field(20) === low(stats.ino) &&
    field(28) === low(stats.uid) &&
    field(32) === low(stats.gid) &&
    field(36) === low(stats.size)
  );
}
