import {
  type GuardEvent,
  type GuardFact,
  type GuardState,
  rangesOfGuard,
} from '../../../core/contract/guard/index.ts';
import { hostId, type RunEvent } from '../../../core/contract/index.ts';
import type { Store } from '../../../core/stream/index.ts';
import { systemClock } from '../../../world/store/index.ts';
import type { CheckpointStore, UndoRange } from '../../../world/workspace/index.ts';
import { AppError } from '../errors.ts';
import { newKey } from '../ids.ts';
import { joined, pathChange, type UndoChoice, type UndoPreview, withoutStamp } from '../undo.ts';

/** A session that is to be taken back, and what that needs. */
export interface TakingBack {
  id: string;
  state: GuardState;
  store: Store<RunEvent>;
  openCheckpoints(workspace: string): Promise<CheckpointStore>;
}

export interface GuardUndone {
  restored: string[];
  /** What was left alone, or could not be put back, and why. */
  left: { path: string; why: string }[];
}

type Choice = Pick<UndoChoice, 'overwrite'>;

export const previewOf = (taking: TakingBack, { overwrite = [] }: Choice): Promise<UndoPreview> =>
  inCheckpoints(taking, async (checkpoints, ranges) => {
    const { restore, conflicts, asBefore, unknown } = await checkpoints.planUndo(ranges, overwrite);
    return {
      run: taking.id,
      from: null,
      restore: restore.map(pathChange),
      conflicts: conflicts.map(({ path, kind, why }) => ({ path, kind, why })),
      asBefore,
      uncovered: unknown.filter(({ changed }) => changed).map(withoutStamp),
      unknownSteps: [],
      actions: [],
      beyond: [],
    };
  });

/** The journal has what it began with before anything is changed, and what came of it after. */
export const takeBack = (taking: TakingBack, { overwrite = [] }: Choice): Promise<GuardUndone> =>
  withFolder(taking, () =>
    inCheckpoints(taking, async (checkpoints, ranges) => {
      const plan = await checkpoints.planUndo(ranges, overwrite);
      const result = await checkpoints.performUndo(plan, {
        force: overwrite,
        journal: {
          begun: async (checkpoint) => {
            await write(taking, { type: 'guard-undo-begun', checkpoint: checkpoint.id });
            return true;
          },
        },
      });
      const left = [...result.failed, ...result.conflicts].map(({ path, why }) => ({ path, why }));
      const { restored, isComplete } = result;
      const done = { restored: restored.length, left: left.map(({ path }) => path) };
      // What failed can be tried again.
      if (isComplete) await write(taking, { type: 'guard-undone', ...done });
      return { restored, left };
    }),
  );

async function write({ id, store }: TakingBack, fact: GuardFact): Promise<void> {
  const event: GuardEvent = { ...fact, v: 1, at: systemClock.now() };
  await store.append(id, { id: newKey(), events: [event as unknown as RunEvent] });
}

async function inCheckpoints<T>(
  { state, openCheckpoints }: TakingBack,
  work: (checkpoints: CheckpointStore, ranges: UndoRange[]) => Promise<T>,
): Promise<T> {
  const { marks, place } = state;
  const checkpoints = await openCheckpoints(place.workspace);
  try {
    if (marks.length === 0) return await work(checkpoints, []);
    const now = await checkpoints.take('guard');
    return await work(checkpoints, joined(rangesOfGuard(marks, now.id)));
  } finally {
    await checkpoints.close();
  }
}

/** Nobody else works in the folder meanwhile. */
async function withFolder<T>({ id, state, store }: TakingBack, work: () => Promise<T>): Promise<T> {
  const { host, workspace: path, worktree } = state.place;
  const claimed = await store.claim(id);
  if (!claimed.ok) throw new AppError('run-unfinished', 'somebody takes this session back already');
  const { claim } = claimed;
  try {
    const held = await claim.hold({ host: hostId(host), path, worktree });
    if (!held.ok) throw new AppError('run-unfinished', `another run works in ${path}: wait for its end`);
    return await work();
  } finally {
    await claim.release();
  }
}
