import type { Plan } from '@contract';

const known = new WeakMap<Plan, Map<string, number>>();

/** Steps are counted as the person wrote them: repair steps have no number of their own. */
function numbers(plan: Plan): Map<string, number> {
  let map = known.get(plan);
  if (map === undefined) {
    map = new Map();
    let n = 0;
    for (const step of plan.steps) if (step.repairs === undefined) map.set(step.id, (n += 1));
    known.set(plan, map);
  }
  return map;
}

export const numberOf = (plan: Plan | null, stepId: string): number | null =>
  plan === null ? null : (numbers(plan).get(stepId) ?? null);

export const numberedSteps = (plan: Plan | null): number => (plan === null ? 0 : numbers(plan).size);

const places = new WeakMap<Plan, Map<string, number>>();

export function indexOfStep(plan: Plan | null, stepId: string): number {
  if (plan === null) return -1;
  let map = places.get(plan);
  if (map === undefined) {
    map = new Map(plan.steps.map(({ id }, at) => [id, at]));
    places.set(plan, map);
  }
  return map.get(stepId) ?? -1;
}

/** `step 5`, or `repair of step 5`. */
export function placeOf(plan: Plan | null, stepId: string): string {
  const number = numberOf(plan, stepId);
  if (number !== null) return `step ${number}`;
  const repairs = plan?.steps[indexOfStep(plan, stepId)]?.repairs;
  const mended = repairs === undefined ? null : numberOf(plan, repairs);
  return mended === null ? `step ${stepId}` : `repair of step ${mended}`;
}
