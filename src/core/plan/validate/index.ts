export type { WorkspaceFacts } from './facts.ts';
export type { FindSecret } from './secrets.ts';
export { validatePlan } from './validate.ts';
