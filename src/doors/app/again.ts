import { type Plan, type RunState, type Step, stepState, textsOf } from '../../core/contract/index.ts';
import { AppError } from './errors.ts';
import type { NewRun } from './runs.ts';

/**
 * A run of the same plan from its beginning, in the same folder or from the same commit, with the same inputs but for those that are given. What a
 * brain changed for this once is left behind; what people edited stays. It waits for agreement like any other.
 */
export function againOf(run: string, state: RunState, given: Readonly<Record<string, string>> = {}) {
  const { plan, options, workspace, sealed, gitSource } = state;
  if (plan === null || options === null) throw new AppError('no-such-step', `run ${run} has no plan yet`);
  const steps = plan.steps
    .filter(({ repairs }) => repairs === undefined)
    .map((step) => asAgreed(step, state));
  if (steps.some(({ action }) => action.kind === 'restore')) {
    throw new AppError('usage', `run ${run} is an undo: undo the run that it took back`);
  }
  const declared = new Set(plan.inputs?.map(({ name }) => name));
  const other = Object.keys(given).find((name) => !declared.has(name));
  if (other !== undefined) throw new AppError('usage', `the plan has no input ${other}`);
  return {
    plan: { ...plan, steps, revision: 0 } satisfies Plan,
    workspace,
    options: { ...options, onAsk: 'wait' as const, inputs: { ...options.inputs, ...given } },
    parent: { run, stepId: steps[0]!.id, how: 'again' as const },
    sealed,
    ...(gitSource === null ? {} : { gitSource }),
  };
}

/** The same from a step on, in the same folder: earlier steps are left out, and what they captured is given as inputs. */
export function againFrom(stepId: string, run: string, state: RunState): NewRun {
  const { plan, options, workspace, values, sealed } = state;
  const at = plan?.steps.findIndex((step) => step.id === stepId) ?? -1;
  if (plan === null || options === null || at < 0) {
    throw new AppError('no-such-step', `there is no step ${JSON.stringify(stepId)} in run ${run}`);
  }
  return {
    plan: { ...plan, revision: 0 },
    workspace,
    options: { ...options, excluded: plan.steps.slice(0, at).map(({ id }) => id), inputs: textsOf(values) },
    parent: { run, stepId },
    sealed,
  };
}

const asAgreed = (step: Step, state: RunState): Step => {
  const agreed = stepState(state, step.id)?.agreed ?? null;
  return agreed === null ? step : { ...step, action: agreed };
};
