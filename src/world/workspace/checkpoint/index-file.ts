import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fromBytes, toBytes } from './path-bytes.ts';
import type { IndexedTree } from './trees.ts';

/** Beyond this git is faster: it looks with several threads. */
export const MOST_BYTES = 256 * 1024;

/** What comes before the name of an entry: ten fields of four bytes, the object's name, and marks. */
export const ENTRY = 62;
const HASH = 20;

/** One row of the index: its data as git keeps it, and its name from the top of the repository. */
export interface IndexEntry {
  data: Buffer;
  name: Buffer;
  path: string;
}

export interface IndexFile {
  entries: IndexEntry[];
  /** When it was written, in nanoseconds. */
  written: bigint;
}

/** Null where it is too large, or none that this reads: git knows what to make of it. */
export function readIndexFile(gitDir: string): IndexFile | null {
  const file = join(gitDir, 'index');
  let bytes: Buffer;
  let written: bigint;
  try {
    if (statSync(file).size > MOST_BYTES) return null;
    written = statSync(file, { bigint: true }).mtimeNs;
    bytes = readFileSync(file);
  } catch {
    return null;
  }
  const version = bytes.length < 12 + HASH ? 0 : bytes.readUInt32BE(4);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || (version !== 2 && version !== 4)) return null;
  const entries: IndexEntry[] = [];
  const end = bytes.length - HASH;
  let before: Buffer = Buffer.alloc(0);
  let at = 12;
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    // Of an entry with any mark of its own (assumed unchanged, a stage, more flags), git knows what to make.
    if (at + ENTRY >= end || (bytes.readUInt16BE(at + 60) & 0xf000) !== 0) return null;
    const named = nameAt(bytes, at, before, version);
    if (named === null || named.next > end) return null;
    entries.push({
      data: bytes.subarray(at, at + ENTRY),
      name: named.name,
      path: fromBytes(named.name),
    });
    before = named.name;
    at = named.next;
  }
  return hasOnlyKnown(bytes, at) ? { entries, written } : null;
}

const checksumOf = (body: Buffer): Buffer => createHash('sha1').update(body).digest();

/** A small one is written over, and not synced: where the machine ended meanwhile it may be half of two. Git does not look. */
export function isWholeIndex(file: string): boolean {
  const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (size === 0 || size > MOST_BYTES) return true;
  const bytes = readFileSync(file);
  return checksumOf(bytes.subarray(0, -HASH)).equals(bytes.subarray(-HASH));
}

/** In version 4 a name is what is left of the one before, after so many bytes are taken off its end, and what follows. */
function nameAt(
  bytes: Buffer,
  entry: number,
  before: Buffer,
  version: number,
): { name: Buffer; next: number } | null {
  const start = entry + ENTRY;
  if (version === 2) {
    const end = bytes.indexOf(0, start);
    return end === -1 ? null : { name: bytes.subarray(start, end), next: entry + ((end - entry + 8) & ~7) };
  }
  let at = start;
  let byte = bytes[at++] ?? 0;
  let taken = byte & 127;
  while ((byte & 128) !== 0 && taken < bytes.length) {
    byte = bytes[at++] ?? 0;
    taken = (taken + 1) * 128 + (byte & 127);
  }
  const end = bytes.indexOf(0, at);
  if (end === -1 || taken > before.length) return null;
  const name = Buffer.concat([before.subarray(0, before.length - taken), bytes.subarray(at, end)]);
  return { name, next: end + 1 };
}

/** Extensions that add nothing to the entries: the cached tree, and what was resolved. */
function hasOnlyKnown(bytes: Buffer, from: number): boolean {
  let at = from;
  while (at + 8 <= bytes.length - HASH) {
    if (!/^(?:TREE|REUC|EOIE|IEOT)$/.test(bytes.toString('latin1', at, at + 4))) return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === bytes.length - HASH;
}

/** An index of version 4, as it is on the disk. Its trees are in it, so that they are kept as long as it is. */
export function indexFile(entries: readonly IndexEntry[], tree: IndexedTree): Buffer {
  const head = Buffer.alloc(12);
  head.write('DIRC', 'latin1');
  head.writeUInt32BE(4, 4);
  head.writeUInt32BE(entries.length, 8);
  const pieces: Buffer[] = [head];
  let before: Buffer = Buffer.alloc(0);
  for (const { data, name } of entries) {
    let same = 0;
    while (same < before.length && same < name.length && before[same] === name[same]) same += 1;
    pieces.push(data, varint(before.length - same), name.subarray(same), NUL);
    before = name;
  }
  const cached = Buffer.concat(cachedTree(tree, ''));
  const extension = Buffer.alloc(8);
  extension.write('TREE', 'latin1');
  extension.writeUInt32BE(cached.length, 4);
  const body = Buffer.concat([...pieces, extension, cached]);
  return Buffer.concat([body, checksumOf(body)]);
}

const NUL = Buffer.alloc(1);

/** The number that `nameAt` reads. */
function varint(value: number): Buffer {
  const bytes = [value & 127];
  for (let left = value >> 7; left > 0; left >>= 7) {
    left -= 1;
    bytes.unshift(128 | (left & 127));
  }
  return Buffer.from(bytes);
}

const cachedTree = ({ oid, count, below }: IndexedTree, name: string): Buffer[] => [
  toBytes(`${name}\0${count} ${below.length}\n`),
  Buffer.from(oid, 'hex'),
  ...below.flatMap((each) => cachedTree(each.tree, each.name)),
];
