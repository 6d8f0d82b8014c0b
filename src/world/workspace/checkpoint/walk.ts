import type { Stats } from 'node:fs';
import { type FolderRecord, listFolder, stampOf, statFolder } from './folder-record.ts';
import type { IgnoreOracle } from './ignored.ts';
import { tryLstat } from './inside.ts';
import { nameOf, parentOf, within } from './path-bytes.ts';
import type { CheckpointPlace } from './place.ts';
import type { CheckpointLimits } from './types.ts';

export interface WalkSpec {
  place: CheckpointPlace;
  /** Folder → what the last walk saw there. Empty: everything is read. */
  known: Map<string, FolderRecord>;
  /** Folders to be read although their time is the same: a file in them has changed. */
  dirty: Set<string>;
  oracle: IgnoreOracle;
  /** Whether a file is known not to be ignored: the rules are those by which it was taken in. */
  isCovered(path: string): boolean;
  limits: Pick<CheckpointLimits, 'fileBytes' | 'totalBytes'>;
  /** A folder that changed less than this before it was read may change again without its time changing. */
  trustAfterMs: number;
  /** A folder of this name is our own and is never gone into; absolute. */
  own: string;
}

export interface Walked {
  records: Map<string, FolderRecord>;
  /** Every covered file and link in the folders that were read. */
  files: Map<string, Stats>;
  /** Every file there that is too large. */
  large: string[];
}

/** A folder that was read, and the names in it that are files or links. */
interface Read {
  path: string;
  record: FolderRecord;
  names: string[];
}

/** `next`: folders below that are known to be gone into. `fresh`: its names are yet to be asked about. */
interface Visited {
  next: string[];
  fresh: Read | null;
}

/**
 * Walks the workspace level by level. A folder whose time has not changed has the names it had, so only its
 * folders are visited; the others are read, and git is asked about all strange names of a level at once. An ignored
 * folder, a nested repository and a link are never gone into.
 *
 * Resolves with null where an ignore file has come or gone: what is known then says nothing about the folders
 * below, and the walk must be made again without it.
 */
export async function walk(spec: WalkSpec): Promise<Walked | null> {
  const { place, known, dirty, oracle, own, trustAfterMs, isCovered } = spec;
  let rulesChanged = false;
  const began = Date.now();
  const records = new Map<string, FolderRecord>();
  const read: Read[] = [];

  const visit = (path: string): Visited => {
    const absolute = within(place.workspace, path);
    const stat = statFolder(path === '' ? place.workspace : absolute);
    if (stat === 'hidden') records.get(parentOf(path))?.unreadable.push(nameOf(path));
    if (stat === null || stat === 'hidden' || absolute === own) return { next: [], fresh: null };
    const old = known.get(path);
    if (old !== undefined && old.stamp === stat.stamp && !dirty.has(path)) {
      records.set(path, { ...old, mode: stat.mode });
      return { next: old.folders.map((name) => within(path, name)), fresh: null };
    }
    const listing = listFolder(path === '' ? place.workspace : absolute);
    const record: FolderRecord = {
      stamp: stat.changedMs > began - trustAfterMs ? '' : stat.stamp,
      mode: stat.mode,
      folders: [],
      ignored: [],
      special: [],
      large: [],
      unreadable: [],
      files: 0,
      bytes: 0,
    };
    records.set(path, record);
    if (listing === null) Object.assign(record, { closed: 'unreadable', stamp: '' });
    else if (listing.hasGit && path !== '') record.closed = 'nested-repository';
    else {
      record.special = listing.special;
      record.folders = listing.folders;
      if (listing.files.includes('.gitignore')) record.rules = true;
      if (old !== undefined && old.rules !== record.rules) rulesChanged = true;
      if (old?.stamp === stat.stamp) return sameNames(path, record, old, listing.files);
      return { next: [], fresh: { path, record, names: listing.files } };
    }
    return { next: [], fresh: null };
  };

  /** A file in it changed and no name did: git has said already which ones it ignores. */
  const sameNames = (path: string, record: FolderRecord, old: FolderRecord, names: string[]): Visited => {
    const ignored = new Set(old.ignored);
    record.ignored = old.ignored;
    record.folders = old.folders;
    read.push({ path, record, names: names.filter((name) => !ignored.has(name)) });
    return { next: old.folders.map((name) => within(path, name)), fresh: null };
  };

  for (let level = ['']; level.length > 0; ) {
    const visited = level.map(visit);
    if (rulesChanged) return null;
    const fresh = visited.flatMap((visit) => visit.fresh ?? []);
    const asked = fresh.flatMap(({ path, record, names }) => {
      const before = new Set(known.get(path)?.folders);
      const strange = [
        ...record.folders.filter((name) => !before.has(name)),
        ...names.filter((name) => !isCovered(within(path, name))),
      ];
      return strange.map((name) => place.prefix + within(path, name));
    });
    if (fresh.some(({ path, record }) => record.rules === true && !known.has(path))) await oracle.forget();
    const ignored = await oracle.ignored(asked);
    const isIgnored = (path: string, name: string): boolean =>
      ignored.has(place.prefix + within(path, name)) || within(place.workspace, within(path, name)) === own;
    for (const one of fresh) {
      const { path, record, names } = one;
      record.ignored = [...record.folders, ...names].filter((name) => isIgnored(path, name));
      record.folders = record.folders.filter((name) => !isIgnored(path, name));
      one.names = names.filter((name) => !isIgnored(path, name));
      read.push(one);
    }
    const below = fresh.flatMap(({ path, record }) => record.folders.map((name) => within(path, name)));
    level = [...visited.flatMap(({ next }) => next), ...below];
  }
  return { records, ...statFiles(spec, records, read) };
}

/** Looks at the files of the folders that were read, and takes them in as far as the limits go. */
function statFiles(
  { place, limits }: WalkSpec,
  records: Map<string, FolderRecord>,
  read: Read[],
): Omit<Walked, 'records'> {
  const files = new Map<string, Stats>();
  const large: string[] = [];
  let total = [...records.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { path, record, names } of read) {
    for (const name of names) {
      const file = within(path, name);
      const stats = tryLstat(within(place.workspace, file));
      if (stats === 'hidden') record.unreadable.push(name);
      else if (stats === null || !(stats.isFile() || stats.isSymbolicLink())) {
        // It was something else a moment ago: look again next time.
        record.stamp = '';
      } else if (stats.size > limits.fileBytes || total + stats.size > limits.totalBytes) {
        record.large.push([name, stampOf(stats)]);
        large.push(file);
      } else {
        total += stats.size;
        record.files += 1;
        record.bytes += stats.size;
        files.set(file, stats);
      }
    }
  }
  return { files, large };
}
