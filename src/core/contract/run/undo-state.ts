import type { UncoveredSummary } from '../facts/undo.ts';

/** What a run keeps so that it can be undone. */

/** What one attempt, or one loop, changed: the workspace before it and as it left it. */
export interface StepRange {
  stepId: string;
  attemptIndex: number;
  before: string;
  /** Null while the attempt is under way, and for ever where the checkpoint after it failed. */
  after: string | null;
  /** Nobody saw its end: others may have had a part in what changed. */
  unsure: boolean;
  /** An attempt was begun upon it. */
  started: boolean;
  /** The driver that took the first checkpoint, and its place in the journal. */
  epoch: number;
  seq: number;
  /** Why there is no checkpoint after it, as far as it was tried. */
  failure: string | null;
  /** Paths that the attempt named. */
  paths: readonly string[];
  /** Those of them outside the workspace, which no checkpoint holds. */
  outside: readonly string[];
  needs: readonly string[];
}

/** The checkpoint before a step that could not be taken. */
export interface MissingCheckpoint {
  stepId: string;
  epoch: number;
  code: string;
  message: string;
}

/** The way back of a run that takes back what its failed step did. */
export interface RollbackState {
  stepId: string;
  epoch: number;
  done: boolean;
  restored: number;
  left: readonly { path: string; why: string }[];
  leftCount: number;
  message: string | null;
}

export interface UndoState {
  ranges: readonly StepRange[];
  /** What the last checkpoint did not hold. */
  uncovered: UncoveredSummary | null;
  missingCheckpoint: MissingCheckpoint | null;
  rollback: RollbackState | null;
}

export const initialUndoState: UndoState = {
  ranges: [],
  uncovered: null,
  missingCheckpoint: null,
  rollback: null,
};
