export type { WorkspaceFacts } from './facts.ts';
export type { FindSecret } from './secrets.ts';
export { newError, validatePlan } from './validate.ts';
