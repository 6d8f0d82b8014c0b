import type {
  Correction,
  CorrectionState,
  Driver,
  FactBody,
  FileChange,
  Grants,
  LeftPath,
  ModelCall,
  ModelCallEnd,
  ModelHop,
  ModelName,
  Plan,
  PlannerCall,
  PlanningState,
  ProcessGroup,
  Proposal,
  RejectionReason,
  RunEvent,
  RunOptions,
  RunState,
  ServiceState,
  Session,
  Shell,
  Step,
  StepResult,
  StepState,
  StoredEvent,
  Subject,
  UncoveredSummary,
  Value,
  Verdict,
  Warning,
} from '../contract/index.ts';
import type { Permit } from './gate.ts';

/** Time, as an argument. Tests and the simulator have their own. */
export interface Clock {
  now(): number;
  /** Resolves at `until` (milliseconds since the epoch) or when the signal aborts; never rejects. */
  sleepUntil(until: number, signal: AbortSignal): Promise<void>;
}

export interface Append<E> {
  /** Names this append. The same id again on the same stream writes nothing and answers as the first did. */
  id: string;
  events: E[];
  /** The stream's last sequence number as the writer knows it. Given for intents, left out for outcomes and requests. */
  expectedSeq?: number;
  /** The writer's claim. A driver always gives it; a request never does. */
  epoch?: number;
}

export type Appended =
  /** `seq` is the first event's place; the rest follow without a gap. `repeated`: it had been written before. */
  | { ok: true; seq: number; repeated: boolean }
  /** Somebody else wrote first: read, fold, ask `next` again. */
  | { ok: false; why: 'conflict' }
  /** Another driver has taken the stream: stop writing, end what you started. */
  | { ok: false; why: 'stale' };

/**
 * An append-only list of events for each stream. An append is durable when its promise resolves, and whole
 * or not at all. Throws only a StoreError (disk full, database damaged), never for a conflict. An error with
 * `retryable: true` says that the answer was lost: the same append, by its id, may be sent again.
 */
export interface Journal<E = RunEvent> {
  append(stream: string, append: Append<E>): Promise<Appended>;
  /** Events after `afterSeq` in order, at most `limit` of them. An unknown stream has none. */
  read(stream: string, afterSeq: number, limit?: number): Promise<StoredEvent<E>[]>;
  /** Resolves once the stream may hold an event after `afterSeq`, or when the signal aborts. Never rejects. */
  changed(stream: string, afterSeq: number, signal: AbortSignal): Promise<void>;
}

/** The right to drive one stream. Whoever holds the newest epoch may write; all others are refused. */
export interface Claim {
  stream: string;
  epoch: number;
  /** Aborts when the claim was lost or could not be renewed for half its time-to-live. */
  lost: AbortSignal;
  /** Gives the stream and its workspace back. Never throws. */
  release(): Promise<void>;
}

export type ClaimResult =
  | { ok: true; claim: Claim }
  | { ok: false; why: 'claimed'; by: Driver }
  /** Another run works in this folder, in one above it or in one below it. */
  | { ok: false; why: 'workspace-busy'; by: Driver; run: string };

export interface Claims {
  /** Takes the stream, and with it the workspace (a real path, overlaps included), unless a living driver has it. */
  claim(stream: string, workspace: string | null): Promise<ClaimResult>;
}

export interface JudgeWork {
  run: string;
  revision: number;
  step: Step;
  session: Session;
  workspace: string;
  shell: Shell;
  values: Readonly<Record<string, Value>>;
  /** The frozen items of a FOR_EACH. */
  items: readonly string[] | null;
  /** What a person has let it do beyond its sandbox, and what they are to approve besides. */
  grants: Grants | null;
  /** A correction made it what it is, and no person has seen it. */
  unseen: boolean;
}

export interface AttemptWork extends JudgeWork {
  attemptIndex: number;
  /** Which item of a loop to perform; null where the step is no loop. */
  item: number | null;
  /** What was judged and perhaps approved; for a loop, all of its items together. */
  judged: { verdict: Verdict; subject: Subject };
  services: readonly ServiceState[];
  /** The checkpoint that an interrupted restore had begun with. */
  begun: string | null;
}

export interface AttemptHooks {
  /** Aborts with a reason: 'timeout', 'cancelled', 'skipped' or 'lost'. The attempt then ends its processes and resolves. */
  signal: AbortSignal;
  /**
   * Must be awaited between starting a process and letting it run. Resolves true once the fact is durable;
   * on false the driver has lost its claim: the process must not be let run.
   */
  spawned(group: ProcessGroup, heldBefore: boolean | null): Promise<boolean>;
  /** Likewise for files: must be awaited before they are changed, and on false they must not be. */
  prepared(changes: FileChange[]): Promise<boolean>;
  /** A restore has kept what it is about to overwrite, or what it left: likewise. */
  checkpointed(when: 'before' | 'after', checkpoint: string): Promise<boolean>;
}

export interface RecoverWork {
  run: string;
  step: Step;
  attemptIndex: number;
  session: Session;
  workspace: string;
  shell: Shell;
  /** The boot in which the attempt was begun. */
  boot: string;
  spawned: { group: ProcessGroup; heldBefore: boolean | null } | null;
  prepared: readonly FileChange[] | null;
  values: Readonly<Record<string, Value>>;
  items: readonly string[] | null;
  item: number | null;
}

export type Recovered =
  | { finding: 'done'; result: StepResult }
  | { finding: 'not-started'; detail: string }
  | { finding: 'unknown'; detail: string };

/** What touches the world for a plan run. Nothing here throws: what went wrong is in the answer. */
export interface Performer {
  /** Resolves what can be resolved (paths, links, variables) and judges it. Touches nothing. */
  judge(
    work: JudgeWork,
    signal: AbortSignal,
  ): Promise<{ verdict: Verdict; subject: Subject; warnings?: Warning[] }>;
  /**
   * Performs the step once. Judges it again at the last moment, and takes the permit for what it then is: a
   * permit serves one attempt at one subject.
   */
  attempt(work: AttemptWork, permit: Permit, hooks: AttemptHooks): Promise<StepResult>;
  /** Ends what a crashed driver's attempt left running, and finds out how far it came. */
  recover(work: RecoverWork): Promise<Recovered>;
  /** Ends groups that outlived their steps, and services. Resolves with the groups that were still there. */
  release(run: string, groups: ProcessGroup[], services: ServiceState[]): Promise<ProcessGroup[]>;
  /** The names of those services that are no longer alive. */
  survey(run: string, services: ServiceState[]): Promise<string[]>;
}

/** Where every model call is written down before it is sent, and what came of it after. */
export interface CallLedger {
  /**
   * Must be awaited before a call is sent. Checks the limits with its worst case, and keeps that reserved until the
   * call is settled: for ever, where it never is. On a refusal the call must not be sent.
   */
  reserve(call: ModelCall): Promise<{ ok: true } | { ok: false; why: 'limit' | 'lost'; message: string }>;
  settle(end: ModelCallEnd): Promise<void>;
  fellBack(hop: ModelHop): Promise<void>;
}

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
  /** What a correction has come to. After a crash it may be told the same twice. */
  learn(correction: CorrectionState, outcome: 'success' | 'same-failure' | 'other-failure'): Promise<void>;
}

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

export type Checkpointed =
  | { ok: true; checkpoint: string; uncovered: UncoveredSummary }
  | { ok: false; code: string; message: string };

export type RestoreOutcome =
  | {
      ok: true;
      /** The checkpoint of what it left; with the one it began with it can be undone. */
      after: string;
      restored: string[];
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
  take(work: { label: string; paths: string[]; last: string | null }): Promise<Checkpointed>;
  restore(work: RestoreWork, hooks: RestoreHooks): Promise<RestoreOutcome>;
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
  before: { plan: Plan; steps: readonly StepState[] } | null;
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

/** All that a plan run asks of the world and of the mind. */
export interface RunPorts {
  performer: Performer;
  /** Without one no step is mended. */
  mind?: Mind;
  /** Where there is none, a run whose options want checkpoints stops for them. */
  checkpoints?: Checkpoints;
  /** Left out where runs are not made from goals: planning then fails and says so. */
  planner?: Planner;
}

/** What a machine's `perform` is given besides its work. */
export interface PerformContext<B = FactBody> {
  signal: AbortSignal;
  epoch: number;
  /** Appends facts in the middle of an effect. Resolves false where the claim is lost. */
  record(facts: B[]): Promise<boolean>;
}
