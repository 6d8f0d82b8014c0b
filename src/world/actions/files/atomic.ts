import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { HeldFolder, LocatedPath } from '../../workspace/index.ts';
import { isUntouched } from './file-state.ts';
import { FileProblem } from './problem.ts';

/** Makes what is in a folder durable. Systems that cannot do that for folders do it by themselves. */
export async function syncFolder(folder: HeldFolder): Promise<void> {
  const handle = await open(folder.at('.'), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await handle.close();
  }
}

/** A new file, which must not be there yet; it is there whole and durable, or the error is thrown and it is not. */
export async function makeFile(
  folder: HeldFolder,
  name: string,
  like: Stats | null,
  fill: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const handle = await open(folder.at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, like ? 0o600 : 0o666);
  try {
    try {
      await fill(handle);
      if (like !== null) await keepRights(handle, like);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    await rm(folder.at(name), { force: true }).catch(() => {});
    throw error;
  }
}

/** Mode and, where this process may, owner. The owner first: changing it takes away set-user-id bits. */
async function keepRights(handle: FileHandle, like: Stats): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== like.uid || own.gid !== like.gid) await handle.chown(like.uid, like.gid).catch(() => {});
  await handle.chmod(like.mode & 0o7777);
}

/**
 * Puts a file with this content in the place, in one go: whoever looks finds what was there before or all of the
 * new, after a power failure too. The mode of what was there is kept.
 */
export async function replaceFile(place: LocatedPath, content: Uint8Array, temporary: string): Promise<void> {
  const { folder, entry } = place;
  await rm(folder.at(temporary), { force: true });
  await makeFile(folder, temporary, entry.stats, (file) => file.writeFile(content));
  await putInPlace(place, temporary);
}

/** Moves what is ready under a temporary name to its place, unless somebody has changed what is there meanwhile. */
export async function putInPlace(place: LocatedPath, temporary: string): Promise<void> {
  const { folder } = place;
  try {
    if (!isUntouched(place)) throw new FileProblem(`${place.path} was changed by somebody else meanwhile`);
    await rename(folder.at(temporary), place.here());
  } catch (error) {
    await rm(folder.at(temporary), { force: true, recursive: true }).catch(() => {});
    throw error;
  }
  await syncFolder(folder);
}
