export { checkpointChoices } from './hook.ts';
export * from './install.ts';
export { type TriedCommand, tryHook } from './try.ts';
