import type { Comparison } from './compare.ts';
import type { Composed } from './compose.ts';
import type { Change, Checkpoint, CheckpointLimits, OnPoint, SavedFiles } from './types.ts';
import type { UndoOptions, UndoPlan, UndoRange, UndoResult } from './undo/types.ts';

export interface CheckpointsOptions {
  /** Of the program's data folder; holds the checkpoints of many workspaces, a folder each. */
  dir: string;
  workspace: string;
  /** Where the workspace is; this machine where it is left out. */
  host?: string;
  limits?: Partial<CheckpointLimits>;
  /** How long to wait for another process that works on the same checkpoints. */
  lockTimeoutMs?: number;
  /** How old a change must be for its time to tell it from the next one. 2,000 suits every disk. */
  trustAfterMs?: number;
  /** For crash tests: called at named moments. */
  onPoint?: OnPoint;
}

export type CheckpointRef = Pick<Checkpoint, 'id'>;
/** A checkpoint in a list. */
export type CheckpointNote = Pick<Checkpoint, 'id' | 'label' | 'at' | 'host'>;

export interface TakeOptions {
  /** As `saveFiles`, in the same turn. */
  save?: string[];
  /** Likewise, but only what the checkpoint does not hold by itself. What lies outside is left out. */
  touched?: string[];
  /** Answers with this checkpoint, and takes none, where everything is as it has it. */
  orSame?: CheckpointRef;
  /** Ends it: it then rejects with `aborted`, and costs the next one time and nothing else. */
  signal?: AbortSignal;
}

/**
 * The checkpoints of one workspace. All promises reject with a CheckpointError only. Processes may share them: what
 * writes waits for its turn. The workspace and the user's `.git` are only read, except by `performUndo`, which
 * writes to the workspace.
 */
export interface CheckpointStore {
  /** Durable when it resolves. */
  take(label: string, options?: TakeOptions): Promise<Checkpoint>;
  /**
   * Saves what is at these paths now, even if ignored or too large to be covered, for a checkpoint. Paths are
   * absolute or relative to the workspace. Of a path that was saved before for this checkpoint, the first stays.
   */
  saveFiles(checkpoint: CheckpointRef, paths: string[]): Promise<SavedFiles>;
  get(id: string): Promise<Checkpoint>;
  /** Oldest first. */
  list(): Promise<CheckpointNote[]>;
  changes(from: CheckpointRef, to: CheckpointRef | 'now'): Promise<Change[]>;
  /** As `changes`, with what is not covered on either side. */
  compare(from: CheckpointRef, to: CheckpointRef | 'now'): Promise<Comparison>;
  /** Unified text, of one path or of all below a folder if given. Binary files are named, not shown. */
  diff(from: CheckpointRef, to: CheckpointRef | 'now', path?: string): Promise<string>;
  /** What several ranges, oldest first, come to. */
  changesOf(ranges: readonly UndoRange[]): Promise<Composed>;
  diffOf(ranges: readonly UndoRange[], path?: string): Promise<string>;
  /** One range, or several, oldest first. */
  planUndo(
    what: { before: CheckpointRef; after: CheckpointRef } | UndoRange[],
    force?: UndoOptions['force'],
  ): Promise<UndoPlan>;
  performUndo(plan: UndoPlan, options?: UndoOptions): Promise<UndoResult>;
  /** Forgets all checkpoints but these, and gives the space back. Answers how many it forgot. */
  prune(keep: Iterable<string>): Promise<number>;
  /** Waits for packing that was begun. Nothing may be asked afterwards. */
  close(): Promise<void>;
}
