import {
  type FactBody,
  judgementOf,
  openRange,
  planStep,
  type RunOptions,
  type RunState,
  rootOf,
  type Step,
  type StepRange,
  type StepState,
  stepState,
} from '../contract/index.ts';
import type { PerformContext } from '../stream/index.ts';
import type { Checkpoints, RestoreRange } from './ports.ts';
import { isOverTime } from './time.ts';
import {
  type CheckpointWork,
  cancelsOf,
  type EndOf,
  hasToRelease,
  look,
  paused,
  type RollbackWork,
  type RunEffect,
  record,
  release,
} from './work.ts';

/**
 * What a run keeps so that it can be undone, and how it takes back a failed step.
 *
 *   a step that is not safe is due ─▶ checkpoint ─▶ attempt ─▶ checkpoint of what it left
 *                                        │                          │
 *                                        ▼ could not be taken       ▼ could not be taken
 *                                  pause, or go on without    pause when next something is due
 *
 * A checkpoint counts for the attempt that comes right after it: whatever happens in between, another is taken, and
 * where nothing has changed it is the same one. The second is taken before anything else happens. A later driver than
 * the one that began takes it late: what people did meanwhile is in it as well, and an undo asks about all of it.
 * A loop is one stretch: its second checkpoint comes when it is through, or when it does not simply go on.
 */

const take = (state: RunState, which: Omit<CheckpointWork, 'kind' | 'state' | 'heard'>): RunEffect => ({
  ...look({ kind: 'checkpoint', state, heard: cancelsOf(state), ...which }),
  settle: true,
});

/** A checkpoint, or what becomes of a run without one, before the step is attempted; null where it may be. */
export function checkpointFirst(
  state: RunState,
  options: RunOptions,
  { step, stepState }: { step: Step; stepState: StepState },
): RunEffect | null {
  const { attempts: attemptIndex, loop } = stepState;
  const judged = judgementOf(state, step.id);
  // What an earlier step left running may change things while a safe one waits. A restore keeps what it overwrites by itself.
  const changesNothing = judged?.verdict.level === 'safe' && state.groups.length === 0;
  if (changesNothing || step.action.kind === 'restore' || !isOn(options)) return null;
  const open = openRange(state);
  if (open?.stepId === step.id) {
    if (open.started ? loop !== null : open.seq === state.seq) return null;
  }
  const missing = state.missingCheckpoint;
  if (missing !== null && missing.epoch === state.epoch) {
    if (mayGoWithout(options, missing.code)) return null;
    return record(paused('checkpoint-failed', missing.message));
  }
  return take(state, { when: 'before', stepId: step.id, attemptIndex, late: false });
}

const isOn = ({ checkpoints = 'off' }: RunOptions): boolean => checkpoints !== 'off';

/** Where there is no git a run says so and goes on; but not one that was promised a way back. */
const mayGoWithout = ({ checkpoints, onFailure }: RunOptions, code: string): boolean =>
  code === 'git-missing' && checkpoints === 'auto' && onFailure !== 'rollback';

/** The checkpoint of what an attempt left, before anything else happens; null where none is due. */
export function checkpointAfter(state: RunState, options: RunOptions, now: number): RunEffect | null {
  const open = openRange(state);
  if (open === null || !open.started || open.failure !== null || state.ended || !isOn(options)) return null;
  const step = stepState(state, open.stepId);
  if (planStep(state, open.stepId)?.action.kind === 'restore') return null;
  const isOfThis = open.epoch === state.epoch;
  const goesRound = step?.loop != null && step.status === 'pending' && step.loop.done < step.loop.count;
  const goesOn = state.activeSince !== null && state.inbox.length === 0 && !isOverTime(state, options, now);
  if (goesRound && goesOn && isOfThis) return null;
  const { stepId, attemptIndex } = open;
  return take(state, { when: 'after', stepId, attemptIndex, late: !isOfThis });
}

/** What a step left could not be kept: nothing more is done until somebody has looked. */
export function stopForCheckpoint(state: RunState, options: RunOptions): RunEffect | null {
  const failure = isOn(options) ? openRange(state)?.failure : null;
  return failure == null ? null : record(paused('checkpoint-failed', failure));
}

/** Ends what still runs, puts back what the failed step changed, and ends the run. */
export function rollBack(
  state: RunState,
  { id: stepId }: Pick<StepState, 'id'>,
  first: FactBody[] = [],
): RunEffect {
  if (hasToRelease(state)) return release(state);
  const ranges = rangesOf(state, rootOf(state, stepId));
  return {
    kind: 'perform',
    intent: [...first, { type: 'rollback-started', stepId }],
    work: { kind: 'rollback', state, ranges, stepId },
  };
}

/**
 * A rollback that has begun is brought to its end before anything else: by this driver, or by the next one from the
 * start, which finds put back what is put back. Null: there is none.
 */
export function rollingBack(state: RunState): RunEffect | null {
  const { rollback, ended } = state;
  return rollback === null || rollback.done || ended ? null : rollBack(state, { id: rollback.stepId });
}

/** All attempts at the step, and at the steps that were put in to mend it. */
const rangesOf = (state: RunState, stepId: string): RestoreRange[] =>
  state.ranges.filter((range) => isPartOf(state, range, stepId)).flatMap(asRestored);

const isPartOf = (state: RunState, range: StepRange, stepId: string): boolean =>
  range.stepId === stepId || rootOf(state, range.stepId) === stepId;

const asRestored = ({ before, after, unsure }: StepRange): RestoreRange[] =>
  after === null || after === before ? [] : [{ before, after, ...(unsure ? { unsure: true } : {}) }];

type Back = Omit<Extract<FactBody, { type: 'rolled-back' }>, 'type' | 'stepId'>;

/** What came of it, and with it the end of the run: nothing is to happen in between. */
export function rolledBack({ state, stepId }: RollbackWork, back: Back): EndOf<'rollback'>[] {
  const paths = back.restored === 1 ? '1 path was' : `${back.restored} paths were`;
  const left = back.leftCount === 0 ? '' : `, ${back.leftCount} left as they are`;
  const said = back.message ?? `${paths} put back${left}`;
  const failed = stepState(state, stepId)?.result?.message;
  const message = failed === undefined ? said : `${failed}; ${said}`;
  return [
    { type: 'rolled-back', stepId, ...back },
    { type: 'run-finished', outcome: 'failed', reason: 'rolled-back', message },
  ];
}

const noPort = { ok: false, code: 'unavailable', message: 'Checkpoints cannot be taken here.' } as const;

/** Paths of all steps so far: what one of them names, every later checkpoint has to know. */
function pathsOf(state: RunState, stepId: string): string[] {
  const own = judgementOf(state, stepId)?.subject.paths ?? [];
  return [...new Set([...state.ranges.flatMap(({ paths }) => paths), ...own])];
}

export async function takeCheckpoint(
  checkpoints: Checkpoints | undefined,
  work: CheckpointWork,
  signal: AbortSignal,
): Promise<EndOf<'checkpoint'>[]> {
  const { state, when, stepId, attemptIndex, late } = work;
  const which = { stepId, attemptIndex, when };
  const last = state.ranges.at(-1);
  const taken =
    (await checkpoints?.take({
      label: `${when} ${stepId}.${attemptIndex}`,
      paths: pathsOf(state, stepId),
      last: last?.after ?? last?.before ?? null,
      signal,
    })) ?? noPort;
  if (!taken.ok) {
    return [{ type: 'checkpoint-failed', ...which, code: taken.code, message: taken.message }];
  }
  const { checkpoint, uncovered } = taken;
  const isNews = JSON.stringify(state.uncovered ?? nothing) !== JSON.stringify(uncovered);
  return [
    {
      type: 'checkpoint-taken',
      ...which,
      checkpoint,
      ...(late ? { late: true } : {}),
      ...(isNews ? { uncovered } : {}),
    },
  ];
}

const nothing = { count: 0, shown: [] };

export async function performRollback(
  checkpoints: Checkpoints | undefined,
  work: RollbackWork,
  context: PerformContext<FactBody>,
): Promise<EndOf<'rollback'>[]> {
  const { ranges } = work;
  const none: Back = { restored: 0, left: [], leftCount: 0 };
  if (!isOn(work.state.options!))
    return rolledBack(work, { ...none, message: 'nothing was put back: checkpoints are off' });
  if (ranges.length === 0) return rolledBack(work, none);
  const done =
    (await checkpoints?.restore(
      { ranges, overwrite: [], begun: null },
      { signal: context.signal, begun: async () => !context.signal.aborted },
    )) ?? noPort;
  if (!done.ok) return rolledBack(work, { ...none, message: `nothing was put back: ${done.message}` });
  const { restored, left, leftCount } = done;
  return rolledBack(work, { restored: restored.length, left, leftCount });
}
