import type { Action, Correction, FailureWhy, SelfCorrect, Shell } from '../../core/contract/index.ts';
import type { CallLedger } from '../../core/stream/index.ts';

/** What a brain is told of an attempt that failed. Plain data; tails are filtered of secrets by whoever made them. */
export interface Failure {
  readonly step: { readonly title: string; readonly action: Action; readonly expects?: string };
  readonly result: FailedResult;
  /** What was tried for this step before, oldest first; the attempt in `result` is not among them. */
  readonly earlier: readonly EarlierAttempt[];
  /** Absent where nobody knows (a batch): then nothing is probed. */
  readonly cwd?: string;
  /** What the session has changed in the environment, for looking at it. It is told to nobody. */
  readonly env?: Readonly<Record<string, string | null>>;
  readonly shell: Shell;
  readonly goal: string;
  /** Process groups that this run itself started and recorded. */
  readonly groups?: readonly number[];
}

export interface FailedResult {
  readonly exitCode: number | null;
  readonly stdoutTail: string;
  readonly stderrTail: string;
  readonly why?: FailureWhy;
  readonly message?: string;
  /** A tool failed, and says which others could do better. */
  readonly selfCorrect?: SelfCorrect;
}

export interface EarlierAttempt {
  /** The action line that was attempted. */
  readonly action: string;
  /** What it said, so that a brain sees whether a correction changed anything. */
  readonly stderrTail: string;
  /** What was decided after it. */
  readonly correction?: Correction;
}

/** What surrounds the failure. */
export interface BrainContext {
  /** Action lines of the steps that are still to come: a correction must not pull the rug from under them. */
  readonly later: readonly string[];
  /** Corrections that the gate or a limit refused for this failure, and why. */
  readonly refused: readonly { readonly correction: Correction; readonly reason: string }[];
  /** Whether this was tried or refused before for this very failure: whoever would answer with it gives way. */
  readonly isRepeat?: (correction: Correction) => boolean;
  /** What happened before in this run, in words, its oldest part summed up. */
  readonly history?: string;
  /** Steps that the run takes from one correction; what is beyond is left out. */
  readonly mostSteps?: number;
  /** What a person said when the run was stuck. */
  readonly hint?: string;
  /** What rules came up with and were not sure of; only a model reads it. */
  readonly nearMisses?: readonly Correction[];
  /** Told what a brain came up with and did not answer with, for the brains after it. */
  readonly noteNearMiss?: (correction: Correction) => void;
  /** Told in a sentence why a brain could not be asked, or answered with nothing that can be used; it then declines. */
  readonly noteTrouble?: (sentence: string) => void;
}

export const emptyContext: BrainContext = { later: [], refused: [] };

/** What a brain needs that calls models: where every call is written down, and until when its answer is wanted. */
export interface BrainCalls {
  readonly ledger: CallLedger;
  readonly signal: AbortSignal;
}

/** Turns a failure into a correction. */
export interface Brain {
  /** Never throws. `null`: it declines, because it is not sure. Without `calls` no model is asked. */
  analyzeFailure(failure: Failure, context: BrainContext, calls?: BrainCalls): Promise<Correction | null>;
}
