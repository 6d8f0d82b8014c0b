export { systemClock } from './clock.ts';
export { StoreError, type StoreErrorCode } from './errors.ts';
export { foldVersion } from './fold-version.ts';
export { type Liveness, systemLiveness } from './liveness.ts';
export { defaultKeepDays, defaultKeepLast } from './retention-rules.ts';
export { openStore, type StoreOptions } from './sqlite/store.ts';
