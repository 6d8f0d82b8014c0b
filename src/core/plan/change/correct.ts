import type { Correction, Plan, Step } from '../../contract/index.ts';
import { parseAction } from '../action/parse.ts';
import { type AddedStep, changeStep, type GrowthBudget, type Mutation, type StepChange } from './mutate.ts';

/**
 * The plan that a correction makes of one: what it puts before the step that failed, and what it changes of that. Repairs
 * are done where that step was, and with its variables.
 */
export function correctPlan(
  plan: Plan,
  stepId: string,
  correction: Correction,
  budget?: GrowthBudget,
): Mutation {
  const failed = plan.steps.find(({ id }) => id === stepId);
  const change = readChange(correction, failed);
  if (typeof change !== 'string') return changeStep(plan, stepId, change, budget);
  return { ok: false, plan, patch: [], diff: '', reason: change };
}

/** Whether it changes the plan at all; a retry, a skip and an abort do not. */
export const changesPlan = ({ modifiedCommand, modifiedStep, newSteps = [] }: Correction): boolean =>
  modifiedCommand !== undefined || modifiedStep !== undefined || newSteps.length > 0;

function readChange(
  correction: Correction,
  { cwd, env }: Pick<Step, 'cwd' | 'env'> = {},
): StepChange | string {
  const { modifiedCommand: command, modifiedStep = {}, newSteps = [], reasoning } = correction;
  const before: AddedStep[] = [];
  for (const { step: title, action: line, expects } of newSteps) {
    const action = parseAction(line);
    if (!action.ok) return noAction(line, action.error.message);
    before.push({
      title,
      action: action.action,
      why: reasoning,
      ...(expects === undefined ? {} : { expects }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(env === undefined ? {} : { env }),
    });
  }
  const { action: line, ...fields } = modifiedStep;
  const action = line === undefined ? null : parseAction(line);
  if (action?.ok === false) return noAction(line!, action.error.message);
  return {
    ...fields,
    ...(action === null ? {} : { action: action.action }),
    ...(command === undefined ? {} : { command }),
    before,
  };
}

const noAction = (line: string, why: string): string => `"${line}" is no action: ${why}`;
