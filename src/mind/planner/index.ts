export { type Assessment, assessDraft } from './assess.ts';
export { confidenceOf } from './confidence.ts';
export { draftFile } from './draft-file.ts';
export { createPlanner, type PlannerOptions } from './planner.ts';
export {
  type Answered,
  type Chain,
  type Experience,
  type Identity,
  type Message,
  noExperience,
  type PlannerModels,
  type Question,
} from './port.ts';
export { MAX_PROMPT } from './prompt/prompts.ts';
export { lookAround } from './workspace/look.ts';
export { describeWorkspace, noReport, type WorkspaceReport } from './workspace/report.ts';
