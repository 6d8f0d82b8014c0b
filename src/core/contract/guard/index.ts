export * from './facts.ts';
export * from './row.ts';
export * from './state.ts';
