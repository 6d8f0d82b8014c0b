import type {
  Driver,
  EventOf,
  GitSource,
  Plan,
  PlannerChain,
  RequestBody,
  RunEvent,
  RunLink,
  RunOptions,
  RunRow,
  RunState,
  ServiceView,
  Shell,
  ShownStep,
  StartedBy,
  StoredEvent,
} from '../../core/contract/index.ts';
import type { Performer, Replayed, RunPorts } from '../../core/run/index.ts';
import type { ListingQuery, Store } from '../../core/stream/index.ts';
import type { CheckpointStore } from '../../world/workspace/index.ts';
import type { Asker } from './asker.ts';
import type { GivenHere } from './environment.ts';
import type { WantedFor } from './meant.ts';
import type { Sources } from './sources.ts';
import type { AppStreams, Asking, Rested } from './streams.ts';
import type { RunDiff, UndoChoice, UndoPreview } from './undo.ts';

export interface NewRun {
  plan: Plan;
  /** A real path. */
  workspace: string;
  options: RunOptions;
  /** Where its folder comes from: then the workspace counts for nothing. */
  gitSource?: GitSource;
  /** Somebody is to be shown what its steps would do: the folder is made here and now. */
  here?: boolean;
  /** Agree on the plan at once: the person has seen it, or asked not to be asked. */
  agreed?: Asker;
  /** What the plan was fetched as: kept with the run. */
  fetched?: { address: string; bytes: Uint8Array };
  /** The same key twice makes one run. */
  key?: string;
  /** The run that it comes from. */
  parent?: EventOf<'plan-created'>['parent'];
  /** What that one has to hide, so has this. */
  sealed?: readonly string[];
}

export interface NewGoal {
  /** In the person's words. */
  goal: string;
  /** A real path. */
  workspace: string;
  options: RunOptions;
  chain: PlannerChain;
  /** What the plan is to be written in. */
  shell: Shell;
  /** Somebody stays to agree on the plan, whatever the run does where nobody is there. */
  attended?: boolean;
  /** The same key twice makes one run. */
  key?: string;
}

/** What people do with runs. Every method is one use-case; every door is a thin layer over them. */
export interface Runs {
  /** Inputs that are not given have their defaults. Throws an AppError where one has none. */
  create(run: NewRun): Promise<string>;
  /** Makes a run whose plan is still to be made: driving it plans first, and then it waits for agreement. */
  plan(goal: NewGoal): Promise<string>;
  /**
   * What `create` takes to run a run's plan once more: all of it, in which `inputs` take the place of those of then; or from
   * a step on: earlier steps are left out, and what they captured is given as inputs. It waits for agreement like any
   * other. Throws an AppError for an unknown step.
   */
  again(id: string, options?: AgainOptions): Promise<NewRun>;
  /** Drives until the run rests. Losing the race for the claim is a normal answer. */
  drive(id: string, options?: { signal?: AbortSignal }): Promise<Rested<RunState>>;
  /** Asks something of the run; the driver answers in the journal. The same key twice is one request. */
  request(id: string, body: RequestBody, asking: Asking): Promise<number>;
  state(id: string): Promise<RunState>;
  /** The text that its plan was fetched as; null where it was not, or is kept no more. */
  fetched(id: string): Promise<Uint8Array | null>;
  /** Every step judged as things are now, for a person who is about to agree. */
  preview(id: string): Promise<ShownStep[]>;
  /** Decides everything again against the journal, with models answering from recordings. Runs and sends nothing. */
  replay(id: string): Promise<Replayed>;
  watch(id: string, afterSeq: number, signal: AbortSignal): AsyncIterable<StoredEvent>;
  list(query?: Omit<ListingQuery, 'kind'>): Promise<RunRow[]>;
  /** Those that a person has to decide something of, what stopped because nobody was there included. */
  waiting(limit: number): Promise<RunRow[]>;
  /**
   * The runs that could be meant by an id or its beginning, or by none, the newest first: more than one, and the person
   * has to say which. Without a name those of this workspace, or of the nearest above it that has runs. Throws an
   * AppError where there is none.
   */
  find(named: string | undefined, workspace: string, purpose?: WantedFor): Promise<RunRow[]>;
  /** The folder whose runs are meant in a workspace: itself, or the nearest above it that has any. */
  folder(workspace: string): Promise<string>;
  /** What the run changed, or one of its steps. Rejects with a CheckpointError where its checkpoints are gone. */
  diff(id: string, options?: { step?: string | undefined; textless?: boolean }): Promise<RunDiff>;
  /**
   * What taking the run back would do; with `options` it also makes the run that does it, `by`, which is then driven
   * as any other. `by` is null where there is nothing to do. Rejects as `diff` does.
   */
  undo(id: string, choice: UndoChoice & UndoRunOptions): Promise<UndoPreview & { by: string | null }>;
  /** What runs have started and nobody has ended, with whether it lives. Exact, as `state` is. */
  services(query?: { workspace?: string }): Promise<ServiceView[]>;
  /** The runs that undo this one, the newest first. */
  undoneBy(id: string): Promise<RunRow[]>;
  /** The run that this one comes from, then those that came of it, the newest first. */
  related(id: string): Promise<RunLink[]>;
}

export interface AgainOptions {
  stepId?: string | undefined;
  inputs?: Readonly<Record<string, string>> | undefined;
}

export interface UndoRunOptions {
  options?: RunOptions;
  /** Agree on the plan of the undo at once. */
  agreed?: Asker;
}

export interface RunsOptions {
  store: Store<RunEvent>;
  streams: AppStreams<RunEvent>;
  driver: Driver;
  givenHere: GivenHere;
  sources: Sources;
  /** Those that are begun here are added. */
  begunHere: Set<string>;
  startedHere: StartedBy | null;
  /** Of the person: what is above it is nobody's project. */
  home: string;
  /** A run has its own: what must not be shown differs. */
  performerFor(state: RunState): Promise<Performer>;
  /** Who answers when a run is replayed. */
  replayPorts(state: RunState): Pick<RunPorts, 'mind' | 'planner'>;
  /** Of a workspace. */
  openCheckpoints(workspace: string): Promise<CheckpointStore>;
}
