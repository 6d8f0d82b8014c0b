export * from './actor.ts';
export * from './environment.ts';
export * from './place.ts';
export * from './row.ts';
