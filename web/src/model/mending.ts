import type { Correction, CorrectionState, Plan, RunState } from '@contract';

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

/** Proposed by a rule, from memory, by a model: in words. */
export function sourceWords({ source: { brain, name } }: Correction): string {
  switch (brain) {
    case 'person':
      return 'You';
    case 'rule':
      return `Rule ${name}`;
    case 'remembered':
      return 'Remembered fix';
    case 'program':
      return 'Your brain program';
    case 'model':
      return name;
  }
}

export function correctionWords({ action, newSteps = [] }: Correction): string {
  switch (action) {
    case 'retry':
      return 'Tries it again';
    case 'modify':
      return 'Changes the command';
    case 'insert_steps':
      return newSteps.length === 1 ? 'Adds a step before it' : `Adds ${newSteps.length} steps before it`;
    case 'skip':
      return 'Skips it';
    case 'abort':
      return 'Gives up the run';
  }
}
