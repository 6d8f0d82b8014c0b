export { hasGuard, withGuard, withoutGuard } from './entries.ts';
export { asLine, type HookProgram, wordsBefore } from './line.ts';
export { settingsOf } from './places.ts';
export { hasHookTables } from './toml.ts';
