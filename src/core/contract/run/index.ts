export * from './evolve.ts';
export * from './project.ts';
export * from './spending.ts';
export * from './state.ts';
export { planStep, stepState } from './steps.ts';
