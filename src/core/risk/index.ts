export { judgeAction } from './action.ts';
export { catalogue } from './catalogue.ts';
export { judgeCommand } from './judge.ts';
export { riskRulesPage } from './page.ts';
export type { JudgeContext } from './types.ts';
export { atLeast, worse } from './verdict.ts';
