import { createHash } from 'node:crypto';
import { constants, existsSync, lstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { temporaryPrefix } from '../folder-record.ts';
import { onDisk, within } from '../path-bytes.ts';

/** A folder of the workspace that is held open: whatever its name comes to mean, this stays the folder. */
export interface Anchor {
  /** For `node:fs`: a name in this very folder. */
  at(name: string): string | Buffer;
  /** Makes what was done in it survive a power cut. */
  sync(): Promise<void>;
  chmod(mode: number): Promise<void>;
  close(): Promise<void>;
}

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Names below a descriptor: what `openat` is to other languages. Elsewhere each part is looked at before. */
const descriptors = '/proc/self/fd';
const hasDescriptors = existsSync(descriptors);

class NotAFolder extends Error {
  readonly code = 'ENOTDIR';
}

async function openBelow(parent: FileHandle, parentPath: string, name: string): Promise<FileHandle> {
  if (hasDescriptors) return open(onDisk(`${descriptors}/${parent.fd}/${name}`), folderFlags);
  const path = onDisk(within(parentPath, name));
  if (!lstatSync(path).isDirectory()) throw new NotAFolder(`${name} is not a folder`);
  return open(path, folderFlags);
}

/**
 * Opens a folder of the workspace part by part, and no part through a link: a folder that was exchanged for a link
 * cannot lead outside. Rejects with the system's error (ENOENT, ENOTDIR, ELOOP).
 */
export async function anchor(workspace: string, folder: string): Promise<Anchor> {
  let handle = await open(onDisk(workspace), folderFlags);
  let path = workspace;
  for (const name of folder === '' ? [] : folder.split('/')) {
    const parent = handle;
    try {
      handle = await openBelow(parent, path, name);
    } finally {
      await parent.close();
    }
    path = within(path, name);
  }
  const base = hasDescriptors ? `${descriptors}/${handle.fd}` : path;
  return {
    at: (name) => onDisk(`${base}/${name}`),
    sync: () => handle.sync(),
    chmod: (mode) => handle.chmod(mode),
    close: () => handle.close(),
  };
}

/** The one name that a path's new contents have before they have its own. A later undo finds and removes it. */
export const temporaryName = (path: string): string =>
  temporaryPrefix + createHash('sha1').update(path).digest('hex').slice(0, 16);
