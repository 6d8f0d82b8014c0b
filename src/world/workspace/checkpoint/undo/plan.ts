import type { Composed } from '../compose.ts';
import { decide, pathsToLookAt } from './decide.ts';
import { lookAt, namesIn, type Present } from './present.ts';
import type { Conflict, Restoration, UndoOptions, UndoPlan, UndoRange } from './types.ts';

/** Answers whether a path is among those that are to be restored whatever happened to them. */
export const isForcedBy = (force: UndoOptions['force']) => {
  if (force === 'all') return () => true;
  const paths = force ?? [];
  return (path: string): boolean => paths.some((each) => path === each || path.startsWith(`${each}/`));
};

const nothing: Present = { entry: null, stamp: '', blockedBy: null };

/** Looks at the workspace as it is now, and says what undoing the changes would do. Changes nothing. */
export async function planOf(
  workspace: string,
  ranges: UndoRange[],
  { changes, unknown, between, unsure }: Composed,
  force?: UndoOptions['force'],
): Promise<UndoPlan> {
  const present = new Map<string, Present>();
  for (const path of pathsToLookAt(changes)) present.set(path, await lookAt(workspace, path));
  const isForced = isForcedBy(force);
  const { restore, conflicts, asBefore } = decide(changes, {
    present: (path) => present.get(path) ?? nothing,
    names: (folder) => namesIn(workspace, folder),
    isForced,
  });
  const isDoubtful = ({ path }: Restoration): boolean => unsure.has(path) && !isForced(path);
  const doubtful = restore.filter(isDoubtful).map((item): Conflict => ({ ...item, why: 'unknown' }));
  const kept = between.map((change): Conflict => ({ ...change, present: null, why: 'between' }));
  const all = [...conflicts, ...doubtful, ...kept].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { ranges, restore: restore.filter((item) => !isDoubtful(item)), conflicts: all, asBefore, unknown };
}
