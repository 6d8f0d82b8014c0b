import type {
  ContextEntry,
  Correction,
  CorrectionState,
  List,
  ModelName,
  Plan,
  PlannerCall,
  PlanningState,
  Proposal,
  RejectionReason,
  RollingContext,
  RunOptions,
  RunState,
  Step,
  StepResult,
  StepState,
} from '../contract/index.ts';
import type { CallLedger } from '../stream/index.ts';

/** What a run asks of the mind: brains and planners. */

export interface ConsultWork {
  run: string;
  state: RunState;
  /** The step that failed, and how. */
  step: Step;
  result: StepResult;
  attemptIndex: number;
}

export interface Advice {
  /** Null: no brain is sure. */
  correction: Correction | null;
  /** What the mind itself has against it. */
  objection?: { code: 'invalid' | 'purpose'; message: string };
  /** Why there is none, for people. */
  message?: string;
  /** There is none because a limit keeps a model from being called. */
  limit?: 'money' | 'tokens';
}

/** What turns failures into corrections. Nothing here throws. */
export interface Mind {
  /** Looks and thinks; changes nothing. Resolves soon after the signal aborts. */
  consult(work: ConsultWork, calls: { signal: AbortSignal; ledger: CallLedger }): Promise<Advice>;
  /** One summary of the rolling context's summary so far and its oldest entries; null where nobody makes one. */
  summarise?(
    context: RollingContext,
    oldest: readonly ContextEntry[],
    calls: { signal: AbortSignal; ledger: CallLedger },
  ): Promise<string | null>;
  /** What a correction has come to. After a crash it may be told the same twice. */
  learn(
    correction: CorrectionState,
    outcome: 'success' | 'same-failure' | 'other-failure',
    signal: AbortSignal,
  ): Promise<void>;
}

export interface PlannerWork {
  run: string;
  call: PlannerCall;
  /** The draft that it makes, repairs or reflects on. */
  n: number;
  model: ModelName;
  workspace: string;
  options: RunOptions;
  planning: PlanningState;
  /** The plan so far where a run is planned again: what is done, and what was to come. */
  before: { plan: Plan; steps: List<StepState> } | null;
}

/** What became of a draft. `how` says by which rules it was made readable, if it was not at once. */
export type DraftOutcome =
  /** No JSON could be made of it. */
  | { is: 'unreadable'; message: string }
  | { is: 'rejected'; reasons: RejectionReason[]; how: string[]; diff?: string }
  /** The planner is not ready: it wants to know something. */
  | { is: 'question'; question: string; how: string[] }
  | { is: 'plan'; plan: Plan; proposal: Proposal; how: string[] };

export type PlannerAnswer =
  | { kind: 'restated'; text: string; durationMs: number }
  | { kind: 'hints'; hints: string[]; durationMs: number }
  | { kind: 'draft'; raw: string; outcome: DraftOutcome; durationMs: number }
  /** The call itself failed. `limit`: no call may be sent any more; `aborted`: the signal ended it. */
  | { kind: 'failed'; why: string; message: string; durationMs: number };

/** Makes a plan of a goal, one model call at a time. Never throws. */
export interface Planner {
  perform(work: PlannerWork, context: PlannerContext): Promise<PlannerAnswer>;
}

export interface PlannerContext {
  signal: AbortSignal;
  /** Every call is written down in it first. */
  ledger: CallLedger;
}
