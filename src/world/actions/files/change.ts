import type { FileChange, Picture, Value } from '../../../core/contract/index.ts';
import type { Whereabouts } from '../../workspace/index.ts';

/** A file action that has been looked into: what it will do to which path, and how. */
export interface PreparedChange {
  /** Empty where nothing has to be changed. */
  changes: FileChange[];
  /** For the log and the screen. */
  sentence: string;
  captured?: { key: string; value: Value };
  picture?: Picture;
  /** Makes the changes, once. Throws where it cannot. */
  apply?: (signal: AbortSignal) => Promise<void>;
  /** Gives back what is held. To be called whatever happens. */
  close(): void;
}

export interface FileContext {
  where: Whereabouts;
  /** The name for what is not in its place yet, the same for the same attempt: what a crash leaves is found by it. */
  temporary: string;
}

export type Prepare<A> = (action: A, context: FileContext) => Promise<PreparedChange>;
