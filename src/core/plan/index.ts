export { type ParsedAction, parseAction } from './action/parse.ts';
export { printAction } from './action/print.ts';
export { renderActionError } from './action/render-error.ts';
export type { ActionError } from './action/scan.ts';
export { type ActionUsage, actionUsages, expectsUsages } from './action/usage.ts';
export { diffPlans } from './change/compare.ts';
export {
  type GrowthBudget,
  insertStepsBefore,
  type Mutation,
  type ProtoStep,
  type RefusedSteps,
  replaceStep,
  replaceStepCommand,
} from './change/mutate.ts';
export { applyPatch, type Patched } from './change/patch.ts';
export { renderPlanDiff } from './change/render-diff.ts';
export { nearMissOfExpects, parseExpects } from './expects/parse.ts';
export { MAX_STEPS } from './limits.ts';
export { type Problem, renderProblem, type Severity, type SourcePoint } from './problem.ts';
export { PROBLEM_CODES, type ProblemCode } from './problem-codes.ts';
