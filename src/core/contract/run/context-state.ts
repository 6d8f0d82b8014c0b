import type { Action } from '../action.ts';

/** One attempt as the rolling context remembers it. */
export interface ContextEntry {
  readonly stepId: string;
  readonly title: string;
  readonly action: Action;
  readonly outcome: 'succeeded' | 'failed' | 'skipped';
  readonly exitCode: number | null;
  /** The end of what it said. */
  readonly output: string;
  /** What was decided after a failure, in a sentence. */
  readonly correction: string | null;
}

/** The memory of a run for brains: the last attempts in detail, and what came before them rolled up. */
export interface RollingContext {
  readonly summary: string;
  readonly entries: readonly ContextEntry[];
  /** How many attempts the summary stands for. */
  readonly rolled: number;
  readonly consecutiveFailures: number;
  /** Nobody was there to summarise: digests do. */
  readonly muted: boolean;
}

export const freshContext: RollingContext = {
  summary: '',
  entries: [],
  rolled: 0,
  consecutiveFailures: 0,
  muted: false,
};
