import type { GitPlace } from './git.ts';
import { lookUp, type TreeRow } from './look-up.ts';
import { entryOf, folderMode, type Manifest } from './manifest.ts';
import { ancestorsOf } from './path-bytes.ts';
import { compareTrees } from './read-objects.ts';
import type { SavedEntries } from './saved.ts';
import type { TreeSnapshot } from './snapshot.ts';
import {
  type Change,
  type ChangeKind,
  type CoveredEntry,
  type Known,
  sameEntry,
  type Uncovered,
} from './types.ts';

/** A checkpoint with all that it knows. */
export interface Side extends TreeSnapshot {
  saved: SavedEntries;
}

/** What differs between two checkpoints. */
export interface Comparison {
  changes: Change[];
  /** Not held by the earlier one, so that nobody can say what became of it; `changed` where the stamps differ. */
  unknown: (Uncovered & { changed: boolean })[];
}

/** Answers what one side knows of a path. */
type Look = (path: string) => Known;

export function lookIn({ manifest, saved }: Side, rows: Map<string, TreeRow>): Look {
  const folders = new Set(manifest.folders);
  const uncovered = new Map(manifest.uncovered.map((each) => [each.path, each]));
  return (path) => {
    const row = rows.get(path);
    const entry = row === undefined ? null : entryOf(manifest, path, row.mode, row.oid);
    if (entry !== null) return entry;
    if (folders.has(path)) return { kind: 'folder', mode: folderMode(manifest, path) };
    const kept = saved.get(path);
    if (kept !== undefined) return kept;
    const hidden = [...ancestorsOf(path), path].flatMap((each) => uncovered.get(each) ?? [])[0];
    if (hidden === undefined) return null;
    const { why, stamp } = hidden;
    return stamp === undefined ? { kind: 'uncovered', why } : { kind: 'uncovered', why, stamp };
  };
}

/** Paths whose mode or existence as a folder differs. */
function differingInManifests(before: Manifest, after: Manifest): Set<string> {
  const paths = new Set<string>();
  const [were, are] = [new Set(before.folders), new Set(after.folders)];
  for (const path of before.folders) if (!are.has(path)) paths.add(path);
  for (const path of after.folders) if (!were.has(path)) paths.add(path);
  const named = new Set([...Object.keys(before.modes), ...Object.keys(after.modes)]);
  for (const path of named) if (before.modes[path] !== after.modes[path]) paths.add(path);
  paths.delete('');
  return paths;
}

export const kindOf = (before: CoveredEntry | null, after: Known): ChangeKind => {
  if (before === null) return 'added';
  if (after === null) return 'removed';
  if (after.kind === 'uncovered') return 'modified';
  if (before.kind !== after.kind) return 'type-changed';
  return 'oid' in before && 'oid' in after && before.oid !== after.oid ? 'modified' : 'mode';
};

/**
 * The entries of both trees at the paths of a comparison. A path that git finds no difference at is the same in both,
 * and need be looked up only where it may be a file: for its other mode bits, or because it was saved.
 */
async function treeRows(
  place: GitPlace,
  before: Side,
  after: Side,
  paths: Set<string>,
): Promise<[Map<string, TreeRow>, Map<string, TreeRow>]> {
  const rows: [Map<string, TreeRow>, Map<string, TreeRow>] = [new Map(), new Map()];
  const folders = new Set([...before.manifest.folders, ...after.manifest.folders]);
  const asked = new Set([...paths].filter((path) => !folders.has(path)));
  for (const { path, ...sides } of await compareTrees(place, before.tree, after.tree)) {
    asked.delete(path);
    paths.add(path);
    if (sides.before.mode !== '000000') rows[0].set(path, sides.before);
    if (sides.after.mode !== '000000') rows[1].set(path, sides.after);
  }
  for (const [path, row] of await lookUp(place, before.tree, [...asked]))
    for (const side of rows) side.set(path, row);
  return rows;
}

/** In order of paths. Reads trees as far as they differ, and no file. */
export async function compare(place: GitPlace, before: Side, after: Side): Promise<Comparison> {
  const paths = differingInManifests(before.manifest, after.manifest);
  for (const path of [...before.saved.keys(), ...after.saved.keys()]) paths.add(path);
  const rows = await treeRows(place, before, after, paths);
  const [lookBefore, lookAfter] = [lookIn(before, rows[0]), lookIn(after, rows[1])];
  const changes: Change[] = [];
  for (const path of [...paths].toSorted()) {
    const [was, is] = [lookBefore(path), lookAfter(path)];
    if (was?.kind === 'uncovered' || sameEntry(was, is)) continue;
    // Nothing was there and something uncovered is: it appears among what is unknown.
    if (was === null && is?.kind === 'uncovered') continue;
    changes.push({ path, kind: kindOf(was, is), before: was, after: is });
  }
  return { changes, unknown: unknownOf(before.manifest, after.manifest, lookBefore, lookAfter) };
}

function unknownOf(
  before: Manifest,
  after: Manifest,
  lookBefore: Look,
  lookAfter: Look,
): Comparison['unknown'] {
  const found = new Map<string, Comparison['unknown'][number]>();
  const isHeld = (known: Known): boolean => known?.kind === 'file' || known?.kind === 'link';
  const later = new Map(after.uncovered.map((each) => [each.path, each]));
  for (const each of before.uncovered) {
    const now = later.get(each.path);
    const changed = now === undefined || now.why !== each.why || now.stamp !== each.stamp;
    if (!isHeld(lookBefore(each.path))) found.set(each.path, { ...each, changed });
  }
  // What is new there; what was covered is a change already.
  for (const each of after.uncovered) {
    if (found.has(each.path) || lookBefore(each.path) !== null || isHeld(lookAfter(each.path))) continue;
    found.set(each.path, { ...each, changed: true });
  }
  return [...found.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
