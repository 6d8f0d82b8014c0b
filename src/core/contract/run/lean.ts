import type { StepResult } from '../result.ts';
import { initialRunState, type RunState, type StepState } from './state.ts';
import { freshStep } from './steps.ts';

/** What only drivers and brains need of a run. */
const unseen = { performed: initialRunState.performed, context: initialRunState.context };

type LeanStep = Pick<StepState, 'id'> & { result?: Partial<StepResult> | null } & Partial<
    Omit<StepState, 'result'>
  >;

/** A run as it is sent to whoever only looks: without what is as it nearly always is, which most of a long run is. */
export type LeanRun = Omit<RunState, 'steps' | keyof typeof unseen> & { steps: readonly LeanStep[] };

const usualStep: Partial<StepState> = freshStep('', 0);
const usualResult: Partial<StepResult> = {
  exitCode: 0,
  signal: null,
  expectation: null,
  stdoutTail: '',
  stderrTail: '',
  outputBytes: 0,
  outputTruncated: false,
  leftover: false,
};

const without = <T extends object>(value: T, usual: Partial<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(value).filter(([key, part]) => !(key in usual) || usual[key as keyof T] !== part),
  ) as Partial<T>;

/** Steps never change in place: each is made lean once. */
const known = new WeakMap<StepState, LeanStep>();

function leanStep(step: StepState): LeanStep {
  let lean = known.get(step);
  if (lean === undefined) {
    const { result, ...rest } = step;
    lean = {
      ...without(rest, usualStep),
      id: step.id,
      ...(result === null ? {} : { result: without(result, usualResult) }),
    };
    known.set(step, lean);
  }
  return lean;
}

export function leanRun({ performed: _, context: __, ...state }: RunState): LeanRun {
  return { ...state, steps: state.steps.map(leanStep) };
}

/** The run again, to be folded on: what only drivers need begins anew. */
export const fullRun = ({ steps, ...state }: LeanRun): RunState => ({
  ...state,
  ...unseen,
  steps: steps.map((step) => ({
    ...freshStep(step.id, 0),
    ...step,
    result: step.result == null ? null : ({ ...usualResult, ...step.result } as StepResult),
  })),
});
