export * from './evolve.ts';
export * from './facts.ts';
export * from './lean.ts';
export * from './options.ts';
export * from './project.ts';
export * from './requests.ts';
export * from './state.ts';
