export { correctionOf } from './agent.ts';
export * from './evolve.ts';
export { freshPlanning, isPlanning, MAX_STRIKES } from './planning.ts';
export type { DraftState, PlanningState } from './planning-state.ts';
export * from './project.ts';
export * from './state.ts';
export { freshStep, indexOfStep, planStep, rootOf, standingOf, stepState } from './steps.ts';
export { isOutside, isUndoable, openRange } from './undo.ts';
export type { RollbackState, StepRange } from './undo-state.ts';
