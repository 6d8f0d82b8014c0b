export { judgeAction } from './action.ts';
export { catalogue } from './catalogue.ts';
export { type Explanation, explain } from './explain/index.ts';
export { judgeCommand } from './judge.ts';
export { riskRulesPage } from './page.ts';
export * from './policy/index.ts';
export * from './secrets/index.ts';
export type { JudgeContext, RuleInfo } from './types.ts';
export { atLeast, worse } from './verdict.ts';
