import {
  type Action,
  isLoop,
  type Plan,
  type PlanPatch,
  type SimpleAction,
  type Step,
  shellText,
  withShellText,
} from '../../contract/index.ts';
import { applyPatch } from './patch.ts';
import { renderPlanDiff } from './render-diff.ts';

/** A step as a brain or a person proposes it: the plan gives it its id. */
export type AddedStep = Omit<Step, 'id' | 'source'>;

/** How much a plan may grow. Without one, it is a person's change and has no limit. */
export interface GrowthBudget {
  /** Steps of the plan as it was agreed on. */
  originalLength: number;
  /** Steps that may be added to it in all. */
  maxAdded: number;
  /** Steps that one correction may add. */
  maxPerCorrection: number;
}

/**
 * `plan` is the next revision where `ok`, else the plan as it was. `patch` applied to the old plan gives the new one.
 * `beyond`: which budget it does not fit into. Nothing of it is taken then: half of a repair is none.
 */
export type Mutation =
  | { ok: true; plan: Plan; patch: PlanPatch; diff: string }
  | { ok: false; plan: Plan; patch: []; diff: ''; reason: string; beyond?: 'plan' | 'correction' };

/** Inserts steps right before a step, as repairs of it unless they say otherwise. */
export function insertStepsBefore(
  plan: Plan,
  beforeStepId: string,
  protoSteps: readonly AddedStep[],
  budget?: GrowthBudget,
): Mutation {
  if (protoSteps.length === 0) return refuse(plan, 'There are no steps to insert.');
  return changeStep(plan, beforeStepId, { before: protoSteps }, budget);
}

/** What changes of a step. `command` is another shell text for it; `before`, steps that are put right before it. */
export interface StepChange extends Partial<Pick<Step, 'action' | 'expects' | 'timeoutMs' | 'cwd'>> {
  command?: string;
  before?: readonly AddedStep[];
}

/** Changes a step and puts others before it, as one revision. */
export function changeStep(plan: Plan, stepId: string, change: StepChange, budget?: GrowthBudget): Mutation {
  const found = stepOf(plan, stepId);
  if (typeof found === 'string') return refuse(plan, found);
  const { command, before = [], ...fields } = change;
  const beyond = budget === undefined ? null : beyondBudget(plan, before.length, budget);
  if (beyond !== null) return { ...refuse(plan, beyond.reason), beyond: beyond.of };
  const patch: PlanPatch = [];
  if (before.length > 0) {
    const repairs = before.map((proto) => ({ repairs: stepId, ...proto }));
    patch.push({ op: 'insert', before: stepId, steps: withIds(plan, stepId, repairs) });
  }
  const step = { ...found, ...fields };
  if (command !== undefined) {
    if (command.trim() === '') return refuse(plan, 'The command is empty.');
    const action = withCommand(step.action, command);
    if (action === null) return refuse(plan, `Step \`${stepId}\` does not run a command.`);
    step.action = action;
  }
  if (command !== undefined || Object.keys(fields).length > 0) patch.push({ op: 'replace', stepId, step });
  return revise(plan, patch);
}

function beyondBudget(
  plan: Plan,
  more: number,
  { originalLength, maxAdded, maxPerCorrection }: GrowthBudget,
): { of: 'plan' | 'correction'; reason: string } | null {
  if (more > maxPerCorrection)
    return {
      of: 'correction',
      reason: `One correction adds at most ${maxPerCorrection} steps, not ${more}.`,
    };
  const added = Math.max(0, plan.steps.length - originalLength);
  if (added + more <= maxAdded) return null;
  const reason = `At most ${maxAdded} steps are added to a plan, ${added} were before, and this adds ${more}.`;
  return { of: 'plan', reason };
}

/** Ids such as `s3-r2-1`: the step it stands by, the revision that added it, a number. Never one that was there before. */
function withIds(plan: Plan, anchor: string, protoSteps: readonly AddedStep[]): Step[] {
  const base = anchor.replace(/(?:-r\d+-\d+)+$/, '');
  const taken = new Set(plan.steps.map((step) => step.id));
  let number = 0;
  return protoSteps.map((proto) => {
    let id: string;
    do id = `${base}-r${plan.revision + 1}-${++number}`;
    while (taken.has(id));
    return { ...proto, id };
  });
}

/** Puts another step in the place of one. It keeps its id, and where it came from. */
export function replaceStep(plan: Plan, stepId: string, proto: AddedStep): Mutation {
  const found = stepOf(plan, stepId);
  if (typeof found === 'string') return refuse(plan, found);
  const step: Step = { ...proto, id: found.id, ...(found.source !== undefined && { source: found.source }) };
  if (proto.repairs === undefined && found.repairs !== undefined) step.repairs = found.repairs;
  return revise(plan, [{ op: 'replace', stepId, step }]);
}

/** Gives a step another command. In a loop, the command that is repeated; a command of several lines becomes a script. */
export const replaceStepCommand = (plan: Plan, stepId: string, command: string): Mutation =>
  changeStep(plan, stepId, { command });

function withCommand(action: Action, command: string): Action | null {
  if (isLoop(action)) {
    const body = withCommand(action.do, command);
    return body === null ? null : { ...action, do: body as SimpleAction };
  }
  if (shellText(action) === null) return null;
  if (action.kind !== 'run-command' && action.kind !== 'run-script') return withShellText(action, command);
  return /[\n\r]/.test(command) ? { kind: 'run-script', script: command } : { kind: 'run-command', command };
}

const stepOf = (plan: Plan, stepId: string): Step | string =>
  plan.steps.find((each) => each.id === stepId) ?? `There is no step \`${stepId}\`.`;

function revise(plan: Plan, patch: PlanPatch): Mutation {
  const result = applyPatch(plan, patch);
  if (!result.ok) return refuse(plan, result.reason);
  return { ok: true, plan: result.plan, patch, diff: renderPlanDiff(plan, result.plan) };
}

const refuse = (plan: Plan, reason: string): Extract<Mutation, { ok: false }> => ({
  ok: false,
  plan,
  patch: [],
  diff: '',
  reason,
});
