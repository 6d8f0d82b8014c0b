import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { LeftPath } from '../../core/contract/index.ts';
import type { Checkpoints as CheckpointsPort, RestoreOutcome } from '../../core/run/index.ts';
import { CheckpointError } from './checkpoint/errors.ts';
import type { CheckpointStore } from './checkpoint/ports.ts';
import type { Checkpoint } from './checkpoint/types.ts';
import type { UndoResult } from './checkpoint/undo/types.ts';

/** So many paths are named in the journal; the rest is counted. */
const SHOWN = 20;

export interface RunCheckpoints extends CheckpointsPort {
  /** Waits for packing that was begun. Never throws. */
  close(): Promise<void>;
}

/**
 * The checkpoints of a run's workspace as a run asks for them. They are opened when the first one is wanted: a run of
 * safe steps costs nothing.
 */
export function createRunCheckpoints(
  workspace: string,
  open: () => Promise<CheckpointStore>,
): RunCheckpoints {
  let opened: Promise<CheckpointStore> | null = null;
  const use = async <T>(work: (checkpoints: CheckpointStore) => Promise<T>) => {
    try {
      opened ??= open();
      return await work(await opened);
    } catch (error) {
      if (!(error instanceof CheckpointError)) throw error;
      return { ok: false as const, code: error.code, message: error.message };
    }
  };
  return {
    take: ({ label, paths, last, signal }) =>
      use(async (checkpoints) => {
        const taken = await checkpoints.take(label, {
          touched: paths,
          signal,
          ...(last === null ? {} : { orSame: { id: last } }),
        });
        return { ok: true as const, checkpoint: taken.id, uncovered: summaryOf(taken, workspace, paths) };
      }),
    restore: ({ ranges, overwrite, begun }, hooks) =>
      use(async (checkpoints): Promise<RestoreOutcome> => {
        const force = overwrite === 'all' ? 'all' : [...overwrite];
        const plan = await checkpoints.planUndo([...ranges], force);
        const goesOn = async () => !hooks.signal.aborted;
        const result = await checkpoints.performUndo(plan, {
          force,
          ...(begun === null ? {} : { checkpoint: { id: begun } }),
          journal: {
            begun: ({ id }) => (id === begun ? goesOn() : hooks.begun(id)),
            restoring: goesOn,
          },
        });
        return outcomeOf(result);
      }),
    close: async () => {
      await (await opened?.catch(() => null))?.close().catch(() => {});
    },
  };
}

/** What was named is kept although it is not covered; of a folder, only that it is there. */
function summaryOf({ uncovered }: Checkpoint, workspace: string, named: string[]) {
  const kept = new Set(named);
  const missing = uncovered.filter(({ path, why }) => {
    const absolute = join(workspace, path);
    const isFile = () => statSync(absolute, { throwIfNoEntry: false })?.isFile() === true;
    return why !== 'ignored' || !kept.has(absolute) || !isFile();
  });
  return {
    count: missing.length,
    shown: missing.slice(0, SHOWN).map(({ path, why }) => ({ path, why })),
  };
}

function outcomeOf({ after, changed, conflicts, failed, wasStopped }: UndoResult): RestoreOutcome {
  const left: LeftPath[] = [
    ...failed.map(({ path, why }) => ({ path, why })),
    ...conflicts.map(({ path, why }) => ({ path, why })),
  ];
  return {
    ok: true,
    after: after.id,
    restored: changed,
    left: left.slice(0, SHOWN),
    leftCount: left.length,
    failedCount: failed.length,
    stopped: wasStopped,
  };
}
