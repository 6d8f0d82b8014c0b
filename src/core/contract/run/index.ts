export * from './evolve.ts';
export * from './project.ts';
export * from './state.ts';
export { planStep, stepState } from './steps.ts';
export { isOutside, openRange, type RollbackState, type StepRange } from './undo.ts';
