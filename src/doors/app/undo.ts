import type { PlanChanges } from '../../core/chat/index.ts';
import {
  count,
  indexOfStep,
  type Plan,
  planStep,
  type RunState,
  rootOf,
  type Step,
  type StepRange,
  stepState,
  type UndoConflict,
} from '../../core/contract/index.ts';
import { printAction } from '../../core/plan/index.ts';
import type { Change, CheckpointStore, Uncovered, UndoRange } from '../../world/workspace/index.ts';
import { AppError } from './errors.ts';
import { findStep } from './find-step.ts';

/** Use-cases of a run's changes: what they are, and taking them back. Their results are plain data. */

export interface PathChange {
  path: string;
  kind: Change['kind'];
}

export interface RunDiff {
  run: string;
  changes: PathChange[];
  /** Unified text; left out where only the changes were asked for. */
  text: string;
  /** What no checkpoint holds; `changed` where it is known to have changed meanwhile. */
  uncovered: (Omit<Uncovered, 'stamp'> & { changed: boolean })[];
  /** Paths that others may have changed as well: the driver died while the step ran. */
  unsure: string[];
  /** Steps of which nobody knows what they left. */
  unknownSteps: string[];
}

export interface UndoPreview {
  run: string;
  /** Everything from this step on is taken back; null: nothing has been done that could be. */
  from: string | null;
  restore: PathChange[];
  conflicts: (PathChange & { why: UndoConflict })[];
  asBefore: string[];
  uncovered: RunDiff['uncovered'];
  unknownSteps: string[];
  /** Declared `undo` actions, in the order in which they would be performed. */
  actions: { stepId: string; title: string; action: string }[];
  /** What steps did beyond the workspace, as far as is known; `undo` null: nothing is declared to take it back. */
  beyond: { stepId: string; title: string; paths: string[]; needs: string[]; undo: string | null }[];
}

export interface UndoChoice {
  /** Back to before this step (number, id or title); the whole run where it is left out. */
  to?: string | undefined;
  /** Conflicts that are to be restored all the same: paths of the workspace, folders for all below, or 'all'. */
  overwrite?: string[] | 'all' | undefined;
  /** Leave declared `undo` actions out. */
  filesOnly?: boolean | undefined;
}

/** The changes of a run, or of one of its steps. */
export async function diffOf(
  run: string,
  state: RunState,
  checkpoints: CheckpointStore,
  { step, textless = false }: { step?: string | undefined; textless?: boolean } = {},
): Promise<RunDiff> {
  const only = step === undefined ? null : planOf(state).steps[findStep(planOf(state), step)]!.id;
  const ranges = state.ranges.filter(({ stepId }) => only === null || stepId === only);
  const closed = toUndo(ranges.filter((range) => !isTakenBack(state, range)));
  const { changes, unknown, unsure } = await checkpoints.changesOf(closed);
  return {
    run,
    changes: changes.map(pathChange),
    text: textless ? '' : await checkpoints.diffOf(closed),
    uncovered: unknown.map(withoutStamp),
    unsure: [...unsure],
    unknownSteps: unknownSteps(state, ranges),
  };
}

/** What a plan of a conversation changed here, for taking it back with the rest of its message. */
export function changesOfPlan(state: RunState): PlanChanges {
  const open = state.ranges.filter((range) => !isTakenBack(state, range));
  const done = new Set(state.steps.filter(({ status }) => status === 'done').map(({ id }) => id));
  const declared = (state.plan?.steps ?? []).some(({ id, undo }) => undo !== undefined && done.has(id));
  return {
    ranges: toUndo(open).map(({ before, after, unsure }) => ({
      before,
      after,
      ...(unsure ? { unsure: true as const } : {}),
    })),
    reachedBeyond: declared || beyond(state, open).length > 0,
  };
}

/** The step of an undo that performs what a step declares. */
const undoOf = (stepId: string): string => `undo-${stepId}`;

/** Its declared action has been performed by an earlier undo, and it has not been attempted since. */
function isUndone(state: RunState, stepId: string, undos: readonly RunState[]): boolean {
  const began = stepState(state, stepId)?.startedAt ?? 0;
  return undos.some((undo) => {
    const performed = stepState(undo, undoOf(stepId));
    return performed?.status === 'done' && (performed.startedAt ?? 0) >= began;
  });
}

/**
 * What taking the run back would do, as things are now, and the plan that would do it. `undos` of it that were before are
 * gone on with: what they performed is not performed again. Changes nothing.
 */
export async function planUndo(
  run: string,
  state: RunState,
  checkpoints: CheckpointStore,
  choice: UndoChoice & { undos?: readonly RunState[] },
): Promise<{ preview: UndoPreview; plan: Plan | null }> {
  refuseUnfinished(run, state);
  const { ranges, steps, from } = takenBack(state, choice.to);
  const closed = toUndo(ranges);
  const overwrite = choice.overwrite ?? [];
  const { restore, conflicts, asBefore, unknown } = await checkpoints.planUndo(closed, overwrite);
  const declared = choice.filesOnly
    ? []
    : steps
        .filter(({ id, undo }) => undo !== undefined && !isUndone(state, id, choice.undos ?? []))
        .toReversed();
  const preview: UndoPreview = {
    run,
    from,
    restore: restore.map(pathChange),
    conflicts: conflicts.map(({ path, kind, why }) => ({ path, kind, why })),
    asBefore,
    uncovered: unknown.filter(({ changed }) => changed).map(withoutStamp),
    unknownSteps: unknownSteps(state, ranges),
    actions: declared.map(({ id, title, undo }) => ({ stepId: id, title, action: printAction(undo!) })),
    beyond: beyond(state, ranges),
  };
  const undoing = declared.map(
    ({ id, title, undo }): Step => ({ id: undoOf(id), title: `Undo: ${title}`, action: undo! }),
  );
  const putsBack: Step[] =
    restore.length === 0
      ? []
      : [
          {
            id: 'restore',
            title: `Put back ${count(restore.length, 'path')}`,
            action: { kind: 'restore', run, ranges: closed.map(plainRange), overwrite },
          },
        ];
  const all = [...undoing, ...putsBack];
  if (from === null || all.length === 0) return { preview, plan: null };
  const { shell, inputs, goal } = planOf(state);
  const plan: Plan = { goal: `Undo: ${goal}`, shell, steps: all, revision: 0 };
  return { preview, plan: inputs === undefined ? plan : { ...plan, inputs } };
}

function planOf(state: RunState): Plan {
  if (state.plan === null) throw new AppError('no-such-step', 'the run has no plan yet');
  return state.plan;
}

/** While a step is under way, or nobody knows how it ended, what the run has changed is not known either. */
function refuseUnfinished(run: string, state: RunState): void {
  const last = state.ranges.at(-1);
  const isUnderWay = state.inFlight !== null || (last?.after === null && last.started && !state.ended);
  if (!isUnderWay) return;
  const how = `planwright resume ${run}, or planwright cancel ${run}`;
  throw new AppError('run-unfinished', `a step of run ${run} is under way or was interrupted; first ${how}`);
}

/** From the first attempt at the step on, in the order in which things happened. */
function takenBack(state: RunState, to: string | undefined) {
  const plan = planOf(state);
  const at = to === undefined ? 0 : findStep(plan, to);
  const named = plan.steps[at]!.id;
  const isNamed = ({ stepId }: StepRange) => stepId === named || rootOf(state, stepId) === named;
  const own = to === undefined ? 0 : state.ranges.findIndex(isNamed);
  const first = own >= 0 ? own : state.ranges.findIndex(({ stepId }) => indexOfStep(plan, stepId) >= at);
  const ranges = first < 0 ? [] : state.ranges.slice(first);
  const touched = new Set(ranges.map(({ stepId }) => stepId));
  const steps = plan.steps.filter(
    ({ id }, place) => stepState(state, id)?.status === 'done' && (touched.has(id) || place >= at),
  );
  const from = ranges.length + steps.length === 0 ? null : named;
  return { ranges, steps, from };
}

const toUndo = (ranges: readonly StepRange[]): UndoRange[] =>
  joined(
    ranges.flatMap(({ before, after, unsure }) =>
      after === null || after === before ? [] : [{ before, after, unsure }],
    ),
  );

/** A range that begins with the checkpoint that the one before ended with goes on with it. */
export function joined(ranges: readonly UndoRange[]): UndoRange[] {
  const all: UndoRange[] = [];
  for (const range of ranges) {
    const last = all.at(-1);
    if (last !== undefined && last.after === range.before && last.unsure === range.unsure)
      all[all.length - 1] = { ...last, after: range.after };
    else all.push(range);
  }
  return all;
}

const plainRange = ({ before, after, unsure }: UndoRange) => ({
  before,
  after,
  ...(unsure ? { unsure: true as const } : {}),
});

const unknownSteps = (state: RunState, ranges: readonly StepRange[]): string[] => [
  ...new Set(
    ranges.flatMap(({ stepId, after, started }) =>
      after === null && started ? [planStep(state, stepId)?.title ?? stepId] : [],
    ),
  ),
];

function isTakenBack(state: RunState, { stepId }: StepRange): boolean {
  const { rollback } = state;
  if (rollback === null || !rollback.done || rollback.leftCount > 0 || rollback.message !== null)
    return false;
  return stepId === rollback.stepId || rootOf(state, stepId) === rootOf(state, rollback.stepId);
}

function beyond(state: RunState, ranges: readonly StepRange[]): UndoPreview['beyond'] {
  const found = new Map<string, { paths: Set<string>; needs: Set<string> }>();
  for (const { stepId, outside, needs } of ranges) {
    if (outside.length + needs.length === 0) continue;
    const known = found.get(stepId) ?? { paths: new Set(), needs: new Set() };
    for (const path of outside) known.paths.add(path);
    for (const need of needs) known.needs.add(need);
    found.set(stepId, known);
  }
  return [...found].map(([stepId, { paths, needs }]) => {
    const step = planStep(state, stepId);
    return {
      stepId,
      title: step?.title ?? stepId,
      paths: [...paths],
      needs: [...needs],
      undo: step?.undo === undefined ? null : printAction(step.undo),
    };
  });
}

export const pathChange = ({ path, kind }: Change): PathChange => ({ path, kind });
export const withoutStamp = ({ path, why, changed }: Uncovered & { changed: boolean }) => ({
  path,
  why,
  changed,
});
