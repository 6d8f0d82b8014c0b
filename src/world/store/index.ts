export { systemClock } from './clock.ts';
export { StoreError } from './errors.ts';
export { defaultKeepDays, defaultKeepLast } from './retention-rules.ts';
export { openStore } from './sqlite/store.ts';
