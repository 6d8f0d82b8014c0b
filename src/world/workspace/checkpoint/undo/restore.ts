import { constants } from 'node:fs';
import { lstat, mkdir, open, rename, rmdir, symlink, unlink } from 'node:fs/promises';
import { codeOf } from '../errors.ts';
import { nameOf, parentOf } from '../path-bytes.ts';
import { type CoveredEntry, type OnPoint, sameEntry } from '../types.ts';
import { type Anchor, anchor, temporaryName } from './anchored.ts';
import { lookAt, stampAt } from './present.ts';
import type { Restoration } from './types.ts';

export interface Restorer {
  workspace: string;
  /** The bytes of a blob of the private repository. */
  read(oid: string): Promise<Buffer>;
  onPoint: OnPoint;
}

/** It is no longer what the plan saw. */
export class ChangedMeanwhile extends Error {
  readonly code = 'changed-meanwhile';
}

async function inParent<T>(
  { workspace }: Restorer,
  path: string,
  work: (folder: Anchor, name: string) => Promise<T>,
): Promise<T> {
  const folder = await anchor(workspace, parentOf(path));
  try {
    return await work(folder, nameOf(path));
  } finally {
    await folder.close();
  }
}

/** Looks once more. Resolves with the stamp, which must be the same when it is replaced. */
async function stillAsPlanned({ workspace }: Restorer, item: Restoration): Promise<string> {
  const { entry, stamp } = await lookAt(workspace, item.path);
  if (sameEntry(entry, item.present)) return stamp;
  throw new ChangedMeanwhile(`${item.path} was changed while the undo was going on.`);
}

const removeIfThere = async (path: string | Buffer): Promise<void> => {
  try {
    await unlink(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
};

/** Removes what a killed undo left of this path. Rejects with the system's error. */
export const removeTemporary = (restorer: Restorer, path: string): Promise<void> =>
  inParent(restorer, path, (folder) => removeIfThere(folder.at(temporaryName(path))));

export async function removeFile(restorer: Restorer, item: Restoration): Promise<void> {
  const stamp = await stillAsPlanned(restorer, item);
  restorer.onPoint('looked');
  await inParent(restorer, item.path, async (folder, name) => {
    if (stampAt(folder.at(name)) !== stamp) throw new ChangedMeanwhile(`${item.path} was changed.`);
    await unlink(folder.at(name));
    await folder.sync();
  });
}

/** Only if it is empty: never what is in it. */
export const removeFolder = (restorer: Restorer, { path }: Restoration): Promise<void> =>
  inParent(restorer, path, async (folder, name) => {
    await rmdir(folder.at(name));
    await folder.sync();
  });

/** With enough rights to be filled; `setFolderMode` gives it its own. A folder that is there stays. */
export const makeFolder = (restorer: Restorer, path: string, mode: number): Promise<void> =>
  inParent(restorer, path, async (folder, name) => {
    try {
      await mkdir(folder.at(name), { mode: mode | 0o700 });
      await folder.sync();
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || !(await lstat(folder.at(name))).isDirectory()) throw error;
    }
  });

export async function setFolderMode({ workspace }: Restorer, path: string, mode: number): Promise<void> {
  const folder = await anchor(workspace, path);
  try {
    await folder.chmod(mode);
  } finally {
    await folder.close();
  }
}

/** Whole or not at all: made under another name, synced, and renamed over what is there. */
export async function writeEntry(restorer: Restorer, item: Restoration, entry: CoveredEntry): Promise<void> {
  if (entry.kind === 'folder') return;
  const stamp = await stillAsPlanned(restorer, item);
  if (await chmodOnly(restorer, item, entry)) return;
  const content = await restorer.read(entry.oid);
  await inParent(restorer, item.path, async (folder, name) => {
    const temporary = folder.at(temporaryName(item.path));
    await removeIfThere(temporary);
    if (entry.kind === 'link') await symlink(content, temporary);
    else await writeTemporary(temporary, content, entry.mode);
    restorer.onPoint('temporary');
    if (stampAt(folder.at(name)) !== stamp) {
      await removeIfThere(temporary);
      throw new ChangedMeanwhile(`${item.path} was changed while the undo was going on.`);
    }
    await rename(temporary, folder.at(name));
    restorer.onPoint('renamed');
    await folder.sync();
  });
}

async function writeTemporary(path: string | Buffer, content: Buffer, mode: number): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    await file.writeFile(content);
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Where the bytes are the same, the file keeps its place and gets its mode back. False: it must be written. */
async function chmodOnly(
  restorer: Restorer,
  { path, present }: Restoration,
  entry: CoveredEntry,
): Promise<boolean> {
  if (entry.kind !== 'file' || present?.kind !== 'file' || present.oid !== entry.oid) return false;
  return inParent(restorer, path, async (folder, name) => {
    try {
      const file = await open(
        folder.at(name),
        constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
      );
      try {
        await file.chmod(entry.mode);
        await file.sync();
      } finally {
        await file.close();
      }
      return true;
    } catch {
      return false;
    }
  });
}
