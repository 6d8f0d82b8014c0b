export { repeatOf } from './apply.ts';
export { runKind } from './kind.ts';
export { createRunMachine, type FactOf, type RunMachine } from './machine.ts';
export { nameFailure } from './mend.ts';
export type * from './ports.ts';
export { type Divergence, type Replayed, replayRun } from './replay.ts';
export { failedResult, nothingToDo } from './results.ts';
export type { RunWork } from './work.ts';
