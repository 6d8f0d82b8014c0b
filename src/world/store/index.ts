export { systemClock } from './clock.ts';
export { StoreError } from './errors.ts';
export { foldVersion } from './fold-version.ts';
export { openStore } from './sqlite/store.ts';
