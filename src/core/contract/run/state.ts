import type { Action } from '../action.ts';
import type { Subject } from '../approval.ts';
import type { Blocks, List } from '../blocks.ts';
import type { Correction } from '../correction.ts';
import type { EventOf, StopReason } from '../events.ts';
import type { CorrectionRefusal } from '../facts/agent.ts';
import type { GitSource, Parcel } from '../git-source.ts';
import type { RunOptions } from '../options.ts';
import type { Plan, Step } from '../plan.ts';
import type { RequestEvent } from '../requests.ts';
import type { FileChange, Grants, ProcessGroup, Session, StepResult, Value } from '../result.ts';
import type { Approval } from '../stream/approvals.ts';
import type { GivenEnvironment } from '../stream/environment.ts';
import { nowhere, type Place } from '../stream/place.ts';
import { noSpending, type Spending } from '../stream/spending.ts';
import { freshStream, type Pending, type StreamState } from '../stream/state.ts';
import type { Verdict, Warning } from '../verdict.ts';
import { freshContext, type RollingContext } from './context-state.ts';
import type { PlanningState } from './planning-state.ts';
import type { RunRow } from './project.ts';
import { initialUndoState, type UndoState } from './undo-state.ts';

/**
 * The life of a run, as its journal tells it:
 *
 *   goal-given ─▶ planning (see planning.ts) ──plan-created, plan-revised──▶ agreeing
 *   plan-created ─▶ agreeing ──plan-confirmed──▶ running ──run-finished──▶ done | failed | cancelled
 *                      │                          │ ▲  ▲ │
 *                plan-rejected         run-paused │ │  │ │ approval-needed, step-offered, interrupt-asked
 *                      ▼                          ▼ │  │ ▼
 *                  cancelled         paused | failed┘  └waiting
 *                                       run-resumed    a person's decision
 *
 * In agentic mode a failed step makes the run `recovering`: agent-thinking ─▶ correction-attempt ─▶ running, when the
 * correction is applied; after correction-refused the brain is asked again.
 *
 * `failed` after `run-paused(step-failed)` can be resumed (the failed step is attempted again); after
 * `run-finished` nothing more happens. `ended` tells the two apart.
 */
export type RunStatus = RunRow['state'];

/**
 *   pending ──step-started──▶ running ──step-completed──▶ done
 *      ▲  ▲                     │  │
 *      │  └──interrupt-resolved─┤  └──step-failed──▶ failed ──step-reset, run-resumed──▶ pending
 *      │        (rerun)         ▼
 *      └── not-started ── interrupted        pending ──step-skipped──▶ skipped
 *
 * Where its plan says so, failed ──step-retried──▶ pending, a few times.
 *
 * A loop goes round: pending ──step-started(item)──▶ running ──item-completed──▶ pending, until no item is left.
 */
export type StepStatus = 'pending' | 'running' | 'interrupted' | 'done' | 'failed' | 'skipped';

export interface StepState {
  id: string;
  status: StepStatus;
  /** The plan revision that last touched this step. */
  revision: number;
  /** How many attempts have been begun; the next one has this index. */
  attempts: number;
  failures: number;
  /** Failed attempts that count towards the limit of the agentic loop. A person who steps in sets them back. */
  strikes: number;
  startedAt: number | null;
  result: StepResult | null;
  skipReason: 'not-selected' | EventOf<'step-skipped'>['reason'] | null;
  /** Teacher mode: shown to the person, and accepted by them for one attempt. */
  offered: boolean;
  accepted: boolean;
  /** A question of this step is put to a person. */
  asked: boolean;
  /** The frozen items of a loop and how many of them are done; `items` is null for REPEAT. */
  loop: { items: readonly string[] | null; count: number; done: number } | null;
  /** What a person has let it do beyond its sandbox. */
  grants: Grants | null;
  /** What it wants beyond its sandbox: a person has to approve it with that. */
  wants: Grants | null;
  /** The correction that put it into the plan, or changed it. No person has seen what it is now, unless they approved. */
  correction: string | null;
  /** What it was before corrections changed it; null where none did, or where a correction put it there. */
  agreed: Action | null;
  /** How often its own plan has had it attempted again since a person last stepped in; missing: never. */
  retries?: number;
  /** Not attempted again before this. */
  notBefore: number | null;
  /** Corrections for it that were refused since a person last stepped in. */
  refusals: number;
  /** The brain has given it up: it is not asked again unless a person steps in. */
  givenUp: { why: 'agent-stuck' | 'agent-error'; message: string } | null;
  /** A look told against it once, and the brain was asked: now it is tried whatever a look tells. */
  prechecked: boolean;
}

/** What was found when a step was last looked at. */
export interface StepJudgement {
  verdict: Verdict;
  subject: Subject;
  fingerprint: string;
  warnings?: readonly Warning[] | undefined;
  /** What it would lack in its sandbox. */
  missing?: Grants | undefined;
}

export interface InFlight {
  stepId: string;
  attemptIndex: number;
  epoch: number;
  /** The driver that began it. */
  host: string;
  boot: string;
  startedAt: number;
  deadline: number | null;
  item: number | null;
  spawned: { group: ProcessGroup; heldBefore: boolean | null } | null;
  prepared: readonly FileChange[] | null;
  /** The ports that it goes on listening on. */
  listens: readonly number[];
}

/** An action that was begun, as it was judged. One that is tried again as it was is here once. */
export interface PerformedAction {
  stepId: string;
  revision: number;
  action: Action;
  /** The directory it began in. */
  cwd: string;
  /** The variables that its plan gave it. */
  env?: Readonly<Record<string, string>> | undefined;
}

/** A process that a run started and keeps until it ends, or beyond (`keep`). */
export interface ServiceState {
  name: string;
  stepId: string;
  attemptIndex: number;
  group: ProcessGroup;
  keep: boolean;
  status: 'running' | 'gone' | 'stopped';
  /** The driver that last saw it alive. */
  epoch: number;
}

export interface ApprovalState extends Approval<Subject> {
  stepId: string;
  /** Of the plan when it was asked; that of its subject is the one in which the step was last changed. */
  planRevision: number;
}

/**
 *   proposed ──correction-refused──▶ refused ◀─┐ (denied)
 *      └──plan-revised, retry-attempt──▶ applied ──▶ succeeded | failed
 */
export interface CorrectionState {
  id: string;
  /** The step that failed. */
  stepId: string;
  attemptIndex: number;
  correction: Correction;
  /** Names the failure; the same name again means that nothing changed. */
  failure: string;
  objection: { code: CorrectionRefusal; message: string } | null;
  status: 'proposed' | 'refused' | 'applied' | 'succeeded' | 'failed';
  /** Why it was refused, or how it failed. */
  reason: string | null;
  code: CorrectionRefusal | null;
  /** The step as it was, and the end of what it said, when the brain was asked. */
  step: Step;
  said: string;
  result: StepResult | null;
}

/** The parcels of a run, oldest first; the rest is as the last one says. */
export interface Carried extends Omit<Parcel, 'name'> {
  parcels: readonly string[];
}

export type PendingRequest = Pending<RequestEvent>;

export interface RunState extends UndoState, StreamState<RequestEvent> {
  status: RunStatus;
  ended: boolean;
  stopReason: StopReason | null;
  message: string | null;
  plan: Plan | null;
  planHash: string | null;
  place: Place;
  /** Where any machine gets its folder from; null: it has the one of its place, and no other. */
  gitSource: GitSource | null;
  /** What it has changed since, as others can have it; null where it is as its source has it. */
  carried: Carried | null;
  /** Why it cannot go to another machine; null where it can. */
  bound: string | null;
  /** Whoever drives it may take it up, though it lives elsewhere. */
  mayTake: boolean;
  /** The folder of its place. */
  workspace: string;
  /** The environment that it was given; null where that was not written down. */
  environment: GivenEnvironment | null;
  /** Values that must not be shown: only whoever has the store's key can open them. */
  sealed: readonly string[];
  options: RunOptions | null;
  /** How its plan came to be, where it was made from a goal. */
  planning: PlanningState | null;
  steps: List<StepState>;
  /** By step: the last judgement; dropped by whatever could make it stale, so that few are held at a time. */
  judgements: Readonly<Record<string, StepJudgement>>;
  session: Session;
  /** What was begun so far, oldest first: later steps may run what it wrote. */
  performed: Blocks<PerformedAction>;
  /** Inputs and captured values, by key. */
  values: Readonly<Record<string, Value>>;
  services: readonly ServiceState[];
  inFlight: InFlight | null;
  /** A step of which nobody knows whether it was done, and whether a person has been asked. */
  interrupted: { stepId: string; attemptIndex: number; detail: string; asked: boolean; host?: string } | null;
  approvals: readonly ApprovalState[];
  /** Everything that brains proposed, oldest first. */
  corrections: readonly CorrectionState[];
  /** The hosts that drove it, each since when it last took over; the last one is where it runs, or ran. */
  ranOn: readonly { host: string; since: number }[];
  /** The brain is being consulted, by the driver of this epoch. */
  thinking: { stepId: string; attemptIndex: number; epoch: number; since: number } | null;
  /** How many steps corrections have added. */
  addedSteps: number;
  /** What people said about steps that failed; each allows for one more correction. */
  hints: readonly { stepId: string; text: string }[];
  /** What happened so far, for brains. */
  context: RollingContext;
  pausedUntil: number | null;
  /** What model calls have cost, and what open ones may. */
  spending: Spending;
  /** Groups that outlived their step and are to end with the run. */
  groups: readonly ProcessGroup[];
  /** Processes were started since the last release: some may have left their group. */
  hasStrays: boolean;
  createdAt: number;
  /** Wall time: what has been counted, and since when it counts again. Waiting and pauses are left out. */
  activeMs: number;
  activeSince: number | null;
  endedAt: number | null;
}

export const initialRunState: RunState = {
  ...freshStream,
  status: 'agreeing',
  ended: false,
  stopReason: null,
  message: null,
  plan: null,
  planHash: null,
  place: nowhere,
  gitSource: null,
  carried: null,
  bound: null,
  mayTake: false,
  workspace: '',
  environment: null,
  sealed: [],
  options: null,
  planning: null,
  steps: [],
  session: { cwd: '', env: {} },
  judgements: {},
  performed: [],
  values: {},
  services: [],
  inFlight: null,
  interrupted: null,
  approvals: [],
  corrections: [],
  ranOn: [],
  thinking: null,
  addedSteps: 0,
  hints: [],
  context: freshContext,
  pausedUntil: null,
  spending: noSpending,
  groups: [],
  hasStrays: false,
  createdAt: 0,
  activeSince: null,
  activeMs: 0,
  endedAt: null,
  ...initialUndoState,
};
