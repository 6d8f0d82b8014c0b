export { systemClock } from './clock.ts';
export { StoreError } from './errors.ts';
export { foldVersion } from './fold-version.ts';
export { isLogLong } from './sqlite/opening.ts';
export { openStore, type StoreOptions } from './sqlite/store.ts';
