import type { ChangedFile, LeftPath, UncoveredSummary } from '../contract/index.ts';

/** What is to be put back: what happened between two checkpoints. `unsure`: others may have had a part in it. */
export interface RestoreRange {
  before: string;
  after: string;
  unsure?: true | undefined;
}

export interface RestoreWork {
  /** Oldest first. */
  ranges: readonly RestoreRange[];
  /** Conflicts that are to be restored all the same. */
  overwrite: readonly string[] | 'all';
  /** The checkpoint that an interrupted one had begun with. */
  begun: string | null;
}

export interface RestoreHooks {
  signal: AbortSignal;
  /** What is about to be overwritten is kept. Awaited before anything is changed; on false nothing must be. */
  begun(checkpoint: string): Promise<boolean>;
}

export interface TakeWork {
  label: string;
  paths: string[];
  last: string | null;
  /** Aborts where nobody wants it any more: what was begun is ended, and the answer is not ok. */
  signal: AbortSignal;
}

export type Checkpointed =
  | { ok: true; checkpoint: string; uncovered: UncoveredSummary }
  | { ok: false; code: string; message: string };

export type RestoreOutcome =
  | {
      ok: true;
      /** The checkpoint of what it left; with the one it began with it can be undone. */
      after: string;
      /** What is as before again, with what had been done to it. */
      restored: ChangedFile[];
      /** The first of the paths that were left as they are: conflicts, and what could not be written. */
      left: LeftPath[];
      leftCount: number;
      /** So many of them because something went wrong. */
      failedCount: number;
      stopped: boolean;
    }
  | { ok: false; code: string; message: string };

/**
 * The checkpoints of one workspace. Nothing here throws: what went wrong is in the answer. Only `restore` touches the
 * workspace, and doing it again goes on where it was.
 */
export interface Checkpoints {
  /** `last` is answered where everything is as it has it. What is at `paths` is kept although it may be ignored. */
  take(work: TakeWork): Promise<Checkpointed>;
  restore(work: RestoreWork, hooks: RestoreHooks): Promise<RestoreOutcome>;
}
