export * from './evolve.ts';
export * from './project.ts';
export * from './state.ts';
