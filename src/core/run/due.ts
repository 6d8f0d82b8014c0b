import {
  itemAt,
  type RunState,
  type Step,
  type StepState,
  standingOf,
  stepState,
} from '../contract/index.ts';

/** The first pending step whose dependencies are all settled. A step comes after earlier ones only: one is always due. */
export function dueStep(state: RunState): { step: Step; stepState: StepState } | null {
  for (let index = standingOf(state.steps).firstOpen; index < state.steps.length; index += 1) {
    const stepState = itemAt(state.steps, index)!;
    if (stepState.status !== 'pending') continue;
    const step = state.plan!.steps[index]!;
    if (!step.after?.some((id) => statusOf(state, id) === 'pending')) return { step, stepState };
  }
  return null;
}

const statusOf = (state: RunState, id: string) => stepState(state, id)?.status;
