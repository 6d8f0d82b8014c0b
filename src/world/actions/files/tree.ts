import { readlinkSync } from 'node:fs';
import { chmod, mkdir, readdir, rmdir, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { entryAt, type Folder, specialError } from '../../workspace/index.ts';
import { makeFile, syncFolder } from './atomic.ts';
import { openFile, piecesOf } from './file-state.ts';
import { FileProblem } from './problem.ts';

interface Spot {
  folder: Folder;
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
      for (const name of await readdir(source.at('.')))
        await copyTree({ folder: source, name }, { folder: target, name }, signal);
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
    for (const entry of await readdir(inner.at('.'))) await removeTree({ folder: inner, name: entry });
  } finally {
    inner.close();
  }
  await rmdir(folder.at(name));
}
