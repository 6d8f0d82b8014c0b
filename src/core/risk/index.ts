export { judgeAction } from './action.ts';
export { catalogue } from './catalogue.ts';
export {
  type ExplainedCommand,
  type ExplainedRedirection,
  type ExplainedWord,
  type Explanation,
  explain,
} from './explain/index.ts';
export { judgeCommand } from './judge.ts';
export type { Applied } from './policy/apply.ts';
export * from './policy/index.ts';
export type { PolicyContext } from './policy/match.ts';
export type { Narrowed, NarrowOptions } from './policy/narrow.ts';
export type { ParsedRules, RuleProblem, RuleSource } from './policy/parse-rules.ts';
export type { RecordedRisk, Rule, RuleOrigin } from './policy/rule.ts';
export * from './secrets/index.ts';
export type { JudgeContext, RuleInfo } from './types.ts';
export { atLeast, worse } from './verdict.ts';
