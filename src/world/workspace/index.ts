export type { Comparison } from './checkpoint/compare.ts';
export type { Composed } from './checkpoint/compose.ts';
export { CheckpointError, type CheckpointErrorCode } from './checkpoint/errors.ts';
export { openCheckpoints } from './checkpoint/open.ts';
export type { CheckpointNote, CheckpointRef, Checkpoints, CheckpointsOptions } from './checkpoint/ports.ts';
export type {
  Change,
  ChangeKind,
  Checkpoint,
  Known,
  Limits,
  SavedFiles,
  Uncovered,
  UncoveredWhy,
} from './checkpoint/types.ts';
export type {
  Conflict,
  ConflictWhy,
  Restoration,
  UndoFailure,
  UndoHooks,
  UndoOptions,
  UndoPlan,
  UndoRange,
  UndoResult,
} from './checkpoint/undo/types.ts';
export { type Entry, type EntryKind, entryAt, specialError } from './confine/entry.ts';
export { type ConfinementCode, ConfinementError } from './confine/errors.ts';
export type { Folder } from './confine/folder.ts';
export { type LocateOptions, locate, type Place, type Where } from './confine/locate.ts';
export { placeOf } from './place-of.ts';
export { createRunCheckpoints, type RunCheckpoints } from './run-checkpoints.ts';
