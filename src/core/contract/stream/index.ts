export * from './actor.ts';
export * from './approvals.ts';
export * from './child.ts';
export { dollars } from './dollars.ts';
export * from './environment.ts';
export * from './place.ts';
export * from './row.ts';
export * from './spending.ts';
export * from './state.ts';
