export { type Assessment, assessDraft } from './assess.ts';

export { draftFile } from './draft-file.ts';
export { createPlanner } from './planner.ts';
export {
  type Chain,
  type Experience,
  noExperience,
  type PlannerReply,
} from './port.ts';

export { lookAround } from './workspace/look.ts';
export { noReport } from './workspace/report.ts';
