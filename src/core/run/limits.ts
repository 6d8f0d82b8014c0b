import {
  allowedCorrections,
  type FactBody,
  type RunOptions,
  type RunState,
  rootOf,
  type StepState,
  usedCorrections,
} from '../contract/index.ts';

/** A warning is due when no more than this part of a limit is left. */
const WARN_AT = 0.3;

type Stuck = Omit<Extract<FactBody, { type: 'agent-stuck' }>, 'type' | 'stepId'>;

/** Failed attempts of the original step and of all that was put before it to mend it. */
export function failuresOf(state: RunState, stepId: string): number {
  const root = rootOf(state, stepId);
  return state.steps.reduce((sum, step) => (rootOf(state, step.id) === root ? sum + step.strikes : sum), 0);
}

/** The limit that keeps the brain from being asked once more about this step; null where none does. */
export function stuckAt(state: RunState, options: RunOptions, step: StepState): Stuck | null {
  const { retriesPerStep } = options.limits;
  const failures = failuresOf(state, step.id);
  if (failures > retriesPerStep) {
    const own = failures === step.strikes;
    const message = own
      ? `it was attempted ${times(failures - 1)} after the first time, and still fails`
      : `${failures} attempts at it and at what was to mend it failed`;
    return { limit: 'retries-per-step', used: failures - 1, max: retriesPerStep, message };
  }
  if (step.refusals >= Math.max(1, retriesPerStep)) {
    const message = `${step.refusals} corrections for it were refused`;
    return { limit: 'refused-corrections', used: step.refusals, max: retriesPerStep, message };
  }
  const used = usedCorrections(state);
  const max = allowedCorrections(state, options.limits);
  if (used < max) return null;
  return { limit: 'corrections', used, max, message: `all ${max} corrections of this run are used up` };
}

const times = (n: number): string => (n === 1 ? 'once' : `${n} times`);

/** Said each time the brain is asked with little left. */
export function warnings(state: RunState, options: RunOptions): FactBody[] {
  const max = allowedCorrections(state, options.limits);
  const used = usedCorrections(state);
  const left = max - used;
  if (left > max * WARN_AT) return [];
  const message = `${left} of ${max} corrections ${left === 1 ? 'is' : 'are'} left`;
  return [{ type: 'budget-warning', limit: 'corrections', used, max, message }];
}
