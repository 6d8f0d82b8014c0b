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
export {
  type Applied,
  applyPolicy,
  describeRule,
  type Narrowed,
  type NarrowOptions,
  narrowRule,
  type ParsedRules,
  type PolicyContext,
  parseRules,
  type RecordedRisk,
  type Rule,
  type RuleOrigin,
  type RuleProblem,
  type RuleSource,
} from './policy/index.ts';
export * from './secrets/index.ts';
export type { JudgeContext, RuleInfo } from './types.ts';
export { atLeast, worse } from './verdict.ts';
