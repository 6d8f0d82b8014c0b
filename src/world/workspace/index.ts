export { CheckpointError } from './checkpoint/errors.ts';
export { openCheckpoints } from './checkpoint/open.ts';
export type { Checkpoints } from './checkpoint/ports.ts';
export type {
  Change,
  Uncovered,
} from './checkpoint/types.ts';
export type {
  ConflictWhy,
  UndoHooks,
  UndoRange,
} from './checkpoint/undo/types.ts';
export { entryAt, specialError } from './confine/entry.ts';
export { ConfinementError } from './confine/errors.ts';
export type { Folder } from './confine/folder.ts';
export { type LocateOptions, locate, type Place, type Where } from './confine/locate.ts';
export { createRunCheckpoints, type RunCheckpoints } from './run-checkpoints.ts';
