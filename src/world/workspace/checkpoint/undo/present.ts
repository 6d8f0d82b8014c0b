import { constants, createReadStream, lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { stampOf, temporaryPrefix } from '../folder-record.ts';
import { oidHash, oidOf } from '../objects.ts';
import { ancestorsOf, fromBytes, onDisk, within } from '../path-bytes.ts';
import type { Known } from '../types.ts';

export interface Present {
  entry: Known;
  /** Tells one state from another without reading it; '' where nothing is there. */
  stamp: string;
  /** A folder above it that is none: nothing can be there. */
  blockedBy: string | null;
}

const look = (workspace: string, path: string): Stats | undefined =>
  lstatSync(onDisk(within(workspace, path)), { throwIfNoEntry: false });

/** What is at a path now. No link is followed. Never throws: what cannot be read is 'uncovered'. */
export async function lookAt(workspace: string, path: string): Promise<Present> {
  try {
    for (const folder of ancestorsOf(path)) {
      const stats = look(workspace, folder);
      if (stats === undefined) return { entry: null, stamp: '', blockedBy: null };
      if (!stats.isDirectory()) return { entry: null, stamp: '', blockedBy: folder };
    }
    const stats = look(workspace, path);
    if (stats === undefined) return { entry: null, stamp: '', blockedBy: null };
    return { entry: await entryAt(within(workspace, path), stats), stamp: stampOf(stats), blockedBy: null };
  } catch {
    return { entry: { kind: 'uncovered', why: 'unreadable' }, stamp: '', blockedBy: null };
  }
}

async function entryAt(path: string, stats: Stats): Promise<Known> {
  const mode = stats.mode & 0o7777;
  if (stats.isDirectory()) return { kind: 'folder', mode };
  if (stats.isSymbolicLink())
    return { kind: 'link', oid: oidOf('blob', readlinkSync(onDisk(path), { encoding: 'buffer' })) };
  if (!stats.isFile()) return { kind: 'uncovered', why: 'special-file', stamp: stampOf(stats) };
  const hash = oidHash(stats.size);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
  for await (const chunk of createReadStream(onDisk(path), { flags: flags as unknown as string }))
    hash.update(chunk);
  return { kind: 'file', oid: hash.digest('hex'), mode };
}

/** The stamp alone, for a second look just before something is replaced. */
export function stampAt(path: string | Buffer): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? '' : stampOf(stats);
}

/** Names in a folder without undo's own; null where it cannot be read. */
export function namesIn(workspace: string, path: string): string[] | null {
  try {
    const names = readdirSync(onDisk(within(workspace, path)), { encoding: 'buffer' }).map(fromBytes);
    return names.filter((name) => !name.startsWith(temporaryPrefix));
  } catch {
    return null;
  }
}
