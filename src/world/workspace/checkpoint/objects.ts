import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { toBytes } from './path-bytes.ts';

type ObjectType = 'blob' | 'tree' | 'commit';

const header = (type: ObjectType, size: number): Buffer => Buffer.from(`${type} ${size}\0`);

/** A hash that ends as git's name for the object, once `size` bytes went into it. */
export const oidHash = (size: number) => createHash('sha1').update(header('blob', size));
export const oidOf = (type: ObjectType, content: Buffer): string =>
  createHash('sha1').update(header(type, content.length)).update(content).digest('hex');

/** Writes a file that is whole or not there, and on the disk when this resolves. */
export async function writeDurably(path: string, content: Buffer | string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
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
  mode: '100644' | '40000';
  name: string;
  oid: string;
}

/** Items must be in git's order; plain names of which none begins like another are when sorted. */
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

/** Writes loose objects, all at once. For the few of every checkpoint this is cheaper than starting git. */
export async function writeObjects(gitDir: string, objects: GitObject[]): Promise<void> {
  await Promise.all(objects.map((object) => writeObject(gitDir, object)));
}

async function writeObject(gitDir: string, { oid, type, content }: GitObject): Promise<void> {
  const folder = join(gitDir, 'objects', oid.slice(0, 2));
  const path = join(folder, oid.slice(2));
  if (existsSync(path)) return;
  mkdirSync(folder, { recursive: true });
  const whole = Buffer.concat([header(type, content.length), content]);
  await writeDurably(path, deflateSync(whole, { level: 1 }));
}
