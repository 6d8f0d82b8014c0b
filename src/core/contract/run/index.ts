export { correctionOf } from './agent.ts';
export * from './evolve.ts';
export * from './project.ts';
export * from './spending.ts';
export * from './state.ts';
export { planStep, rootOf, stepState } from './steps.ts';
