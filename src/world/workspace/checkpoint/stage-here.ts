import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './errors.ts';
import { ENTRY, type IndexEntry, indexFile, readIndexFile } from './index-file.ts';
import { lstatInside } from './inside.ts';
import { blobOf, type GitObject, treeObject } from './objects.ts';
import { ancestorsOf, onDisk, toBytes, within } from './path-bytes.ts';
import type { CheckpointPlace } from './place.ts';
import { fewObjects } from './quarantine.ts';
import { replaceFile } from './replace.ts';
import { type IndexedTree, treesOf } from './trees.ts';
import type { OnPoint } from './types.ts';

/** More than this git reads beside us. */
const FEW_BYTES = 512 * 1024;

export interface StagedHere {
  tree: string;
  /** Those that cannot be read. */
  unreadable: string[];
  /** What the tree needs and the store may lack. */
  objects: GitObject[];
  /** Puts the index in place. It names these objects, so they are in the store before. */
  adopt(): void;
}

/**
 * Takes a few files into a small index, as `stage` and `treeOf` do, without starting git. `before` is the tree of the index
 * as it is, all of whose objects are in the store. Nothing has been written when it returns. Null where it is not for us.
 */
export function stageHere(
  place: CheckpointPlace,
  before: string,
  { add, gone }: { add: ReadonlyMap<string, { size: number }>; gone: ReadonlySet<string> },
  onPoint: OnPoint,
): StagedHere | null {
  const paths = [...add.keys(), ...gone];
  const folders = new Set(paths.flatMap((path) => ancestorsOf(place.prefix + path)));
  const bytes = add.values().reduce((sum, { size }) => sum + size, 0);
  if (add.size + folders.size >= fewObjects || bytes > FEW_BYTES) return null;
  const began = Date.now();
  const index = readIndexFile(place.gitDir);
  if (index === null) return null;
  const entries = new Map(index.entries.map((entry) => [entry.path, entry]));
  const oids = (): string[] => paths.map((path) => oidOf(entries.get(place.prefix + path)));
  const were = oids();
  const objects: GitObject[] = [];
  const unreadable: string[] = [];
  for (const path of gone) entries.delete(place.prefix + path);
  for (const path of add.keys()) {
    const named = place.prefix + path;
    const found = readFileAt(place, path);
    if (found === 'other') return null;
    if (found === 'gone' || found === 'unreadable') entries.delete(named);
    else {
      entries.set(named, entryOf(named, found));
      objects.push(found.object);
    }
    if (found === 'unreadable') unreadable.push(path);
  }
  const sorted = [...entries.values()].toSorted((a, b) => Buffer.compare(a.name, b.name));
  let inPlace: IndexedTree | null = null;
  const trees: GitObject[] = [];
  const root = treesOf(sorted, (path, tree) => {
    if (`${path}/` === place.prefix || (path === '' && place.prefix === '')) inPlace = tree;
    if (path === '' || folders.has(path)) trees.push(tree.object);
  });
  if (root === null) return null;
  onPoint('staged');
  const now = oids();
  const isSame = were.every((oid, at) => oid === now[at]);
  // Git knows no prefix without a file below it.
  const tree = (inPlace as IndexedTree | null)?.object ?? treeObject([]);
  onPoint('tree');
  const adopt = (): void => {
    // As old as what was read: what changed since counts as changed, for git as for us.
    replaceFile(join(place.gitDir, 'index'), indexFile(sorted, root), began);
    onPoint('indexed');
  };
  return {
    tree: isSame ? before : tree.oid,
    unreadable,
    objects: isSame ? [] : [...objects, ...trees, tree],
    adopt,
  };
}

/** What the tree has of it: its mode and its content. */
const oidOf = (entry: IndexEntry | undefined): string =>
  entry === undefined ? '' : entry.data.toString('hex', 24, 28) + entry.data.toString('hex', 40, 60);

interface Found {
  stats: BigIntStats;
  mode: number;
  object: GitObject;
}

/** Looks first and reads then: what changes in between has another time than the index says. */
function readFileAt({ workspace }: CheckpointPlace, path: string): Found | 'gone' | 'unreadable' | 'other' {
  const here = lstatInside(workspace, path);
  const absolute = onDisk(within(workspace, path));
  try {
    if (here?.isSymbolicLink()) {
      const stats = lstatSync(absolute, { bigint: true });
      const object = blobOf(readlinkSync(absolute, { encoding: 'buffer' }));
      return { stats, mode: 0o120000, object };
    }
    if (here === null || !here.isFile()) return 'other';
    const file = openSync(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(file, { bigint: true });
      if (!stats.isFile() || stats.size > FEW_BYTES) return 'other';
      const mode = (Number(stats.mode) & 0o100) === 0 ? 0o100644 : 0o100755;
      return { stats, mode, object: blobOf(readFileSync(file)) };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'gone';
    return ['EACCES', 'EPERM'].includes(codeOf(error)) ? 'unreadable' : 'other';
  }
}

const SECOND = 1_000_000_000n;

function entryOf(path: string, { stats, mode, object }: Found): IndexEntry {
  const name = toBytes(path);
  const data = Buffer.alloc(ENTRY);
  const fields = [
    stats.ctimeNs / SECOND,
    stats.ctimeNs % SECOND,
    stats.mtimeNs / SECOND,
    stats.mtimeNs % SECOND,
    stats.dev,
    stats.ino,
    BigInt(mode),
    stats.uid,
    stats.gid,
    stats.size,
  ];
  for (const [at, value] of fields.entries()) data.writeUInt32BE(Number(BigInt.asUintN(32, value)), at * 4);
  data.write(object.oid, 40, 'hex');
  data.writeUInt16BE(Math.min(name.length, 0xfff), 60);
  return { data, name, path };
}
