import type { UndoConflict } from '../../../../core/contract/index.ts';
import { ancestorsOf, within } from '../path-bytes.ts';
import { type Change, type Known, sameEntry } from '../types.ts';
import type { Present } from './present.ts';
import type { Conflict, Restoration } from './types.ts';

export interface DecidedUndo {
  restore: Restoration[];
  conflicts: Conflict[];
  asBefore: string[];
}

export interface World {
  present(path: string): Present;
  /** Names in a folder as it is now; null where it cannot be read. */
  names(folder: string): string[] | null;
  isForced(path: string): boolean;
}

const kind = (known: Known): string => known?.kind ?? 'nothing';

/**
 * Three states decide: what was there before the run, what the run left, and what is there now.
 *
 *   now = before                        nothing to do
 *   now = what the run left             restore
 *   anything else                       a person was there: leave it alone
 *
 * Some states on the way are the undo's own, left by a kill in its middle, and count as what the run left: nothing
 * at all where the kind changes (removed and not yet made), and a folder whose mode is not yet set.
 */
export function verdictOn(
  change: Change,
  { entry: now, stamp }: Present,
): 'as-before' | 'restore' | UndoConflict {
  const { before, after } = change;
  if (sameEntry(now, before)) return 'as-before';
  if (after?.kind === 'uncovered') {
    return after.stamp !== undefined && after.stamp === stamp ? 'restore' : 'unknown';
  }
  if (sameEntry(now, after)) return 'restore';
  if (now === null && before !== null && kind(before) !== kind(after)) return 'restore';
  if (now?.kind === 'folder' && before?.kind === 'folder' && after?.kind !== 'folder') return 'restore';
  if (now?.kind === 'folder' && before === null && after?.kind === 'folder') return 'restore';
  return 'changed-since';
}

/** Can it be overwritten without losing more than the person was shown? */
const canForce = (now: Known): boolean => now?.kind !== 'uncovered';

/** Sorts changes into what would be restored, what is left alone and what is as before. Pure over `world`. */
export function decide(changes: Change[], world: World): DecidedUndo {
  const decided: DecidedUndo = { restore: [], conflicts: [], asBefore: [] };
  const open = new Map<string, Restoration>();
  for (const change of changes) {
    const present = world.present(change.path);
    const item: Restoration = { ...change, present: present.entry };
    const verdict = verdictOn(change, present);
    if (verdict === 'as-before') decided.asBefore.push(change.path);
    else if (verdict === 'restore' || (world.isForced(change.path) && canForce(present.entry)))
      open.set(change.path, item);
    else decided.conflicts.push({ ...item, why: verdict });
  }
  const close = (item: Restoration, why: UndoConflict): void => {
    open.delete(item.path);
    decided.conflicts.push({ ...item, why });
  };
  // Above first: what is below a folder that does not come back cannot come back either.
  for (const item of [...open.values()]) if (isBlocked(item, open, world)) close(item, 'blocked');
  // Below first: a folder goes when everything in it goes.
  for (const item of [...open.values()].toReversed())
    if (!canEmpty(item, open, world)) close(item, 'not-empty');
  decided.restore = [...open.values()];
  decided.conflicts.sort((a, b) => (a.path < b.path ? -1 : 1));
  return decided;
}

function isBlocked({ path, before }: Restoration, open: Map<string, Restoration>, world: World): boolean {
  if (before === null) return world.present(path).blockedBy !== null;
  return ancestorsOf(path).some((folder) => {
    const { entry, blockedBy } = world.present(folder);
    const isInTheWay = entry !== null && entry.kind !== 'folder' && blockedBy === null;
    return isInTheWay && open.get(folder)?.before?.kind !== 'folder';
  });
}

function canEmpty(
  { path, before, present }: Restoration,
  open: Map<string, Restoration>,
  world: World,
): boolean {
  if (present?.kind !== 'folder' || before?.kind === 'folder') return true;
  const names = world.names(path);
  return names?.every((name) => open.get(within(path, name))?.before === null) ?? false;
}

/** Paths that `decide` will ask about. */
export function pathsToLookAt(changes: Change[]): Set<string> {
  const paths = new Set<string>();
  for (const { path } of changes) {
    paths.add(path);
    for (const folder of ancestorsOf(path)) paths.add(folder);
  }
  return paths;
}
