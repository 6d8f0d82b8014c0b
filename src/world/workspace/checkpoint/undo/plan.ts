import type { Comparison } from '../compare.ts';
import { decide, pathsToLookAt } from './decide.ts';
import { lookAt, namesIn, type Present } from './present.ts';
import type { UndoOptions, UndoPlan } from './types.ts';

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
  range: { before: string; after: string },
  { changes, unknown }: Comparison,
  force?: UndoOptions['force'],
): Promise<UndoPlan> {
  const present = new Map<string, Present>();
  for (const path of pathsToLookAt(changes)) present.set(path, await lookAt(workspace, path));
  const decided = decide(changes, {
    present: (path) => present.get(path) ?? nothing,
    names: (folder) => namesIn(workspace, folder),
    isForced: isForcedBy(force),
  });
  return { ...range, ...decided, unknown };
}
