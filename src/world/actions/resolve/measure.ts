import { createHash } from 'node:crypto';
import { type Dirent, lstatSync, opendirSync, readdirSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import type { Touch } from './touch.ts';

export interface MeasureLimits {
  /** So many paths are listed; the rest is one line with their number and a hash. */
  listed: number;
  /** So many entries are counted, in an order that does not depend on time. */
  entries: number;
  /** So long are sizes added up. */
  sizesMs: number;
  /** So long is anything counted; beyond it a file system is too slow to wait for. */
  countMs: number;
}

export const LIMITS: MeasureLimits = { listed: 2_000, entries: 100_000, sizesMs: 100, countMs: 1_000 };

export interface Measured {
  /** Sorted. The same tree gives the same list; another entry in it, however deep, gives another. */
  paths: string[];
  files: number;
  folders: number;
  bytes: number;
  /** All was counted; all sizes were added up. */
  counted: boolean;
  sized: boolean;
  unreadable: number;
}

type EntryKind = 'file' | 'folder' | 'link' | 'special';

/**
 * Looks at what would be touched, folder by folder, names in order: links are not followed and nothing but folders
 * is opened. Gives way to others every few milliseconds. Never throws.
 */
export async function measure(
  touches: readonly Touch[],
  limits: MeasureLimits,
  now: () => number,
): Promise<Measured> {
  const start = now();
  const all: Measured = {
    paths: [],
    files: 0,
    folders: 0,
    bytes: 0,
    counted: true,
    sized: true,
    unreadable: 0,
  };
  const listed = new Set<string>();
  let hash: ReturnType<typeof createHash> | null = null;
  let unlisted = 0;
  let slow = false;
  let turned = start;

  let pending = '';
  const flush = (): void => {
    hash = (hash ?? createHash('sha256')).update(pending);
    pending = '';
  };
  const list = (path: string): void => {
    if (listed.has(path)) return;
    if (listed.size < limits.listed) listed.add(path);
    else {
      unlisted += 1;
      pending += `${path}\0`;
      if (pending.length > 65_536) flush();
    }
  };
  const count = (path: string, kind: EntryKind): void => {
    if (kind === 'folder') all.folders += 1;
    else all.files += 1;
    if (kind !== 'file' || !all.sized) return;
    const size = sizeOf(path);
    if (size === null) all.unreadable += 1;
    else all.bytes += size;
    if (now() - start > limits.sizesMs) all.sized = false;
  };
  const isFull = (): boolean => all.files + all.folders >= limits.entries;

  const queue: { path: string; depth: number; touch: Touch }[] = [];
  for (const touch of outermost(touches)) {
    list(touch.path);
    if (touch.leadsTo !== undefined) list(touch.leadsTo);
    if (touch.kind === 'missing' || touch.kind === 'hidden') continue;
    const name = touch.path.slice(touch.path.lastIndexOf('/') + 1);
    if (isFull()) all.counted = false;
    else if ((touch.writes || touch.below) && (touch.filter?.lets(name, touch.kind, 0) ?? true))
      count(touch.path, touch.kind);
    if (touch.below && touch.kind === 'folder') queue.push({ path: touch.path, depth: 1, touch });
  }
  for (let at = 0; at < queue.length && all.counted && !slow; at++) {
    const { path, depth, touch } = queue[at] as (typeof queue)[number];
    const entries = readFolder(path, limits.entries);
    if (!entries) {
      all.unreadable += 1;
      continue;
    }
    for (const entry of entries) {
      const name = entry.slice(0, -2);
      const kind = kinds[entry.slice(-1)] ?? 'special';
      if (isFull()) {
        all.counted = false;
        break;
      }
      const full = path === '/' ? `/${name}` : `${path}/${name}`;
      if (touch.filter?.lets(name, kind, depth) ?? true) {
        list(full);
        count(full, kind);
      }
      if (kind === 'folder') queue.push({ path: full, depth: depth + 1, touch });
    }
    const time = now();
    if (time - start > limits.countMs) slow = true;
    if (time - turned > 10) {
      await turn();
      turned = now();
    }
  }
  if (slow) all.counted = false;
  all.paths = [...listed].sort();
  if (unlisted > 0) flush();
  if (unlisted > 0 || slow) all.paths.push(restLine(touches, unlisted, all.counted, slow ? null : hash));
  return all;
}

/**
 * Stands for the paths that are not listed. Where time ran out it says no number: what an approval is bound to must
 * not depend on how fast a disk was.
 */
function restLine(
  touches: readonly Touch[],
  unlisted: number,
  counted: boolean,
  hash: ReturnType<typeof createHash> | null,
): string {
  const root = touches.find((touch) => touch.below)?.path ?? touches[0]?.path ?? '';
  const folder = root === '/' ? '' : root;
  if (!hash) return `${folder}/… and more than could be counted`;
  const least = counted ? '' : 'at least ';
  return `${folder}/… and ${least}${unlisted} more, sha256 ${hash.digest('hex').slice(0, 16)}`;
}

/** Without those that another one, taken with all that lies below it, already holds. */
function outermost(touches: readonly Touch[]): Touch[] {
  const byPath = new Map<string, Touch>();
  for (const touch of touches) {
    const other = byPath.get(touch.path);
    if (!other || (!other.below && touch.below) || (!other.writes && touch.writes && !other.below))
      byPath.set(touch.path, touch);
  }
  const whole = [...byPath.values()].filter((touch) => touch.below && !touch.filter).map(({ path }) => path);
  const roots = new Set(whole);
  const isHeld = (path: string): boolean => {
    if (roots.size === 0) return false;
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1))
      if (roots.has(path.slice(0, slash))) return true;
    return path !== '/' && roots.has('/');
  };
  return [...byPath.values()]
    .filter((touch) => touch.kind === 'missing' || touch.leadsTo !== undefined || !isHeld(touch.path))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** So large is a folder, itself, that holds about as many names as are counted. */
const LARGE_FOLDER = 4_000_000;
const kinds: Readonly<Record<string, EntryKind>> = { d: 'folder', f: 'file', l: 'link', s: 'special' };

/**
 * Names in order, each with a letter for its kind behind a NUL; null where it cannot be read. Of a huge folder, as
 * many as the system gives first.
 */
function readFolder(path: string, limit: number): string[] | null {
  try {
    const entries: string[] = [];
    if (lstatSync(path).size < LARGE_FOLDER) {
      for (const entry of readdirSync(path, { withFileTypes: true }))
        entries.push(`${entry.name}\0${letterOf(entry)}`);
      return entries.sort();
    }
    const folder = opendirSync(path, { bufferSize: 4096 });
    try {
      for (let entry = folder.readSync(); entry && entries.length <= limit; entry = folder.readSync())
        entries.push(`${entry.name}\0${letterOf(entry)}`);
    } finally {
      folder.closeSync();
    }
    return entries.sort();
  } catch {
    return null;
  }
}

const letterOf = (entry: Dirent): string =>
  entry.isFile() ? 'f' : entry.isDirectory() ? 'd' : entry.isSymbolicLink() ? 'l' : 's';

function sizeOf(path: string): number | null {
  try {
    return lstatSync(path).size;
  } catch {
    return null;
  }
}
