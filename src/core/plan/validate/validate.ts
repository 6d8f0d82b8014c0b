import type { ActionKind, Plan } from '../../contract/index.ts';
import { capProblems, type Problem, sortProblems } from '../problem.ts';
import { lexicalConfinement, noAbsolutePaths, realConfinement, wholeWorkspace } from './confinement.ts';
import { realContent } from './content.ts';
import type { WorkspaceFacts } from './facts.ts';
import { keys, unusedInputs } from './keys.ts';
import { native } from './native.ts';
import { ownKeys } from './own-keys.ts';
import { type PlanRule, type PlanView, viewOf } from './rule.ts';
import { type FindSecret, secretLiterals } from './secrets.ts';
import { services } from './services.ts';
import {
  allowedActions,
  dependencies,
  expectsForms,
  noRestore,
  performable,
  schemaProblems,
  singleLine,
  sizes,
} from './structure.ts';
import { waits } from './waits.ts';
import { missingCommands, missingFiles } from './workspace.ts';

export interface ValidateOptions {
  /** Finds a secret in a text, for `secret-literal`. Without it that rule does not speak. */
  findSecret?: FindSecret;
  /** The kinds of action that may be used; all unless said. */
  allowedActions?: readonly ActionKind[];
}

const RULES: readonly PlanRule[] = [
  sizes,
  noRestore,
  performable,
  singleLine,
  dependencies,
  keys,
  unusedInputs,
  ownKeys,
  services,
  native,
  waits,
  realContent,
  expectsForms,
  lexicalConfinement,
  wholeWorkspace,
];

/**
 * Everything that can be said against a plan without running it and without a model: all problems at once, errors
 * first. With `facts` also against the workspace. A plan without errors may run.
 */
export async function validatePlan(
  plan: Plan,
  facts?: WorkspaceFacts,
  options: ValidateOptions = {},
): Promise<Problem[]> {
  const broken = schemaProblems(plan);
  // The rules below rely on the shapes.
  if (broken.length > 0) return capProblems(broken);
  const view = viewOf(plan);
  const problems = wordProblems(view, options);
  if (facts === undefined) {
    problems.push(...noAbsolutePaths(view));
  } else {
    problems.push(...(await realConfinement(view, facts)));
    problems.push(...(await missingFiles(view, facts)));
    problems.push(...(await missingCommands(view, facts)));
  }
  return capProblems(sortProblems(problems));
}

/** What its words alone tell against a plan. */
function wordProblems(view: PlanView, { findSecret, allowedActions: allowed }: ValidateOptions): Problem[] {
  const problems = RULES.flatMap((rule) => rule(view));
  if (findSecret !== undefined) problems.push(...secretLiterals(findSecret)(view));
  if (allowed !== undefined) problems.push(...allowedActions(allowed)(view));
  return problems;
}

/**
 * The first error that a change brings into a plan, as far as its words tell; null where it brings none. What was
 * wrong before is none of its doing. Pure: whoever decides without looking at the world may ask.
 */
export function newError(before: Plan | null, after: Plan, options: ValidateOptions = {}): Problem | null {
  const errors = (plan: Plan): Problem[] => {
    const broken = schemaProblems(plan);
    const all = broken.length > 0 ? broken : wordProblems(viewOf(plan), options);
    return all.filter(({ severity }) => severity === 'error');
  };
  const found = errors(after);
  if (found.length === 0) return null;
  const key = ({ code, step }: Problem) => `${code} ${step}`;
  const known = new Set(before === null ? [] : errors(before).map(key));
  return found.find((problem) => !known.has(key(problem))) ?? null;
}
