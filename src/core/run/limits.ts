import { type FactBody, type RunOptions, type RunState, rootOf, type StepState } from '../contract/index.ts';

/** A warning is due when no more than this part of a limit is left. */
const WARN_AT = 0.3;

type Stuck = Omit<Extract<FactBody, { type: 'agent-stuck' }>, 'type' | 'stepId'>;

/** Failed attempts of the original step and of all that was put before it to mend it. */
export function failuresOf(state: RunState, stepId: string): number {
  const root = rootOf(state, stepId);
  return state.steps.reduce((sum, step) => (rootOf(state, step.id) === root ? sum + step.strikes : sum), 0);
}

/** Corrections that may still be asked for. A person's hint allows for one more each. */
const allowedCorrections = (state: RunState, options: RunOptions): number =>
  options.limits.corrections + state.hints.length;

/** The limit that keeps the brain from being asked once more about this step; null where none does. */
export function stuckAt(state: RunState, options: RunOptions, step: StepState): Stuck | null {
  const { retriesPerStep } = options.limits;
  const failures = failuresOf(state, step.id);
  if (failures > retriesPerStep) {
    const message = `it was attempted ${times(retriesPerStep)} after the first time, and still fails`;
    return { limit: 'retries-per-step', used: failures - 1, max: retriesPerStep, message };
  }
  const used = state.corrections.length;
  const max = allowedCorrections(state, options);
  if (used < max) return null;
  return { limit: 'corrections', used, max, message: `all ${max} corrections of this run are used up` };
}

const times = (n: number): string => (n === 1 ? 'once' : `${n} times`);

/** Said each time the brain is asked with little left. */
export function warnings(state: RunState, options: RunOptions): FactBody[] {
  const max = allowedCorrections(state, options);
  const used = state.corrections.length;
  const left = max - used;
  if (left > max * WARN_AT) return [];
  const message = `${left} of ${max} corrections ${left === 1 ? 'is' : 'are'} left`;
  return [{ type: 'budget-warning', limit: 'corrections', used, max, message }];
}
