import type { CorrectionState, Plan, RunState } from '@contract';

/** One correction with the steps that it put before the failed one and that are still in the plan. */
export interface Mend extends CorrectionState {
  stepIds: readonly string[];
}

const known = new WeakMap<readonly CorrectionState[], { plan: Plan | null; mends: readonly Mend[] }>();

/** Every correction of a run, oldest first. The same list as long as neither plan nor corrections changed. */
export function mendsOf(run: RunState): readonly Mend[] {
  const { corrections, plan } = run;
  const before = known.get(corrections);
  if (before?.plan === plan) return before.mends;
  const mends = corrections.map((correction) => ({ ...correction, stepIds: addedBy(run, correction.id) }));
  known.set(corrections, { plan, mends });
  return mends;
}

const addedBy = (run: RunState, id: string): string[] =>
  run.steps.flatMap((step, at) =>
    step.correction === id && run.plan?.steps[at]?.repairs !== undefined ? [step.id] : [],
  );
