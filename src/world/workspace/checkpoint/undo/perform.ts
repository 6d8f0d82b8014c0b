import type { Composed } from '../compose.ts';
import { codeOf } from '../errors.ts';
import { ancestorsOf } from '../path-bytes.ts';
import type { Checkpoint } from '../types.ts';
import { isForcedBy, planOf } from './plan.ts';
import {
  makeFolder,
  type Restorer,
  removeFile,
  removeFolder,
  removeTemporary,
  setFolderMode,
  writeEntry,
} from './restore.ts';
import type { Restoration, UndoFailure, UndoHooks, UndoOptions, UndoPlan, UndoResult } from './types.ts';

/** What performing needs of the checkpoints. */
export interface Performing extends Restorer {
  comparison: Composed;
  /** `touched` are paths that the checkpoint must know, whatever ignore files say. */
  take(label: string, touched: string[]): Promise<Checkpoint>;
  get(id: string): Promise<Checkpoint>;
  /** Those of the paths whose contents the checkpoint does not have: overwriting them could not be undone. */
  unsavedIn(id: string, paths: string[]): Promise<string[]>;
  /** The mode that a folder had before the run. */
  folderMode(path: string): number;
}

type Todo = { item: Restoration; work: () => Promise<void> };

const byDepth = (a: Restoration, b: Restoration): number => (a.path < b.path ? -1 : 1);
const isFolder = (known: Restoration['present'] | Restoration['before']): boolean => known?.kind === 'folder';

/**
 * The order in which everything is possible: open folders up, remove files, remove folders from below, make folders
 * from above, write files, and close folders again. A kill between any two leaves a state that the next plan
 * understands (see decide.ts).
 */
function inOrder(restorer: Performing, items: Restoration[]): Todo[] {
  const sorted = items.toSorted(byDepth);
  const todo: Todo[] = [];
  const each = (some: Restoration[], work: (item: Restoration) => Promise<void>): void => {
    for (const item of some) todo.push({ item, work: () => work(item) });
  };
  const modeOf = ({ before }: Restoration): number => (before?.kind === 'folder' ? before.mode : 0o755);
  const setMode = (item: Restoration) => setFolderMode(restorer, item.path, modeOf(item));
  const kept = sorted.filter((item) => isFolder(item.before) && isFolder(item.present));
  const made = sorted.filter((item) => isFolder(item.before) && !isFolder(item.present));
  const canWrite = (item: Restoration): boolean => (modeOf(item) & 0o300) === 0o300;

  each(kept.filter(canWrite), setMode);
  each(
    sorted.filter(
      ({ before, present }) =>
        present !== null && !isFolder(present) && (before === null || isFolder(before)),
    ),
    (item) => removeFile(restorer, item),
  );
  each(sorted.filter(({ before, present }) => isFolder(present) && !isFolder(before)).toReversed(), (item) =>
    removeFolder(restorer, item),
  );
  // One above may have gone since, by another hand.
  const makeAbove = async ({ path }: Restoration): Promise<void> => {
    for (const folder of ancestorsOf(path)) await makeFolder(restorer, folder, restorer.folderMode(folder));
  };
  each(made, async (item) => {
    await makeAbove(item);
    await makeFolder(restorer, item.path, modeOf(item));
  });
  each(
    sorted.filter(({ before }) => before !== null && !isFolder(before)),
    async (item) => {
      await makeAbove(item);
      const present = isFolder(item.present) ? null : item.present;
      await writeEntry(restorer, { ...item, present }, item.before!);
    },
  );
  each([...made, ...kept.filter((item) => !canWrite(item))].toReversed(), setMode);
  return todo;
}

const failure = (path: string, error: unknown): UndoFailure => ({
  path,
  why: error instanceof Error ? error.message : String(error),
  code: codeOf(error) || 'failed',
});

/** What is done about each item. Never throws. False: a hook asked to stop. */
async function restoreAll(
  todo: Todo[],
  journal: UndoHooks,
  failed: Map<string, UndoFailure>,
): Promise<boolean> {
  for (const { item, work } of todo) {
    if (failed.has(item.path)) continue;
    if ((await journal.restoring?.(item)) === false) return false;
    try {
      await work();
    } catch (error) {
      failed.set(item.path, failure(item.path, error));
      continue;
    }
    if ((await journal.restored?.(item)) === false) return false;
  }
  return true;
}

/** Where a folder is gone there is nothing to remove; all else will be met again when the path itself is restored. */
async function removeLeftovers(performing: Performing): Promise<void> {
  for (const { path } of performing.comparison.changes)
    await removeTemporary(performing, path).catch(() => {});
}

/**
 * Restores what the plan shows, as far as it is still as the plan saw it. A path that cannot be restored is said, not
 * thrown; rejects only where no checkpoint can be taken. Points: `looked`, `temporary`, `renamed`.
 */
export async function performUndo(
  performing: Performing,
  plan: UndoPlan,
  { force, journal = {}, checkpoint: begunWith }: UndoOptions = {},
): Promise<UndoResult> {
  const replan = (forced: UndoOptions['force']) =>
    planOf(performing.workspace, plan.ranges, performing.comparison, forced);
  const shown = new Set(plan.restore.map(({ path }) => path));
  const isForced = isForcedBy(force);
  const isWanted = ({ path }: Restoration): boolean => shown.has(path) || isForced(path);
  const fresh = await replan(force);
  const items = fresh.restore.filter(isWanted);
  const unasked = fresh.restore.filter((item) => !isWanted(item));
  const touched = items.map(({ path }) => path);

  const checkpoint =
    begunWith === undefined
      ? await performing.take('before undo', touched)
      : await performing.get(begunWith.id);
  const failed = new Map<string, UndoFailure>();
  const overwritten = items.filter(({ present }) => present !== null && !isFolder(present));
  const atStake = overwritten.map(({ path }) => path).filter((path) => !isForced(path));
  for (const path of await performing.unsavedIn(checkpoint.id, atStake)) failed.set(path, notSaved(path));
  let goesOn = (await journal.begun?.(checkpoint)) !== false;
  if (goesOn) {
    await removeLeftovers(performing);
    goesOn = await restoreAll(inOrder(performing, items), journal, failed);
  }

  const after = await performing.take('after undo', touched);
  const asBefore = new Set((await replan(force)).asBefore);
  for (const { path } of items)
    if (!asBefore.has(path) && !failed.has(path)) failed.set(path, notDone(path, goesOn));
  const restored = items.filter(({ path }) => asBefore.has(path));
  return {
    checkpoint,
    after,
    restored: restored.map(({ path }) => path),
    changed: restored.map(({ path, kind }) => ({ path, kind })),
    asBefore: fresh.asBefore,
    conflicts: [...fresh.conflicts, ...unasked.map((item) => ({ ...item, why: 'changed-since' as const }))],
    failed: [...failed.values()].filter(({ path }) => !asBefore.has(path)),
    wasStopped: !goesOn,
    isComplete: items.every(({ path }) => asBefore.has(path)),
  };
}

const notSaved = (path: string): UndoFailure => ({
  path,
  why: `${path} is now too large to be saved first. Name it to have it restored all the same.`,
  code: 'unsaved',
});

const notDone = (path: string, goesOn: boolean): UndoFailure =>
  goesOn
    ? {
        path,
        why: `${path} is not as before: it was changed while the undo was going on.`,
        code: 'changed-meanwhile',
      }
    : { path, why: `${path} was not restored: the undo was stopped before.`, code: 'stopped' };
