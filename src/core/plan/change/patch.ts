import type { Plan, PlanChange, PlanPatch, Step } from '../../contract/index.ts';

export type Patched = { ok: true; plan: Plan } | { ok: false; reason: string };

/**
 * The next revision of a plan. All or nothing; never throws. Refused: a change that names no step, an id that is taken,
 * a plan without steps, an `after` that would name nothing or something later.
 */
export function applyPatch(plan: Plan, patch: PlanPatch): Patched {
  const steps = [...plan.steps];
  for (const change of patch) {
    const reason = applyChange(steps, change);
    if (reason !== null) return { ok: false, reason };
  }
  const reason = brokenBy(steps);
  if (reason !== null) return { ok: false, reason };
  return { ok: true, plan: { ...plan, steps, revision: plan.revision + 1 } };
}

function applyChange(steps: Step[], change: PlanChange): string | null {
  const at = (id: string) => steps.findIndex((step) => step.id === id);
  switch (change.op) {
    case 'insert': {
      const index = change.before === null ? steps.length : at(change.before);
      if (index < 0) return `There is no step \`${change.before}\` to insert before.`;
      steps.splice(index, 0, ...change.steps);
      return null;
    }
    case 'replace': {
      const index = at(change.stepId);
      if (index < 0) return `There is no step \`${change.stepId}\` to replace.`;
      if (change.step.id !== change.stepId) return 'A step keeps its id when it is replaced.';
      steps[index] = change.step;
      return null;
    }
    case 'remove': {
      const index = at(change.stepId);
      if (index < 0) return `There is no step \`${change.stepId}\` to remove.`;
      steps.splice(index, 1);
      return null;
    }
  }
}

/** What a list of steps lacks to be a plan, or null. */
function brokenBy(steps: readonly Step[]): string | null {
  if (steps.length === 0) return 'A plan has at least one step.';
  const seen = new Set<string>();
  for (const step of steps) {
    if (seen.has(step.id)) return `Two steps would have the id \`${step.id}\`.`;
    const early = step.after?.find((id) => !seen.has(id));
    if (early !== undefined)
      return `Step \`${step.id}\` would come after \`${early}\`, which is not before it.`;
    seen.add(step.id);
  }
  return null;
}
