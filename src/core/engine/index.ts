export * from './drive.ts';
export * from './effects.ts';
export { type Permit, redeemPermit } from './gate.ts';
export * from './ports.ts';
export { createLedger, type LedgerOptions, type RunLedger } from './run/ledger.ts';
export { createRunMachine, type RunMachine } from './run/machine.ts';
export { type Divergence, type Replayed, replayRun } from './run/replay.ts';
export { failedResult, nothingToDo } from './run/results.ts';
export type { RunWork } from './run/work.ts';
