import type {
  Driver,
  FactBody,
  FileChange,
  Grants,
  ProcessGroup,
  RunEvent,
  ServiceState,
  Session,
  Shell,
  Step,
  StepResult,
  StoredEvent,
  Subject,
  Value,
  Verdict,
  Warning,
} from '../contract/index.ts';
import type { Permit } from './gate.ts';
import type { Checkpoints } from './ports-checkpoints.ts';
import type { Mind, Planner } from './ports-mind.ts';

export type * from './ports-checkpoints.ts';
export type * from './ports-mind.ts';

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
