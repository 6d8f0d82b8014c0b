export * from './child.ts';
export * from './drive.ts';
export * from './effects.ts';
export { createFolds, type Folded, type Folds } from './fold.ts';
export * from './gate.ts';
export * from './kind.ts';
export { createLedger, type StreamLedger } from './ledger.ts';
export type * from './ports.ts';
export type * from './store-ports.ts';
