import { type BigIntStats, lstatSync, type Stats } from 'node:fs';
import { ConfinementError } from './errors.ts';

/** What is at a place, without following a link. */
export type EntryKind = 'absent' | 'file' | 'folder' | 'link' | 'special';

export interface Entry {
  kind: EntryKind;
  /** Null where nothing is there. */
  stats: Stats | null;
}

/** Throws what the system says, except that nothing is there. */
export function entryAt(path: string): Entry {
  const stats = lstatSync(path, { throwIfNoEntry: false }) ?? null;
  return { kind: stats === null ? 'absent' : kindOf(stats), stats };
}

export function kindOf(stats: Stats | BigIntStats): Exclude<EntryKind, 'absent'> {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isSymbolicLink() ? 'link' : 'special';
}

/** For something that is neither file, folder nor link. Opening such a thing may wait for ever, or do something. */
export function specialError(path: string, stats: Stats | null): ConfinementError {
  const word = stats?.isFIFO() ? 'a named pipe' : stats?.isSocket() ? 'a socket' : 'a device';
  return new ConfinementError('special', `${path} is ${word}, not a file`);
}
