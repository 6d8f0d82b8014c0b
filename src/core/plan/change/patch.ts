import {
  capital,
  applyPatch as fitPatch,
  type Plan,
  type PlanPatch,
  type Step,
} from '../../contract/index.ts';

export type Patched = { ok: true; plan: Plan } | { ok: false; reason: string };

/**
 * The next revision of a plan, as whoever proposes one must make it. All or nothing; never throws. Refused is what does
 * not fit the plan, and an `after` that names something later: a run could cope with it, a person could not read it.
 */
export function applyPatch(plan: Plan, patch: PlanPatch): Patched {
  const outcome = fitPatch(plan, patch);
  if ('misfit' in outcome) return { ok: false, reason: `${capital(outcome.misfit)}.` };
  const reason = outOfOrder(outcome.plan.steps);
  return reason === null ? { ok: true, plan: outcome.plan } : { ok: false, reason };
}

function outOfOrder(steps: readonly Step[]): string | null {
  const seen = new Set<string>();
  for (const step of steps) {
    const early = step.after?.find((id) => !seen.has(id));
    if (early !== undefined) return `Step ${step.id} would come after ${early}, which is not before it.`;
    seen.add(step.id);
  }
  return null;
}
