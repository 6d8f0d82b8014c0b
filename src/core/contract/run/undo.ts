import type { ShownStep } from '../approval.ts';
import type { EventOf } from '../events.ts';
import type { RunOptions } from '../options.ts';
import type { RunState } from './state.ts';
import { judgementOf, planStep, stepState } from './steps.ts';
import type { StepRange } from './undo-state.ts';

/** The range that is not closed yet; there is at most one. */
export const openRange = ({ ranges }: Pick<RunState, 'ranges'>): StepRange | null => {
  const last = ranges.at(-1);
  return last !== undefined && last.after === null ? last : null;
};

/** An absolute path that no checkpoint of the workspace can hold. Devices keep nothing. */
export const isOutside = (workspace: string, path: string): boolean =>
  path.startsWith('/') &&
  path !== workspace &&
  !path.startsWith(`${workspace}/`) &&
  !path.startsWith('/dev/');

/** What says how far checkpoints reach: a run, or a conversation. */
export interface Kept {
  workspace: string;
  options: Pick<RunOptions, 'checkpoints'> | null;
}

/** Whether what it does can be taken back: by its nature, or because a checkpoint holds everything that it touches. */
export function isUndoable({ verdict, subject }: ShownStep, { workspace, options }: Kept): boolean {
  if (verdict.reversible) return true;
  const { checkpoints = 'off' } = options ?? {};
  if (checkpoints === 'off' || verdict.needs.length > 0 || subject.paths.length === 0) return false;
  return subject.paths.every((path) => !isOutside(workspace, path));
}

export function checkpointTaken(state: RunState, event: EventOf<'checkpoint-taken'>): RunState {
  const { stepId, attemptIndex, checkpoint } = event;
  const uncovered = event.uncovered ?? state.uncovered;
  const open = openRange(state);
  if (event.when === 'after') {
    if (open === null) return state;
    const closed = { ...open, after: checkpoint, unsure: open.unsure || event.late === true, failure: null };
    return { ...state, uncovered, ranges: state.ranges.with(-1, closed) };
  }
  const judged = judgementOf(state, stepId);
  const paths = judged?.subject.paths ?? [];
  const range: StepRange = {
    stepId,
    attemptIndex,
    before: checkpoint,
    after: null,
    unsure: false,
    started: state.inFlight !== null,
    epoch: state.epoch,
    seq: state.seq,
    failure: null,
    paths,
    outside: paths.filter((path) => isOutside(state.workspace, path)),
    needs: judged?.verdict.needs ?? [],
  };
  // What was taken for an attempt that never began is of no use to anybody.
  const kept = open !== null && !open.started ? state.ranges.slice(0, -1) : state.ranges;
  return { ...state, uncovered, missingCheckpoint: null, ranges: [...kept, range] };
}

export function checkpointFailed(state: RunState, event: EventOf<'checkpoint-failed'>): RunState {
  const { stepId, code, message } = event;
  const open = openRange(state);
  if (event.when === 'before')
    return { ...state, missingCheckpoint: { stepId, epoch: state.epoch, code, message } };
  if (open === null) return state;
  return { ...state, ranges: state.ranges.with(-1, { ...open, failure: message, epoch: state.epoch }) };
}

/** The attempt begins: from here on the range holds what it does. */
export function rangeStarted(state: RunState, stepId: string): RunState {
  const open = openRange(state);
  if (open === null || open.started || open.stepId !== stepId) return state;
  return { ...state, ranges: state.ranges.with(-1, { ...open, started: true }) };
}

/** Nothing was begun after all: there is nothing between the checkpoints that the run did. */
export function rangeDropped(state: RunState, stepId: string): RunState {
  const open = openRange(state);
  // A restore goes on with the checkpoint that it began with; a loop may have done some of its items.
  const isRestore = planStep(state, stepId)?.action.kind === 'restore';
  const isWhole = open?.stepId === stepId && !isRestore && stepState(state, stepId)?.loop === null;
  return isWhole ? { ...state, ranges: state.ranges.slice(0, -1) } : state;
}

/** What could not be done is tried again by whoever goes on. */
export function checkpointsRetried(state: RunState): RunState {
  const open = openRange(state);
  const ranges =
    open === null || !open.started
      ? state.ranges
      : state.ranges.with(-1, { ...open, failure: null, unsure: true });
  return state.missingCheckpoint === null && ranges === state.ranges
    ? state
    : { ...state, ranges, missingCheckpoint: null };
}

export const rollbackStarted = (state: RunState, { stepId }: EventOf<'rollback-started'>): RunState => ({
  ...state,
  rollback: {
    stepId,
    epoch: state.epoch,
    done: false,
    restored: 0,
    left: [],
    leftCount: 0,
    message: null,
  },
});

export const rolledBack = (state: RunState, event: EventOf<'rolled-back'>): RunState => {
  const { stepId, restored, left, leftCount, message = null } = event;
  return {
    ...state,
    rollback: { stepId, epoch: state.epoch, done: true, restored, left, leftCount, message },
  };
};
