import { lstatSync, readlinkSync } from 'node:fs';

/** What is at a path, looked at without opening it: a pipe or a device is never touched. */
export type PathKind = 'file' | 'folder' | 'link' | 'special' | 'missing' | 'hidden';

interface Seen {
  kind: PathKind;
  target?: string;
}

export interface Real {
  /** Absolute, without links on the way; what is missing is appended as written. */
  path: string;
  kind: PathKind;
  /** Where the link at the end leads, where it is not followed or leads in a circle. */
  leadsTo?: string;
}

export interface RealPaths {
  /**
   * Where an absolute path really is. A link at the end is followed with `follow`, or where a slash stands behind
   * it. Never throws.
   */
  find(path: string, follow: boolean): Real;
}

const MAX_LINKS = 40;

/** `/a/./b/../c/` → `/a/c` by its words alone, as a shell's `cd` remembers the way it came. */
export function byWords(path: string): string {
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') kept.pop();
    else if (part !== '' && part !== '.') kept.push(part);
  }
  return `/${kept.join('/')}`;
}

/** Resolves links as the kernel does. Every place is looked at once, so that one resolution sees one world. */
export function createRealPaths(): RealPaths {
  const seen = new Map<string, Seen>();
  const look = (path: string): Seen => {
    let found = seen.get(path);
    if (!found) seen.set(path, (found = lookAt(path)));
    return found;
  };

  const folders = new Map<string, Real>();
  const find = (path: string, follow: boolean): Real => {
    if (!follow) return walk(path, false);
    let found = folders.get(path);
    if (!found) folders.set(path, (found = walk(path, true)));
    return found;
  };

  const walk = (path: string, follow: boolean): Real => {
    const followLast = follow || /\/\.?$/.test(path);
    let rest = partsOf(path);
    let at: string[] = [];
    let kind: PathKind = 'folder';
    let links = 0;
    for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
      if (part === '..') {
        at.pop();
        continue;
      }
      const here = `/${[...at, part].join('/')}`;
      // Nothing lies below what is no folder; below what may not be seen, nothing can be said.
      const entry: Seen = kind === 'folder' ? look(here) : { kind: kind === 'hidden' ? kind : 'missing' };
      if (entry.target === undefined || (rest.length === 0 && !followLast)) {
        at.push(part);
        kind = entry.kind;
        if (entry.target !== undefined)
          return { path: here, kind, leadsTo: find(from(at.slice(0, -1), entry.target), true).path };
        continue;
      }
      links += 1;
      if (links > MAX_LINKS)
        return { path: `/${[...at, part, ...rest].join('/')}`, kind: 'missing', leadsTo: here };
      rest = [...partsOf(entry.target), ...rest];
      if (entry.target.startsWith('/')) at = [];
    }
    return { path: `/${at.join('/')}`, kind };
  };
  return { find };
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.');

const from = (folder: readonly string[], target: string): string =>
  target.startsWith('/') ? target : `/${[...folder, target].join('/')}`;

function lookAt(path: string): Seen {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return { kind: 'missing' };
    if (stats.isSymbolicLink()) return { kind: 'link', target: readlinkSync(path) };
    if (stats.isDirectory()) return { kind: 'folder' };
    return { kind: stats.isFile() ? 'file' : 'special' };
  } catch {
    return { kind: 'hidden' };
  }
}
