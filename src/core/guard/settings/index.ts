export { hasGuard, withGuard, withoutGuard } from './entries.ts';
export { asLine, checkpointsIn, type HookProgram, wordsBefore } from './line.ts';
export { settingsOf } from './places.ts';
export { hasHookTables } from './toml.ts';
export { startsUnhooked } from './unhooked.ts';
