import type { Plan, PlanChange, PlanPatch, Step } from './plan.ts';

/**
 * The next revision of a plan, or the sentence that says why the patch does not fit it. Pure, never throws.
 * What may be changed (finished steps, growth) is not decided here: see the plan room.
 */
export function applyPatch(plan: Plan, patch: PlanPatch): { plan: Plan } | { misfit: string } {
  let steps: Step[] = plan.steps;
  for (const change of patch) {
    const changed = applyChange(steps, change);
    if (typeof changed === 'string') return { misfit: changed };
    steps = changed;
  }
  if (steps.length === 0) return { misfit: 'a plan needs at least one step' };
  const ids = new Set(steps.map((step) => step.id));
  if (ids.size !== steps.length) return { misfit: 'two steps would have the same id' };
  for (const step of steps) {
    const missing = step.after?.find((id) => !ids.has(id) || id === step.id);
    if (missing !== undefined)
      return { misfit: `step ${step.id} would come after ${missing}, which is not there` };
  }
  return { plan: { ...plan, steps, revision: plan.revision + 1 } };
}

function applyChange(steps: Step[], change: PlanChange): Step[] | string {
  if (change.op === 'insert') {
    const at = change.before === null ? steps.length : steps.findIndex((step) => step.id === change.before);
    return at < 0
      ? `there is no step ${change.before} to insert before`
      : steps.toSpliced(at, 0, ...change.steps);
  }
  const at = steps.findIndex((step) => step.id === change.stepId);
  if (at < 0) return `there is no step ${change.stepId}`;
  if (change.op === 'remove') return steps.toSpliced(at, 1);
  return change.step.id === change.stepId ? steps.with(at, change.step) : 'a replaced step keeps its id';
}

/** The steps that a patch puts into a plan, as they are then. */
export const stepsIn = (patch: PlanPatch): Step[] =>
  patch.flatMap((change) => {
    if (change.op === 'insert') return change.steps;
    return change.op === 'replace' ? [change.step] : [];
  });
