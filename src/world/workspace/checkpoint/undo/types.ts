import type { UndoConflict } from '../../../../core/contract/index.ts';
import type { Comparison } from '../compare.ts';
import type { Change, Checkpoint, Known } from '../types.ts';

/*
 * Why a path is left alone (`UndoConflict`).
 *
 *   changed-since  a person changed it after the run did
 *   unknown        what the run left there is not held, so nobody can say who changed it
 *   blocked        a folder above it is now a file or a link
 *   not-empty      the run made this folder, and something else is in it by now
 *   between        a person changed it between two changes of the run: it goes back to what they made, not further
 */

/** What is to be undone: what happened between two checkpoints. */
export interface UndoRange {
  before: string;
  after: string;
  /** Nobody saw its end: others may have made some of the changes, so each is a conflict until it is named. */
  unsure?: boolean | undefined;
}

export interface Restoration extends Change {
  /** What is there now, and will be gone. */
  present: Known;
}

export interface Conflict extends Restoration {
  why: UndoConflict;
}

/** What an undo would do. Plain data: it can be shown, kept in a journal and performed later. */
export interface UndoPlan {
  /** Oldest first. */
  ranges: UndoRange[];
  restore: Restoration[];
  conflicts: Conflict[];
  /** Changed by the run, and as before already. */
  asBefore: string[];
  /** What the earlier checkpoint does not hold; `changed` where that is known. Never touched. */
  unknown: Comparison['unknown'];
}

/**
 * Called around each change of the workspace, and awaited. One that resolves with false stops the undo there: the
 * driver has lost its claim. They must not throw.
 */
export interface UndoHooks {
  /** The checkpoint that this undo can be undone to is durable; nothing has been changed yet. */
  begun?(checkpoint: Checkpoint): Promise<boolean>;
  restoring?(item: Restoration): Promise<boolean>;
  restored?(item: Restoration): Promise<boolean>;
}

export interface UndoOptions {
  /** Conflicts that are to be restored all the same: paths, folders for all below them, or 'all'. */
  force?: string[] | 'all';
  journal?: UndoHooks;
  /** The checkpoint that an interrupted undo had begun with. It is kept, and no other is taken. */
  checkpoint?: Pick<Checkpoint, 'id'>;
}

export interface UndoFailure {
  path: string;
  /** A sentence. */
  why: string;
  code: string;
}

/** Everything the plan named is in one of the lists; only what was looked at afterwards is called restored. */
export interface UndoResult {
  /** The workspace as it was before the undo, and as it was after: together they are what undoes it. */
  checkpoint: Checkpoint;
  after: Checkpoint;
  restored: string[];
  /** The same, with what the run had done to each. */
  changed: Pick<Change, 'path' | 'kind'>[];
  asBefore: string[];
  conflicts: Conflict[];
  failed: UndoFailure[];
  /** A hook asked to stop: what is missing is among `failed`. */
  wasStopped: boolean;
  /** Nothing failed. There may be conflicts. */
  isComplete: boolean;
}
