/** Why something in the workspace is not in a checkpoint. */
export type UncoveredWhy = 'too-large' | 'ignored' | 'nested-repository' | 'special-file' | 'unreadable';

/** A path of the workspace that the checkpoint does not hold; of a folder, nothing below it is held either. */
export interface Uncovered {
  path: string;
  why: UncoveredWhy;
  /** Tells one state of the file from another without its bytes, where that is known: inode, size, times. */
  stamp?: string;
}

export interface Checkpoint {
  /** The hash of a commit in the private repository. */
  id: string;
  label: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Where it was taken. */
  host: string;
  covered: { files: number; folders: number; bytes: number };
  uncovered: Uncovered[];
}

/** What is at a path. `mode` has all twelve bits. `null`, where it is allowed, says that nothing is there. */
export type CoveredEntry =
  | { kind: 'file'; oid: string; mode: number }
  | { kind: 'link'; oid: string }
  | { kind: 'folder'; mode: number };

/** What a checkpoint knows of a path. */
export type Known = CoveredEntry | null | { kind: 'uncovered'; why: UncoveredWhy; stamp?: string };

export type ChangeKind = 'added' | 'removed' | 'modified' | 'mode' | 'type-changed';

/** A rename is a removal and an addition. */
export interface Change {
  path: string;
  kind: ChangeKind;
  before: CoveredEntry | null;
  /** 'uncovered' where the later side exists but is not held: it grew too large, for instance. */
  after: Known;
}

/** A larger file is not even saved by its name. */
export const savedBytes = 100_000_000;

export interface CheckpointLimits {
  /** A larger file is not covered. 10 MB. */
  fileBytes: number;
  /** The first files up to this sum are covered. 2 GB. */
  totalBytes: number;
  /** A larger file is not saved by `saveFiles`. 100 MB. */
  savedBytes: number;
  /** Older checkpoints beyond this many expire. 1,000. */
  checkpoints: number;
  /** Checkpoints expire after so many days. 30. */
  days: number;
}

export interface SavedFiles {
  saved: string[];
  /** `outside`: not in the workspace; `git`: a part of some `.git`; `folder`: only that it exists is saved. */
  notSaved: { path: string; why: 'outside' | 'git' | 'folder' | UncoveredWhy }[];
}

/** Tests stop the world here. Names of moments, in order: see `points` in the callers. */
export type OnPoint = (name: string) => void;

export const sameEntry = (one: Known, other: Known): boolean => {
  if (one === null || other === null) return one === other;
  if (one.kind === 'uncovered' || other.kind === 'uncovered') return false;
  if (one.kind === 'folder') return other.kind === 'folder' && one.mode === other.mode;
  if (one.kind === 'link') return other.kind === 'link' && one.oid === other.oid;
  return other.kind === 'file' && one.oid === other.oid && one.mode === other.mode;
};
