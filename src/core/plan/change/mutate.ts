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

/** Proposed steps that were not taken, and why. */
export interface RefusedSteps {
  count: number;
  steps: AddedStep[];
  why: string;
}

/**
 * `plan` is the next revision where `ok`, else the plan as it was. `patch` applied to the old plan gives the new one.
 * `refused` may come with either: what was beyond the budget is left out, said and counted.
 */
export type Mutation =
  | { ok: true; plan: Plan; patch: PlanPatch; diff: string; refused?: RefusedSteps }
  | { ok: false; plan: Plan; patch: []; diff: ''; reason: string; refused?: RefusedSteps };

/** Inserts steps right before a step, as repairs of it unless they say otherwise. */
export function insertStepsBefore(
  plan: Plan,
  beforeStepId: string,
  protoSteps: readonly AddedStep[],
  budget?: GrowthBudget,
): Mutation {
  if (!plan.steps.some((step) => step.id === beforeStepId))
    return refuse(plan, `There is no step \`${beforeStepId}\`.`);
  if (protoSteps.length === 0) return refuse(plan, 'There are no steps to insert.');
  const repairs = protoSteps.map((proto) => ({ repairs: beforeStepId, ...proto }));
  const room = budget === undefined ? repairs.length : roomIn(plan, budget);
  const taken = repairs.slice(0, room);
  const refused = repairs.length > room ? refusedSteps(plan, repairs.slice(room), budget!) : undefined;
  if (taken.length === 0) return refuse(plan, refused!.why, refused);
  const steps = withIds(plan, beforeStepId, taken);
  return revise(plan, [{ op: 'insert', before: beforeStepId, steps }], refused);
}

function roomIn(plan: Plan, { originalLength, maxAdded, maxPerCorrection }: GrowthBudget): number {
  const added = Math.max(0, plan.steps.length - originalLength);
  return Math.min(Math.max(0, maxAdded - added), maxPerCorrection);
}

function refusedSteps(plan: Plan, steps: AddedStep[], budget: GrowthBudget): RefusedSteps {
  const { maxAdded, maxPerCorrection } = budget;
  const added = Math.max(0, plan.steps.length - budget.originalLength);
  const perCorrection = maxAdded - added >= maxPerCorrection;
  const limit = perCorrection
    ? `one correction adds at most ${maxPerCorrection}`
    : `at most ${maxAdded} are added to a plan, and ${added} were before`;
  return { count: steps.length, steps, why: `${steps.length} of the proposed steps are refused: ${limit}.` };
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
export function replaceStepCommand(plan: Plan, stepId: string, command: string): Mutation {
  const found = stepOf(plan, stepId);
  if (typeof found === 'string') return refuse(plan, found);
  if (command.trim() === '') return refuse(plan, 'The command is empty.');
  const action = withCommand(found.action, command);
  if (action === null) return refuse(plan, `Step \`${stepId}\` does not run a command.`);
  return revise(plan, [{ op: 'replace', stepId, step: { ...found, action } }]);
}

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

function revise(plan: Plan, patch: PlanPatch, refused?: RefusedSteps): Mutation {
  const result = applyPatch(plan, patch);
  if (!result.ok) return refuse(plan, result.reason, refused);
  const diff = renderPlanDiff(plan, result.plan);
  return { ok: true, plan: result.plan, patch, diff, ...(refused !== undefined && { refused }) };
}

function refuse(plan: Plan, reason: string, refused?: RefusedSteps): Mutation {
  return { ok: false, plan, patch: [], diff: '', reason, ...(refused !== undefined && { refused }) };
}
