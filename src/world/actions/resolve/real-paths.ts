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
  /** Asks something else of the world, and remembers the answer. */
  ask(question: () => boolean): boolean;
  /** Something was looked at that is not remembered here. */
  sawMore(): void;
  /** Looks at all of it again, and says whether it is as it was; null where more was looked at than is remembered. */
  proof(): (() => boolean) | null;
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
    const rest = partsOf(path).reverse();
    /** Empty for the root. */
    let at = '';
    let kind: PathKind = 'folder';
    let links = 0;
    for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
      if (part === '..') {
        at = above(at);
        continue;
      }
      const here = `${at}/${part}`;
      // Nothing lies below what is no folder; below what may not be seen, nothing can be said.
      const entry: Seen = kind === 'folder' ? look(here) : { kind: kind === 'hidden' ? kind : 'missing' };
      if (entry.target === undefined || (rest.length === 0 && !followLast)) {
        kind = entry.kind;
        if (entry.target !== undefined)
          return { path: here, kind, leadsTo: find(from(at, entry.target), true).path };
        at = here;
        continue;
      }
      links += 1;
      if (links > MAX_LINKS)
        return { path: [here, ...rest.reverse()].join('/'), kind: 'missing', leadsTo: here };
      rest.push(...partsOf(entry.target).reverse());
      if (entry.target.startsWith('/')) at = '';
    }
    return { path: at === '' ? '/' : at, kind };
  };
  const asked: { question: () => boolean; answer: boolean }[] = [];
  let isWhole = true;
  const isStill = (): boolean =>
    seen.entries().every(([path, { kind, target }]) => {
      const now = lookAt(path);
      return now.kind === kind && now.target === target;
    }) && asked.every(({ question, answer }) => question() === answer);
  return {
    find,
    ask(question) {
      const answer = question();
      asked.push({ question, answer });
      return answer;
    },
    sawMore() {
      isWhole = false;
    },
    proof: () => (isWhole ? isStill : null),
  };
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.');

const above = (folder: string): string => folder.slice(0, Math.max(0, folder.lastIndexOf('/')));

const from = (folder: string, target: string): string =>
  target.startsWith('/') ? target : `${folder}/${target}`;

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
