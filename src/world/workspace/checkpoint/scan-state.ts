import { closeSync, fstatSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type FolderRecord, stampOf } from './folder-record.ts';
import { isWholeIndex } from './index-file.ts';
import { tryLstat } from './inside.ts';
import type { CheckpointPlace } from './place.ts';
import { replaceFile } from './replace.ts';

const VERSION = 2;

/** What the last scan saw, so that the next one need not look again. Losing it costs time, never correctness. */
export interface ScanState {
  v: typeof VERSION;
  /** Where git was started: other ignore files apply elsewhere. */
  where: string;
  /** The checksum of the index that belongs to it. */
  index: string;
  tree: string;
  records: Map<string, FolderRecord>;
  fileModes: Map<string, number>;
  /** Ignore files and their stamps. */
  rules: Record<string, string>;
  userIndex: string;
  held: string[];
  /**
   * Files that changed just before they were taken in, and their stamps: git tells times by the second. The stamp is '' where what
   * is written next may have the same one.
   */
  young: [path: string, stamp: string][];
}

const whereOf = ({ top, prefix, exclude }: CheckpointPlace): string => JSON.stringify([top, prefix, exclude]);

/** The last twenty bytes of an index; '' where there is none. */
export function indexChecksum(path: string): string {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(20);
    readSync(fd, bytes, 0, 20, Math.max(0, size - 20));
    return bytes.toString('hex');
  } finally {
    closeSync(fd);
  }
}

const racy = 'racy';

/** Of a file that is read whole when it changes: '' where there is none. */
export function ruleStamp(path: string, trustBefore: number): string {
  const stats = tryLstat(path);
  if (stats === null || stats === 'hidden') return '';
  return stats.ctimeMs > trustBefore ? racy : stampOf(stats);
}

/** Whether it surely is what it was: what was changed just before it was read may have changed again. */
export const isSameRule = (path: string, stamp: string): boolean =>
  stamp !== racy && stamp === ruleStamp(path, Number.POSITIVE_INFINITY);

/**
 * Null where there is none that belongs to the index: then everything is read. An index that may have been made at
 * another place is removed, for its paths would mean other files; so is one that is not whole.
 */
export function loadScanState(root: string, place: CheckpointPlace): ScanState | null {
  const index = join(place.gitDir, 'index');
  try {
    const stored = JSON.parse(textIn(readFileSync(scanFile(root))) ?? '');
    if (stored.v === VERSION && stored.where === whereOf(place) && isWholeIndex(index)) {
      if (stored.index !== indexChecksum(index)) return null;
      return { ...stored, records: new Map(stored.records), fileModes: new Map(stored.fileModes) };
    }
  } catch {
    // None, or half a one: as good as none.
  }
  rmSync(index, { force: true });
  return null;
}

export function saveScanState(
  root: string,
  place: CheckpointPlace,
  state: Omit<ScanState, 'v' | 'where' | 'index'>,
): void {
  const index = indexChecksum(join(place.gitDir, 'index'));
  const text = JSON.stringify({
    v: VERSION,
    where: whereOf(place),
    index,
    ...state,
    records: [...state.records],
    fileModes: [...state.fileModes],
  });
  const content = Buffer.from(text);
  const sum = Buffer.alloc(SUM);
  sum.writeUInt32BE(crc32(content));
  const bytes = Buffer.concat([sum, content]);
  if (!isThere(scanFile(root), bytes)) replaceFile(scanFile(root), bytes);
}

function isThere(file: string, bytes: Buffer): boolean {
  try {
    return readFileSync(file).equals(bytes);
  } catch {
    return false;
  }
}

const scanFile = (root: string): string => join(root, 'scan');

/** What follows, in sum. It is written over, and not synced: where the machine ended meanwhile it may be of two. */
const SUM = 4;

function textIn(bytes: Buffer): string | null {
  if (bytes.length <= SUM || crc32(bytes.subarray(SUM)) !== bytes.readUInt32BE()) return null;
  return bytes.toString('utf8', SUM);
}
