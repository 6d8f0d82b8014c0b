export { CheckpointError } from './checkpoint/errors.ts';
export { openLock } from './checkpoint/lock.ts';
export type { CheckpointStore } from './checkpoint/ports.ts';
export { type Change, savedBytes, type Uncovered } from './checkpoint/types.ts';
export type {
  UndoHooks,
  UndoRange,
} from './checkpoint/undo/types.ts';
export { entryAt, specialError } from './confine/entry.ts';
export { ConfinementError } from './confine/errors.ts';
export type { HeldFolder } from './confine/folder.ts';
export { type LocatedPath, type LocateOptions, locate, type Whereabouts } from './confine/locate.ts';
export { openCheckpoints } from './open-checkpoints.ts';
export { placeOf } from './place-of.ts';
export { createRunCheckpoints, type RunCheckpoints } from './run-checkpoints.ts';
