export { systemClock } from './clock.ts';
export { StoreError } from './errors.ts';
export type { Fixes, FixRow } from './fixes.ts';

export type { Output, OutputWriter } from './output.ts';

export type { Scores } from './scores.ts';

export { openStore, type Store } from './store.ts';
