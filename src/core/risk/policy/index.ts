export { type Applied, applyPolicy } from './apply.ts';
export { describeRule } from './describe.ts';
export type { PolicyContext } from './match.ts';
export { type Narrowed, type NarrowOptions, narrowRule } from './narrow.ts';
export { type ParsedRules, parseRules, type RuleProblem, type RuleSource } from './parse-rules.ts';
export type { RecordedRisk, Rule, RuleOrigin } from './rule.ts';
