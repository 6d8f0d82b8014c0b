import type { ActionKind, Plan } from '../../contract/index.ts';
import { capProblems, type Problem, sortProblems } from '../problem.ts';
import { lexicalConfinement, noAbsolutePaths, realConfinement, wholeWorkspace } from './confinement.ts';
import { realContent } from './content.ts';
import type { WorkspaceFacts } from './facts.ts';
import { keys } from './keys.ts';
import { native } from './native.ts';
import { type Rule, viewOf } from './rule.ts';
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

const RULES: readonly Rule[] = [
  sizes,
  noRestore,
  performable,
  singleLine,
  dependencies,
  keys,
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
  const problems = RULES.flatMap((rule) => rule(view));
  if (options.findSecret !== undefined) problems.push(...secretLiterals(options.findSecret)(view));
  if (options.allowedActions !== undefined) problems.push(...allowedActions(options.allowedActions)(view));
  if (facts === undefined) {
    problems.push(...noAbsolutePaths(view));
  } else {
    problems.push(...(await realConfinement(view, facts)));
    problems.push(...(await missingFiles(view, facts)));
    problems.push(...(await missingCommands(view, facts)));
  }
  return capProblems(sortProblems(problems));
}
