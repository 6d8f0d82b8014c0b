export type { WorkspaceFacts } from './facts.ts';
export type { FindSecret } from './secrets.ts';
export { newError, type ValidateOptions, validatePlan } from './validate.ts';
