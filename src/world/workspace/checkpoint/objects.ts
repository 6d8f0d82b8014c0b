import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import { codeOf } from './errors.ts';
import { toBytes } from './path-bytes.ts';
import { smallPack } from './small-pack.ts';

type ObjectType = 'blob' | 'tree' | 'commit';

const header = (type: ObjectType, size: number): Buffer => Buffer.from(`${type} ${size}\0`);

/** A hash that ends as git's name for the object, once `size` bytes went into it. */
export const oidHash = (size: number) => createHash('sha1').update(header('blob', size));
export const oidOf = (type: ObjectType, content: Buffer): string =>
  createHash('sha1').update(header(type, content.length)).update(content).digest('hex');

const sync = (file: number): Promise<void> => promisify(fsync)(file);

type Opened = DurableFile & { temporary: string; file: number };

interface DurableFile {
  path: string;
  content: Buffer | string;
  /** Where it is written first, on the same disk; beside its place where none is named. */
  temporary?: string;
  /** Called when all before it are in their places, and it is not. */
  before?(): void;
}

/** Writes a file that is whole or not there, and on the disk when this resolves. */
export const writeDurably = (path: string, content: Buffer | string): Promise<void> =>
  writeAllDurably([{ path, content }]);

/**
 * Only the disk is waited for, for all at once: every other call is over sooner than it is handed to another thread. They
 * come to their places in order, when all of them are on the disk.
 */
async function writeAllDurably(files: readonly DurableFile[]): Promise<void> {
  const opened: Opened[] = [];
  try {
    await writeTemporaries(files, opened);
    for (const { path, temporary, before } of opened) {
      before?.();
      renameSync(temporary, path);
    }
  } catch (error) {
    // What a full disk has cut off would take its room for ever.
    for (const { temporary } of opened) rmSync(temporary, { force: true });
    throw error;
  }
}

async function writeTemporaries(files: readonly DurableFile[], opened: Opened[]): Promise<void> {
  try {
    for (const each of files) {
      const { path, content, temporary = `${path}.${process.pid}.tmp` } = each;
      const file = openForWriting(temporary);
      opened.push({ ...each, temporary, file });
      writeFileSync(file, content);
    }
    await Promise.all(opened.map(({ file }) => sync(file)));
  } finally {
    for (const { file } of opened) closeSync(file);
  }
}

function openForWriting(path: string): number {
  try {
    return openSync(path, 'w', 0o600);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, 'w', 0o600);
  }
}

/** An object that has its name and is not written yet. */
export interface GitObject {
  oid: string;
  type: ObjectType;
  content: Buffer;
}

const objectOf = (type: ObjectType, content: Buffer): GitObject => ({
  oid: oidOf(type, content),
  type,
  content,
});

export const blobOf = (content: Buffer | string): GitObject => objectOf('blob', Buffer.from(content));

export interface TreeItem {
  mode: '100644' | '100755' | '120000' | '40000';
  name: string;
  oid: string;
}

/** Items must be in git's order: a folder as if its name ended with a slash. */
export const treeObject = (items: TreeItem[]): GitObject =>
  objectOf(
    'tree',
    Buffer.concat(
      items.flatMap(({ mode, name, oid }) => [toBytes(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]),
    ),
  );

export function commitOf(tree: string, message: string, at: number): GitObject {
  const who = `planwright <planwright> ${Math.floor(at / 1000)} +0000`;
  return objectOf('commit', Buffer.from(`tree ${tree}\nauthor ${who}\ncommitter ${who}\n\n${message}\n`));
}

/** What is larger is written by itself, so that it is not written again where it is there already. */
const SMALL = 64 * 1024;

/**
 * Writes objects, all at once, and where it is given a file that names them, which is there when they are. For the few of
 * every checkpoint this is cheaper than starting git. Several small ones are one pack: each file more, and each folder that it is
 * the first in, costs as much as all their bytes.
 */
export async function writeObjects(gitDir: string, objects: GitObject[], last?: DurableFile): Promise<void> {
  const store = join(gitDir, 'objects');
  const pathOf = ({ oid }: GitObject): string => join(store, oid.slice(0, 2), oid.slice(2));
  const each = [...new Map(objects.map((object) => [object.oid, object])).values()];
  const missing = each.filter((object) => !existsSync(pathOf(object)));
  const small = missing.filter(({ content }) => content.length <= SMALL);
  const together = small.length > 1 ? small : [];
  const files = missing
    .filter((object) => !together.includes(object))
    .map((object) => ({ path: pathOf(object), content: looseObject(object) }));
  await writeAllDurably([
    ...files,
    ...(together.length === 0 ? [] : packFiles(store, together)),
    ...(last === undefined ? [] : [last]),
  ]);
}

const looseObject = ({ type, content }: GitObject): Buffer =>
  deflateSync(Buffer.concat([header(type, content.length), content]), { level: 1 });

/** An index names its pack: the pack comes first. */
function packFiles(store: string, objects: readonly GitObject[]): DurableFile[] {
  const { name, pack, index } = smallPack(objects);
  return [
    { path: join(store, 'pack', `${name}.pack`), content: pack },
    { path: join(store, 'pack', `${name}.idx`), content: index },
  ];
}
