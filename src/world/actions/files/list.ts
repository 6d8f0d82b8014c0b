import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { type ActionOf, MAX_ITEMS } from '../../../core/contract/index.ts';
import {
  ConfinementError,
  entryAt,
  type HeldFolder,
  locate,
  type Whereabouts,
} from '../../workspace/index.ts';
import type { Prepare } from './change.ts';
import { alternatives, type Segment, segmentsOf, splitPattern } from './glob.ts';
import { FileProblem } from './problem.ts';

/** Others get their turn after so many folders. */
const FOLDERS_AT_ONCE = 50;

/** Files that match, as absolute paths in the order of their bytes. No folders, no pipes, nothing of `.git`. */
export const prepareList: Prepare<ActionOf<'list-files'>> = async (action, { where }) => {
  const found = new Set<string>();
  for (const pattern of alternatives(action.pattern)) {
    const { base, rest } = splitPattern(pattern);
    if (rest.split('/').includes('..')) throw new FileProblem(`${pattern}: .. cannot come behind a pattern`);
    if (!base.split('/').includes('.git')) await listBeneath(base, segmentsOf(rest), where, found);
  }
  const value = [...found].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const sentence = `found ${value.length === 1 ? '1 file' : `${value.length} files`} for ${action.pattern}`;
  return { changes: [], sentence, captured: { key: action.as, value }, close() {} };
};

async function listBeneath(
  base: string,
  segments: Segment[],
  where: Whereabouts,
  found: Set<string>,
): Promise<void> {
  let start: HeldFolder;
  try {
    const place = locate(where, base, { follow: true });
    try {
      if (place.entry.kind !== 'folder') return;
      start = place.folder.open(place.name === '' ? '.' : place.name);
    } finally {
      place.close();
    }
  } catch (error) {
    if (error instanceof ConfinementError && (error.code === 'missing' || error.code === 'not-a-folder'))
      return;
    throw error;
  }
  const walk = createWalk(where, found);
  try {
    await walk(start, [segments]);
  } finally {
    start.close();
  }
}

/** Goes through a folder once, for all the ways in which the segments can still be matched from there. */
function createWalk(where: Whereabouts, found: Set<string>) {
  let folders = 0;
  const walk = async (folder: HeldFolder, ways: Segment[][]): Promise<void> => {
    if ((folders += 1) % FOLDERS_AT_ONCE === 0) await turn();
    const here = ways.flatMap(expand);
    for (const name of readdirSync(folder.at('.'))) {
      if (name === '.git') continue;
      const next = here.flatMap((way) => follow(way, name));
      if (next.length > 0) await visit(folder, name, next);
    }
  };

  const visit = async (folder: HeldFolder, name: string, next: Step[]): Promise<void> => {
    const { kind } = entryAt(folder.at(name));
    const ends = next.some(({ rest }) => rest.length === 0);
    if (ends && (kind === 'file' || (kind === 'link' && leadsToFile(folder, name)))) {
      found.add(join(folder.path, name));
      if (found.size > MAX_ITEMS)
        throw new FileProblem(`more than ${MAX_ITEMS} files match: use a narrower pattern`);
    }
    const deeper = next.filter(({ rest }) => rest.length > 0);
    if (deeper.length === 0) return;
    const inner = openInner(folder, name, kind, deeper);
    if (inner === null) return;
    try {
      await walk(inner.folder, inner.ways);
    } finally {
      inner.folder.close();
    }
  };

  /** `**` goes through no link: it could lead in circles. A segment that names one does, where it stays inside. */
  const openInner = (folder: HeldFolder, name: string, kind: string, deeper: Step[]) => {
    if (kind === 'folder') return { folder: folder.open(name), ways: deeper.map(({ rest }) => rest) };
    const named = deeper.filter(({ byStars }) => !byStars);
    if (kind !== 'link' || named.length === 0) return null;
    const place = tryLocate(join(folder.path, name));
    if (place === null) return null;
    try {
      if (place.entry.kind !== 'folder') return null;
      // What is found behind a link is told where it really is.
      const inner = place.folder.open(place.name === '' ? '.' : place.name);
      return { folder: inner, ways: named.map(({ rest }) => rest) };
    } finally {
      place.close();
    }
  };

  const leadsToFile = (folder: HeldFolder, name: string): boolean => {
    const place = tryLocate(join(folder.path, name));
    if (place === null) return false;
    try {
      return place.entry.kind === 'file';
    } finally {
      place.close();
    }
  };

  const tryLocate = (path: string) => {
    try {
      return locate(where, path, { follow: true });
    } catch {
      return null;
    }
  };
  return walk;
}

interface Step {
  rest: Segment[];
  /** A folder that `**` stands for. */
  byStars: boolean;
}

/** `**` may stand for no folder at all. */
const expand = (way: Segment[]): Segment[][] =>
  way[0] === '**' && way.length > 1 ? [way, ...expand(way.slice(1))] : [way];

/** What is left to match behind this name; nothing where it does not match. */
function follow(way: Segment[], name: string): Step[] {
  const [first, ...rest] = way;
  if (first === undefined) return [];
  if (first !== '**') return first(name) ? [{ rest, byStars: false }] : [];
  if (name.startsWith('.')) return [];
  // At the end it stands for everything beneath, too.
  return rest.length === 0
    ? [
        { rest: [], byStars: true },
        { rest: way, byStars: true },
      ]
    : [{ rest: way, byStars: true }];
}
