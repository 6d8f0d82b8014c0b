export { allowedCorrections, correctionOf, NOT_SURE, partsOf, usedCorrections } from './agent.ts';
export { parkedApproval } from './approvals.ts';
export { dueForSummary } from './context.ts';
export type { ContextEntry, RollingContext } from './context-state.ts';
export * from './evolve.ts';
export { fullRun, leanRun } from './lean.ts';
export { freshPlanning, isPlanning, planningAfter } from './planning.ts';
export type { DraftState, PlanningState } from './planning-state.ts';
export * from './project.ts';
export * from './state.ts';
export {
  freshStep,
  indexOfStep,
  judgementOf,
  parkedQuestion,
  planStep,
  rootOf,
  standingOf,
  stepState,
} from './steps.ts';
export { isOutside, isUndoable, type Kept, openRange } from './undo.ts';
export type { StepRange } from './undo-state.ts';
export * from './whole-plan.ts';
