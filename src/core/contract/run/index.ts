export { correctionOf } from './agent.ts';
export * from './evolve.ts';
export { isPlanning, MAX_STRIKES, type PlanningFact } from './planning.ts';
export type { DraftState, PlanningState } from './planning-state.ts';
export * from './project.ts';
export * from './spending.ts';
export * from './state.ts';
export { planStep, rootOf, stepState } from './steps.ts';
export { isOutside, openRange, type RollbackState, type StepRange } from './undo.ts';
