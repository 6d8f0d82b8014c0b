import { readlinkSync } from 'node:fs';
import { chmod, mkdir, readdir, rmdir, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { entryAt, type HeldFolder, specialError } from '../../workspace/index.ts';
import { makeFile, syncFolder } from './atomic.ts';
import { openFile, piecesOf } from './file-state.ts';
import { FileProblem } from './problem.ts';

/** So many files of a folder are worked on at once: most of the time goes into waiting for the disk. */
const AT_ONCE = 8;

interface Spot {
  folder: HeldFolder;
  name: string;
}

/** Copies a file, a link or a folder with all that is in it; modes and links are kept. Nothing may be at `to`. */
export async function copyTree(from: Spot, to: Spot, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { kind, stats } = entryAt(from.folder.at(from.name));
  const shown = join(from.folder.path, from.name);
  if (kind === 'absent') throw new FileProblem(`${shown} went away while it was copied`);
  if (kind === 'special') throw specialError(shown, stats);
  if (kind === 'link') {
    await symlink(readlinkSync(from.folder.at(from.name)), to.folder.at(to.name));
  } else if (kind === 'file') {
    const source = await openFile(from.folder.at(from.name), shown);
    try {
      await makeFile(to.folder, to.name, await source.stat(), async (file) => {
        for await (const piece of piecesOf(source)) await file.writeFile(piece);
      });
    } finally {
      await source.close();
    }
  } else await copyFolder(from, to, stats!.mode & 0o7777, signal);
}

async function copyFolder(from: Spot, to: Spot, mode: number, signal: AbortSignal): Promise<void> {
  const source = from.folder.open(from.name);
  try {
    await mkdir(to.folder.at(to.name), 0o700);
    const target = to.folder.open(to.name);
    try {
      await eachIn(source, (name) => copyTree({ folder: source, name }, { folder: target, name }, signal));
      // At the end: a folder that may not be written could not be filled.
      await chmod(target.at('.'), mode);
      await syncFolder(target);
    } finally {
      target.close();
    }
  } finally {
    source.close();
  }
}

/** Removes a file, a link or a folder with all that is in it. Goes through no link. Nothing there is fine. */
export async function removeTree({ folder, name }: Spot): Promise<void> {
  const { kind } = entryAt(folder.at(name));
  if (kind === 'absent') return;
  if (kind !== 'folder') return unlink(folder.at(name));
  const inner = folder.open(name);
  try {
    await eachIn(inner, (entry) => removeTree({ folder: inner, name: entry }));
  } finally {
    inner.close();
  }
  await rmdir(folder.at(name));
}

/**
 * Its files a few at once, then its folders one by one: each holds descriptors, as many as it is deep. Ends when all that
 * was begun has ended, also where one fails: nobody works in a folder that is closed.
 */
async function eachIn(folder: HeldFolder, work: (name: string) => Promise<void>): Promise<void> {
  const entries = await readdir(folder.at('.'), { withFileTypes: true });
  const left = entries.filter((entry) => !entry.isDirectory()).values();
  let failed = false;
  const worker = async (): Promise<void> => {
    for (const { name } of left) {
      if (failed) return;
      await work(name).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  const broken = ends.find((end) => end.status === 'rejected');
  if (broken !== undefined) throw broken.reason;
  for (const entry of entries) if (entry.isDirectory()) await work(entry.name);
}
