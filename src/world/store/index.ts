export { systemClock } from './clock.ts';
export { StoreError, type StoreErrorCode } from './errors.ts';
export type { PositionedEvent, Project } from './journal.ts';
export { type Liveness, systemLiveness } from './liveness.ts';
export { createMemoryJournal, type MemoryJournal } from './memory-journal.ts';
export type { Output, OutputChunk, OutputWriter } from './output.ts';
export { defaultKeepDays, defaultKeepRuns, type GcOptions, type GcResult } from './retention.ts';
export type { RunsQuery } from './rows.ts';
export { openStore, type Store, type StoreOptions } from './store.ts';
