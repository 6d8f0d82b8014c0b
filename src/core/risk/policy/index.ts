export { applyPolicy, askUnseenNetwork } from './apply.ts';
export { describeRule } from './describe.ts';
export { narrowRule } from './narrow.ts';
export { parseRules } from './parse-rules.ts';
export type { PolicyRule, RuleOrigin } from './rule.ts';
