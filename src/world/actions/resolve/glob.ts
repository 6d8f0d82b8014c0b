import { type Dirent, readdirSync } from 'node:fs';
import { hasPattern, namePattern, type PatternPiece, plainText } from '../../../core/shell/index.ts';
import type { RealPaths } from './real-paths.ts';

/** So many names are read of one folder, and so many matches made; beyond it a pattern stays unresolved. */
export const MAX_MATCHES = 100_000;

/** A word that a pattern became. `kind`: what was read in its folder, where it is known and no link. */
export interface GlobMatch {
  readonly value: string;
  readonly kind?: 'file' | 'folder' | 'special';
}

export interface Globber {
  /**
   * The words that bash makes of a pattern, in the order of their characters; none where nothing matches; null
   * where it cannot be said (a set we do not read, too many matches). A missing or unreadable folder matches nothing.
   */
  match(pieces: readonly PatternPiece[], cwd: string): GlobMatch[] | null;
}

export function createGlobber(real: RealPaths): Globber {
  const folders = new Map<string, Dirent[] | null>();

  const entries = (folder: string): Dirent[] | null => {
    const at = real.find(folder, true);
    if (at.kind !== 'folder') return [];
    let list = folders.get(at.path);
    if (list === undefined) {
      real.sawMore();
      list = readFolder(at.path);
      folders.set(at.path, list);
    }
    return list;
  };

  return {
    match(pieces, cwd) {
      const parts = components(pieces);
      const rooted = plainText(pieces).startsWith('/');
      let found: GlobMatch[] = [{ value: rooted ? '/' : '' }];
      for (const [index, part] of parts.entries()) {
        const last = index === parts.length - 1;
        const next: GlobMatch[] = [];
        const pattern = hasPattern(part) ? namePattern(part) : undefined;
        if (pattern === null) return null;
        for (const { value: base } of found) {
          if (!pattern) {
            const path = base + plainText(part) + (last ? '' : '/');
            if (!last || exists(path, cwd, real)) next.push({ value: path });
            continue;
          }
          const list = entries(absolute(base, cwd));
          if (list === null) return null;
          for (const entry of list) {
            if (!pattern.test(entry.name)) continue;
            if (!last && !isFolder(entry, base, cwd, real)) continue;
            next.push(last ? matchOf(base, entry) : { value: `${base}${entry.name}/` });
          }
          if (next.length > MAX_MATCHES) return null;
        }
        found = next;
      }
      return found.sort((a, b) => (a.value < b.value ? -1 : 1));
    },
  };
}

/** Splits at slashes, keeping them out; a slash at the end leaves an empty last component. */
function components(pieces: readonly PatternPiece[]): PatternPiece[][] {
  const parts: PatternPiece[][] = [[]];
  for (const piece of pieces) {
    for (const [index, text] of piece.text.split('/').entries()) {
      if (index > 0) parts.push([]);
      if (text !== '') parts.at(-1)?.push({ text, active: piece.active });
    }
  }
  return parts.filter((part, index) => part.length > 0 || (index === parts.length - 1 && index > 0));
}

function readFolder(path: string): Dirent[] | null {
  try {
    const list = readdirSync(path, { withFileTypes: true });
    return list.length > MAX_MATCHES ? null : list;
  } catch {
    return [];
  }
}

function matchOf(base: string, entry: Dirent): GlobMatch {
  const value = base + entry.name;
  if (entry.isSymbolicLink()) return { value };
  return { value, kind: entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'special' };
}

const absolute = (path: string, cwd: string): string => (path.startsWith('/') ? path : `${cwd}/${path}`);

const exists = (path: string, cwd: string, real: RealPaths): boolean =>
  real.find(absolute(path, cwd), false).kind !== 'missing';

const isFolder = (entry: Dirent, base: string, cwd: string, real: RealPaths): boolean =>
  entry.isDirectory() ||
  (entry.isSymbolicLink() && real.find(absolute(base + entry.name, cwd), true).kind === 'folder');
