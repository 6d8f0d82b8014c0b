import { existsSync } from 'node:fs';
import { isSameHost } from '../../../core/contract/index.ts';
import { compare, lookIn, type Side } from './compare.ts';
import { type Composed, compose } from './compose.ts';
import { unifiedDiff } from './diff.ts';
import { CheckpointError, toCheckpointError } from './errors.ts';
import type { GitPlace } from './git.ts';
import type { Lock } from './lock.ts';
import { lookUp } from './look-up.ts';
import { folderMode, type Manifest } from './manifest.ts';
import { openObjectReader } from './object-reader.ts';
import { dropUnreachable, expire, hasTooMany, needsPacking, packLightly } from './pack.ts';
import { ancestorsOf } from './path-bytes.ts';
import type { CheckpointRef, CheckpointStore, TakeOptions } from './ports.ts';
import { type Loaded, listNotes, load, record } from './record.ts';
import { checkpointRef, forget, listIds } from './repository.ts';
import { entriesNow, readSaved, saveFor, toWorkspacePath } from './saved.ts';
import {
  prepareSnapshot,
  type SnapshotSpec,
  settleSnapshot,
  type TreeSnapshot,
  takeSnapshot,
} from './snapshot.ts';
import { type Checkpoint, sameEntry } from './types.ts';
import { performUndo } from './undo/perform.ts';
import { isForcedBy, planOf } from './undo/plan.ts';
import type { UndoOptions, UndoPlan, UndoRange, UndoResult } from './undo/types.ts';

export interface Parts extends SnapshotSpec {
  host: string;
  locks: { main: Lock; pack: Lock };
}

/** See `Checkpoints`. */
export function checkpointsAt(parts: Parts): CheckpointStore {
  const { root, gitDir, workspace, host, limits, locks, onPoint } = parts;
  const place: GitPlace = { gitDir, top: workspace, exclude: null };
  const recent = new Map<string, Loaded>();
  let packing: Promise<unknown> = Promise.resolve();
  /** To look whether there are too many costs as much as a part of a checkpoint: it is done a hundredth late. */
  const lookEvery = Math.max(1, Math.floor(limits.checkpoints / 100));
  let takenHere = 0;
  let isClosed = false;

  /** One turn of something that may be asked. */
  const turn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isClosed) throw new CheckpointError('checkpoints-closed', 'These checkpoints were closed.');
    try {
      return await work();
    } catch (error) {
      throw toCheckpointError(error, root);
    }
  };
  const alone = <T>(work: () => Promise<T>): Promise<T> => turn(() => locks.main.hold(work));

  const find = async (id: string): Promise<Loaded> => {
    const known = recent.get(id);
    return known !== undefined && existsSync(checkpointRef(gitDir, id)) ? known : load(place, id);
  };
  /** What was taken on another host says nothing about a folder that only has the same name. */
  const sideOf = async (id: string): Promise<Side> => {
    const { tree, manifest, checkpoint } = await find(id);
    if (!isSameHost(checkpoint.host, host))
      throw new CheckpointError(
        'elsewhere',
        `This checkpoint was taken on host ${checkpoint.host}: it can be put back there only.`,
      );
    return { tree, manifest, saved: readSaved(root, id) };
  };
  /** Now has saved what the other side has, so that these can be compared. */
  const sideNow = (other: Side): Promise<Side> =>
    locks.main.hold(async () => {
      const { tree, manifest } = await takeSnapshot(parts);
      return { tree, manifest, saved: await entriesNow(parts, [...other.saved.keys()]) };
    });
  const sides = async (from: CheckpointRef, to: CheckpointRef | 'now'): Promise<[Side, Side]> => {
    const before = await sideOf(from.id);
    return [before, to === 'now' ? await sideNow(before) : await sideOf(to.id)];
  };

  /** Those of the paths at which the checkpoint by itself holds nothing. */
  const notIn = async ({ tree, manifest }: Loaded, paths: string[]): Promise<string[]> => {
    const folders = new Set(manifest.folders);
    const others = paths.filter((path) => !folders.has(path));
    if (others.length === 0) return [];
    const held = await lookUp(place, tree, others);
    return others.filter((path) => !held.has(path));
  };

  const drop = () => locks.pack.hold(() => dropUnreachable(place));

  /** Begins what there is to pack and to drop, and does not wait for it. It may fail; the next one tries again. */
  const packSoon = (): void => {
    const isFirst = takenHere === 0;
    takenHere += 1;
    if (!isFirst && takenHere % lookEvery !== 0) return;
    const soon = (work: () => Promise<unknown>): void => {
      packing = packing.then(work).catch(() => {});
    };
    try {
      const isDue = hasTooMany(gitDir, limits) || isFirst;
      if (isDue && expire(root, gitDir, limits, Date.now()) > 0) soon(() => locks.main.hold(drop));
      else if (needsPacking(place))
        soon(() => locks.pack.hold(async () => needsPacking(place) && packLightly(place)));
    } catch {
      // The checkpoint that this comes after is taken, whatever happens to older ones.
    }
  };

  /** Whether the workspace is as this checkpoint has it, what is to be saved of these paths included. */
  const isSame = async (last: Loaded, now: TreeSnapshot, touched: string[]): Promise<boolean> => {
    const { tree, manifest } = last;
    if (now.tree !== tree || JSON.stringify(now.manifest) !== JSON.stringify(manifest)) return false;
    const saved = readSaved(root, last.checkpoint.id);
    const look = lookIn({ tree, manifest, saved }, new Map());
    const here = await entriesNow(parts, [...new Set([...saved.keys(), ...touched])]);
    const paths = new Set([...saved.keys(), ...touched]);
    return [...paths].every((path) => here.has(path) && sameEntry(look(path), here.get(path)!));
  };

  /** `touched`: saved where the checkpoint does not cover them. */
  const take = (
    label: string,
    { save = [], touched = [], orSame, signal }: TakeOptions = {},
  ): Promise<Checkpoint> =>
    alone(async () => {
      const snapshot = await prepareSnapshot(signal === undefined ? parts : { ...parts, signal });
      const inside = touched.flatMap((path) => toWorkspacePath(workspace, path) ?? []);
      const unheld = uncoveredAmong(snapshot.manifest, inside);
      const last = orSame === undefined ? null : await find(orSame.id).catch(() => null);
      if (last !== null && save.length === 0 && (await isSame(last, snapshot, unheld))) {
        await settleSnapshot(parts, snapshot);
        return last.checkpoint;
      }
      const taken = await record(parts, label, snapshot);
      const { id } = taken.checkpoint;
      const all = [...save, ...unheld];
      if (all.length > 0) await saveFor(parts, id, all);
      recent.set(id, taken);
      if (recent.size > 8) recent.delete(recent.keys().next().value!);
      packSoon();
      return taken.checkpoint;
    });

  const composed = async (ranges: readonly UndoRange[], force?: UndoOptions['force']): Promise<Composed> => {
    const all = [];
    for (const { before, after, unsure = false } of ranges)
      all.push({ ...(await compare(place, ...(await sides({ id: before }, { id: after })))), unsure });
    return compose(all, isForcedBy(force));
  };

  const perform = async (plan: UndoPlan, options?: UndoOptions): Promise<UndoResult> => {
    const first = plan.ranges[0] === undefined ? null : await find(plan.ranges[0].before);
    const blobs = openObjectReader(place);
    try {
      const performing = {
        workspace,
        onPoint,
        read: blobs.read,
        comparison: await composed(plan.ranges, options?.force),
        take: (label: string, touched: string[]) => take(label, { touched }),
        get: async (id: string) => (await find(id)).checkpoint,
        unsavedIn: async (id: string, paths: string[]) => {
          const saved = readSaved(root, id);
          return (await notIn(await find(id), paths)).filter((path) => !saved.has(path));
        },
        folderMode: (path: string) => (first === null ? 0o755 : folderMode(first.manifest, path)),
      };
      return await performUndo(performing, plan, options);
    } finally {
      await blobs.close();
    }
  };

  return {
    take,
    saveFiles: ({ id }, paths) =>
      alone(async () => {
        await find(id);
        return saveFor(parts, id, paths);
      }),
    get: (id) => turn(async () => (await find(id)).checkpoint),
    list: () => turn(() => listNotes(place)),
    changes: (from, to) => turn(async () => (await compare(place, ...(await sides(from, to)))).changes),
    compare: (from, to) => turn(async () => compare(place, ...(await sides(from, to)))),
    diff: (from, to, path) =>
      turn(async () => unifiedDiff(place, (await compare(place, ...(await sides(from, to)))).changes, path)),
    changesOf: (ranges) => turn(() => composed(ranges)),
    diffOf: (ranges, path) => turn(async () => unifiedDiff(place, (await composed(ranges)).changes, path)),
    planUndo: (what, force) =>
      turn(async () => {
        const ranges = Array.isArray(what) ? what : [{ before: what.before.id, after: what.after.id }];
        return planOf(workspace, ranges, await composed(ranges, force), force);
      }),
    performUndo: (plan, options) => turn(() => perform(plan, options)),
    prune: (keep) =>
      alone(async () => {
        const kept = new Set(keep);
        const ids = listIds(gitDir).flatMap(({ id }) => (kept.has(id) ? [] : [id]));
        forget(root, gitDir, ids);
        await drop();
        return ids.length;
      }),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await packing;
      await parts.oracles.close().catch(() => {});
      for (const lock of Object.values(locks)) lock.close();
    },
  };
}

/**
 * Those of the paths that a manifest says are not covered. Where nothing is, nothing has to be kept; and a repository
 * of its own is nobody's to restore.
 */
function uncoveredAmong({ uncovered }: Manifest, paths: string[]): string[] {
  const hidden = new Map(uncovered.map(({ path, why }) => [path, why]));
  if (hidden.size === 0) return [];
  return paths.filter((path) => {
    const why = [...ancestorsOf(path), path].flatMap((each) => hidden.get(each) ?? [])[0];
    return why !== undefined && why !== 'nested-repository';
  });
}
