import type { NameFilter } from './name-filter.ts';

/** One word of a command that names a path, and what the command would do there. */
export interface Target {
  /** Which word, and how many of its characters come before the path (`of=`). */
  readonly index: number;
  readonly skip: number;
  /** A link at the end is followed; otherwise the link itself is meant. */
  readonly follow: boolean;
  /** What lies below is touched too. */
  readonly below: boolean;
  readonly writes: boolean;
  /** Only who may use it changes, not what it holds. */
  readonly mode?: boolean;
  /** A folder that it works in: what it changes there is not known. */
  readonly within?: boolean;
  /** On another host. */
  readonly remote?: boolean;
  /** Of what lies below, only what this lets through. */
  readonly filter?: NameFilter;
}

/** A word as far as it is known; `matched`: a pattern gave it, so it is a path. */
export interface Operand {
  readonly value: string | null;
  readonly matched: boolean;
}
