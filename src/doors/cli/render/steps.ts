import {
  itemAt,
  judgementOf,
  type RiskLevel,
  type RunState,
  type Step,
  type StepState,
  type Verdict,
} from '../../../core/contract/index.ts';
import { numbersOf } from '../../../core/contract/told/index.ts';

/** A step of the plan beside what it has been through, and the number that people call it by. */
export interface StepView {
  step: Step;
  state: StepState;
  /** Null for a repair. */
  number: number | null;
}

export function stepViews(state: RunState): StepView[] {
  const numbers = numbersOf(state.plan);
  return (state.plan?.steps ?? []).flatMap((step, index) => {
    const stepState = itemAt(state.steps, index);
    return stepState === undefined ? [] : [{ step, state: stepState, number: numbers[index] ?? null }];
  });
}

/** The last judgement of a step that is still known. */
export function verdictOf(state: RunState, step: StepState): Verdict | null {
  return (
    judgementOf(state, step.id)?.verdict ??
    state.approvals.findLast(({ stepId }) => stepId === step.id)?.verdict ??
    null
  );
}

/** Levels that a person is told about without asking. */
export const isAlarming = (level: RiskLevel): boolean => level === 'dangerous' || level === 'blocked';
