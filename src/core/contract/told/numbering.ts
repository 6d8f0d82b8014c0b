import type { Plan } from '../index.ts';
import { indexOfStep } from '../run/steps.ts';

/** What people call a step: by its number in the plan that they agreed on. */

const known = new WeakMap<Plan, readonly (number | null)[]>();

/**
 * The number of each step, by its index in the plan: steps that are no repairs are counted from 1, so that a repair does
 * not renumber the plan. Null for a repair.
 */
export function numbersOf(plan: Plan | null): readonly (number | null)[] {
  if (plan === null) return [];
  let numbers = known.get(plan);
  if (numbers === undefined) {
    let number = 0;
    numbers = plan.steps.map((step) => (step.repairs === undefined ? ++number : null));
    known.set(plan, numbers);
  }
  return numbers;
}

export const numberOf = (plan: Plan | null, stepId: string): number | null =>
  numbersOf(plan)[indexOfStep(plan, stepId)] ?? null;

/** How many steps the plan has, repairs not counted: the `9` of "step 3 of 9". */
export const numberedSteps = (plan: Plan | null): number =>
  numbersOf(plan).findLast((number) => number !== null) ?? 0;

/** `step 3`, or `a repair of step 3`; the id where the plan does not know it. */
export function stepName(plan: Plan | null, stepId: string): string {
  const number = numberOf(plan, stepId);
  if (number !== null) return `step ${number}`;
  const root = repairedBy(plan, stepId);
  return root === null ? `step ${stepId}` : `a repair of step ${root}`;
}

/** The number of the step that a repair is for, however deep; null where it is none, or its step is not there. */
function repairedBy(plan: Plan | null, stepId: string): number | null {
  let at: string | undefined = stepId;
  for (let depth = 0; at !== undefined && depth <= (plan?.steps.length ?? 0); depth += 1) {
    const number = numberOf(plan, at);
    if (number !== null) return number;
    at = plan?.steps[indexOfStep(plan, at)]?.repairs;
  }
  return null;
}

/** `step 3 of 9`. */
export function placeOf(plan: Plan | null, stepId: string): string {
  const name = stepName(plan, stepId);
  return numberOf(plan, stepId) === null ? name : `${name} of ${numberedSteps(plan)}`;
}

export const titleOf = (plan: Plan | null, stepId: string): string =>
  plan?.steps[indexOfStep(plan, stepId)]?.title ?? stepId;
