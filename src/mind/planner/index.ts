export { type Assessment, assessDraft, plannedActions } from './assess.ts';
export { draftFile } from './draft-file.ts';
export { createPlanner } from './planner.ts';
export type { Chain, Experience, PlannerReply } from './port.ts';
export { lookAround } from './workspace/look.ts';
