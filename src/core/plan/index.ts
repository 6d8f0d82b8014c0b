export { describeAction } from './action/describe.ts';
export { type ParsedAction, parseAction } from './action/parse.ts';
export { printAction } from './action/print.ts';
export { renderActionError } from './action/render-error.ts';
export type { ActionError } from './action/scan.ts';
export { type ActionUsage, actionUsages, expectsUsages } from './action/usage.ts';
export { diffPlans } from './change/compare.ts';
export {
  type GrowthBudget,
  insertSteps,
  insertStepsBefore,
  MAX_ADDED_STEPS,
  MAX_STEPS_PER_CORRECTION,
  type MutateOptions,
  type Mutation,
  type ProtoStep,
  type RefusedSteps,
  replaceStep,
  replaceStepCommand,
  skipStep,
} from './change/mutate.ts';
export { applyPatch, type Patched } from './change/patch.ts';
export { renderPlanDiff } from './change/render-diff.ts';
export { describeExpectation, describeUnmet, printExpectation } from './expects/describe.ts';
export { nearMissOfExpects, parseExpects } from './expects/parse.ts';
export { type EditedFile, editPlanFile } from './file/edit.ts';
export { type ParsedPlan, parsePlanFile } from './file/parse.ts';
export { type PrintOptions, toPlanFile } from './file/print.ts';
export { planFileSchema } from './file/schema.ts';
export { MAX_STEPS } from './limits.ts';
export { nearest, suggest } from './nearest.ts';
export { type Problem, renderProblem, type Severity, type SourcePoint } from './problem.ts';
export { PROBLEM_CODES, type ProblemCode } from './problem-codes.ts';
export { MAX_RUNBOOK_BYTES, type ParsedRunbook, parseRunbook, type Runbook } from './runbook/parse.ts';
export { type Selected, selectByHeading } from './runbook/select.ts';
export type { RunbookStep } from './runbook/steps.ts';
export { findPlaceholders, type Placeholder, type Values } from './substitute/placeholders.ts';
export {
  type Refusal,
  type Substituted,
  type SubstituteOptions,
  substitute,
  substituteText,
} from './substitute/substitute.ts';
export {
  type Chosen,
  chooseTemplate,
  type Match,
  matchTemplates,
  searchWords,
  similarity,
} from './templates/match.ts';
export { parseTemplate, type Template } from './templates/template.ts';
export type { WorkspaceFacts } from './validate/facts.ts';
export type { FindSecret } from './validate/secrets.ts';
export { type ValidateOptions, validatePlan } from './validate/validate.ts';
