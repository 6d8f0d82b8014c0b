import { type BigIntStats, type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { codeOf } from './errors.ts';
import { fromBytes, isGitName, onDisk } from './path-bytes.ts';

/** What one folder of the workspace holds besides covered files: enough to skip it while it does not change. */
export interface FolderRecord {
  /** Inode and time of last change; '' where the folder may change without its time changing. */
  stamp: string;
  mode: number;
  /** Names of folders to go into. */
  folders: string[];
  ignored: string[];
  special: string[];
  /** Names and stamps of files that are not covered for their size. */
  large: [name: string, stamp: string][];
  unreadable: string[];
  /** How many files are covered, and their bytes. */
  files: number;
  bytes: number;
  /** A repository of its own (it has a `.git`), or a folder that cannot be read: nothing in it is looked at. */
  closed?: 'nested-repository' | 'unreadable';
  /** It has a .gitignore. */
  rules?: true;
}

/** Files of this name are undo's own, on their way to another name (undo/anchored.ts). */
export const temporaryPrefix = '.planwright-undo-';

export interface FolderStat {
  stamp: string;
  mode: number;
  changedMs: number;
}

/** Null where there is no such folder (any more), 'hidden' where one may not look. Links are not followed. */
export function statFolder(path: string): FolderStat | null | 'hidden' {
  let found: BigIntStats | undefined;
  try {
    found = lstatSync(onDisk(path), { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    return codeOf(error) === 'ENOTDIR' ? null : 'hidden';
  }
  if (found === undefined || !found.isDirectory()) return null;
  return {
    // The time of the inode: programs that unpack files set the other one back.
    stamp: `${found.ino}:${found.ctimeNs}`,
    mode: Number(found.mode) & 0o7777,
    changedMs: Number(found.ctimeMs),
  };
}

/** Tells one state of a file from another without reading it. */
export const stampOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): string =>
  `${ino}:${size}:${mtimeMs}:${ctimeMs}`;

export interface FolderListing {
  folders: string[];
  /** Files and links. */
  files: string[];
  special: string[];
  hasGit: boolean;
}

/** The names in a folder by kind; null where it cannot be read (any more). */
export function listFolder(path: string): FolderListing | null {
  const listing: FolderListing = { folders: [], files: [], special: [], hasGit: false };
  try {
    for (const { name, entry } of readNames(path)) {
      if (isGitName(name)) listing.hasGit = true;
      else if (entry.isDirectory()) listing.folders.push(name);
      else if (!entry.isFile() && !entry.isSymbolicLink()) listing.special.push(name);
      else if (!name.startsWith(temporaryPrefix)) listing.files.push(name);
    }
    return listing;
  } catch (error) {
    if (['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'EIO'].includes(codeOf(error))) return null;
    throw error;
  }
}

type Kind = Pick<Dirent, 'isDirectory' | 'isFile' | 'isSymbolicLink'>;

/** Reading names as bytes costs twice as much, so it is done where a name turns out to need it. */
function readNames(path: string): { name: string; entry: Kind }[] {
  const entries = readdirSync(onDisk(path), { withFileTypes: true });
  if (!entries.some(({ name }) => name.includes('\ufffd')))
    return entries.map((entry) => ({ name: entry.name, entry }));
  const raw = readdirSync(onDisk(path), { withFileTypes: true, encoding: 'buffer' });
  return raw.map((entry) => ({ name: fromBytes(entry.name), entry }));
}
