export { shouldCreatePlan } from './detect.ts';
export { createChatMind } from './mind.ts';
