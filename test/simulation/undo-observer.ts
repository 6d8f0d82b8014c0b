import {
  type EventOf,
  openRange,
  type RunEvent,
  type RunState,
  rootOf,
} from '../../src/core/contract/index.ts';
import { promise } from './promise.ts';
import type { SimulatedWorkspace } from './workspace.ts';

type Fact = Exclude<RunEvent, { key: string }>;

/** Holds what is kept for undo, and what a rollback does, against the workspace as it really is. */
export class UndoObserver {
  readonly #workspace: SimulatedWorkspace;
  #lastFact: Fact['type'] | null = null;

  constructor(workspace: SimulatedWorkspace) {
    this.#workspace = workspace;
  }

  fact(before: RunState, event: Fact): void {
    if (event.type === 'step-started') {
      const open = openRange(before);
      const isLost = open?.failure != null || before.options?.checkpoints !== 'required';
      const isOwn = open === null || open.stepId === event.stepId || !open.started;
      promise(isOwn || isLost, 'what a step left is kept before the next one starts');
    }
    if (event.type === 'rolled-back') this.#rolledBack(before, event);
    if (this.#lastFact === 'rolled-back')
      promise(event.type === 'run-finished', 'a rollback is the end of the run');
    if (event.type === 'run-finished' && event.reason === 'rolled-back')
      promise(this.#lastFact === 'rolled-back', 'a run is rolled back only when that was brought to its end');
    this.#lastFact = event.type;
  }

  /** Just before the side effect of an attempt takes place. */
  sideEffect(state: RunState, stepId: string, attemptIndex: number, level: string): void {
    const { checkpoints = 'off', onFailure } = state.options!;
    if (level === 'safe' || checkpoints === 'off') return;
    const { missingCheckpoint: missing } = state;
    const mayGoWithout = checkpoints === 'auto' && onFailure !== 'rollback';
    if (missing?.code === 'git-missing' && mayGoWithout) return;
    const range = openRange(state);
    promise(range?.stepId === stepId && range.started, 'a step that is not safe has a checkpoint before it');
    if (range.attemptIndex === attemptIndex)
      promise(this.#workspace.isAs(range.before), 'the checkpoint is of the workspace just before the step');
  }

  #rolledBack(before: RunState, event: EventOf<'rolled-back'>): void {
    const root = rootOf(before, event.stepId);
    const own = before.ranges.filter(({ stepId }) => rootOf(before, stepId) === root);
    const isWhole = own.every(({ after, unsure }) => after !== null && !unsure);
    if (event.message !== undefined || event.leftCount > 0 || !isWhole) return;
    for (const stepId of new Set(own.map((range) => range.stepId))) {
      if (this.#workspace.byPeople.has(stepId)) continue;
      const first = own.find((range) => range.stepId === stepId)!;
      const was = this.#workspace.kept.get(first.before)?.get(stepId);
      promise(this.#workspace.files.get(stepId) === was, `what ${stepId} changed is put back`);
    }
  }
}
