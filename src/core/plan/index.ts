export { parseAction } from './action/parse.ts';
export { printAction } from './action/print.ts';
export { renderActionError } from './action/render-error.ts';

export { actionUsages, expectsUsages } from './action/usage.ts';
export { editedPatch } from './change/compare.ts';
export { changesPlan, correctPlan } from './change/correct.ts';
export { replaceStep } from './change/mutate.ts';

export { renderPlanDiff } from './change/render-diff.ts';
export { parseExpects } from './expects/parse.ts';
export { MAX_STEPS } from './limits.ts';
export { type Problem, renderProblem } from './problem.ts';
export { PROBLEM_CODES } from './problem-codes.ts';
export { isSameEnding, isSameVerb, otherNamesOf, standsInFor } from './purpose/aliases.ts';
export { isGrave, isIdle, namesGrave } from './purpose/deeds.ts';
export { countsTwice, doneTwice, goingOn, halfwayIn, isOpaque } from './purpose/halves.ts';
export { isSlipOnly, keepsPurpose, type Purpose } from './purpose/keeps.ts';
export { repairKeepsPurpose } from './purpose/repairs.ts';
export { isPushAsTold } from './purpose/told-push.ts';
