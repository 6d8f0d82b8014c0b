import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import { codeOf } from './errors.ts';
import { toBytes } from './path-bytes.ts';

type ObjectType = 'blob' | 'tree' | 'commit';

const header = (type: ObjectType, size: number): Buffer => Buffer.from(`${type} ${size}\0`);

/** A hash that ends as git's name for the object, once `size` bytes went into it. */
export const oidHash = (size: number) => createHash('sha1').update(header('blob', size));
export const oidOf = (type: ObjectType, content: Buffer): string =>
  createHash('sha1').update(header(type, content.length)).update(content).digest('hex');

const sync = promisify(fsync);

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
  const opened: (DurableFile & { temporary: string; file: number })[] = [];
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
  for (const { path, temporary, before } of opened) {
    before?.();
    renameSync(temporary, path);
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

/**
 * Writes loose objects, all at once, and where it is given a file that names them, which is there when they are. For the few
 * of every checkpoint this is cheaper than starting git.
 */
export async function writeObjects(gitDir: string, objects: GitObject[], last?: DurableFile): Promise<void> {
  const paths = new Map(
    objects.map((object) => [join(gitDir, 'objects', object.oid.slice(0, 2), object.oid.slice(2)), object]),
  );
  const files = [...paths].flatMap(([path, { type, content }]) => {
    if (existsSync(path)) return [];
    const whole = Buffer.concat([header(type, content.length), content]);
    return [{ path, content: deflateSync(whole, { level: 1 }) }];
  });
  await writeAllDurably(last === undefined ? files : [...files, last]);
}
