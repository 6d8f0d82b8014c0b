import {
  type Actor,
  type Driver,
  type EventOf,
  elsewhere,
  type FactBody,
  fold,
  type GitSource,
  hashPlan,
  nowhere,
  type Plan,
  type PlannerChain,
  type RequestBody,
  type RunEvent,
  type RunLink,
  type RunOptions,
  type RunRow,
  type RunState,
  type ServiceView,
  type Shell,
  type ShownStep,
  type StartedBy,
  type StoredEvent,
  scopeOf,
  textsOf,
} from '../../core/contract/index.ts';
import type { Performer, Replayed, RunPorts } from '../../core/run/index.ts';
import type { ListingQuery, Store } from '../../core/stream/index.ts';
import { systemClock } from '../../world/store/index.ts';
import type { CheckpointStore } from '../../world/workspace/index.ts';
import { type Asker, limitedBy, mustAllow, ownerAt } from './asker.ts';
import type { GivenHere } from './environment.ts';
import { AppError } from './errors.ts';
import { newKey, newRunId, runIdFor } from './ids.ts';
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
  create(run: NewRun): Promise<string>;
  /** Makes a run whose plan is still to be made: driving it plans first, and then it waits for agreement. */
  plan(goal: NewGoal): Promise<string>;
  /**
   * Makes a run of the same plan that begins at a step of this one: earlier steps are left out, and what they
   * captured is given as inputs. It waits for agreement like any other. Throws an AppError for an unknown step.
   */
  fork(id: string, stepId: string): Promise<string>;
  /**
   * What `create` takes to run a run's plan once more: all of it, in which `inputs` take the place of those of then, or
   * from a step on as `fork` does.
   */
  again(id: string, options?: AgainOptions): Promise<NewRun>;
  /** Drives until the run rests. Losing the race for the claim is a normal answer. */
  drive(id: string, options?: { signal?: AbortSignal }): Promise<Rested<RunState>>;
  /** Asks something of the run; the driver answers in the journal. The same key twice is one request. */
  request(id: string, body: RequestBody, asking: Asking): Promise<number>;
  state(id: string): Promise<RunState>;
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

// Runs are listed, looked at and asked something more often than they are driven: what that needs is loaded then.
const runKind = () => import('../../core/run/index.ts');
const undoing = () => import('./undo.ts');
const meaning = () => import('./meant.ts');
const placeAt = async (workspace: string) =>
  (await import('../../world/workspace/index.ts')).placeOf(workspace);

const stamp = (body: FactBody): RunEvent => ({ v: 1, at: systemClock.now(), ...body }) as RunEvent;

export function createRuns(given: RunsOptions): Runs {
  const { store, streams, driver, givenHere, performerFor, replayPorts, openCheckpoints } = given;
  const { begunHere, startedHere, sources } = given;
  const begin = async (id: string, key: string | undefined, events: RunEvent[]) => {
    // A conflict says that this key has made its run before.
    const begun = await store.begin(id, { kind: 'run', id: `begin:${key ?? newKey()}`, events });
    if (begun.ok && !begun.repeated) begunHere.add(id);
    return id;
  };
  const withCheckpoints = async <T>(
    id: string,
    work: (state: RunState, of: CheckpointStore) => Promise<T>,
  ) => {
    const now = await stateHere(id);
    const checkpoints = await openCheckpoints(now.workspace);
    try {
      return await work(now, checkpoints);
    } finally {
      await checkpoints.close();
    }
  };
  const state = async (id: string) => {
    if ((await store.kindOf(id)) === 'run') return (await streams.state(id)) as RunState;
    throw new AppError('no-such-run', `there is no run ${JSON.stringify(id)}`);
  };
  /** For what looks into its folder. Throws an AppError where that is on another host. */
  const stateHere = async (id: string) => {
    const now = await state(id);
    const away = elsewhere(now.place, driver.host);
    if (away !== null) throw new AppError('elsewhere', away);
    return now;
  };
  const create = async (wanted: NewRun) => {
    const { plan, workspace, options, agreed, key, parent, sealed, gitSource, here } = wanted;
    const id = key === undefined ? newRunId() : runIdFor(key);
    const from = parent === undefined ? {} : { parent };
    const place = await (gitSource === undefined
      ? placeAt(workspace)
      : here === true
        ? sources.place(id, gitSource)
        : nowhere);
    const source = gitSource === undefined ? {} : { gitSource };
    const given = givenHere.given({ plan, inputs: options.inputs }, sealed);
    const events = [
      stamp({
        type: 'plan-created',
        plan,
        hash: hashPlan(plan),
        place,
        ...given,
        options,
        ...source,
        ...from,
      }),
    ];
    if (agreed !== undefined) {
      const decision = { type: 'plan-decided', revision: plan.revision, decision: 'all' } as const;
      // What a run started may start another: nothing dangerous in it is agreed on by that.
      if (startedHere === null) mustAllow(agreed, scopeOf(decision));
      events.push(asRequest(decision, limitedBy(agreed, startedHere).actor, newKey()));
    }
    return begin(id, key, events);
  };
  const plan = async ({ goal, workspace, options, chain, shell, attended = false, key }: NewGoal) => {
    const id = key === undefined ? newRunId() : runIdFor(key);
    const events = [
      stamp({
        type: 'goal-given',
        goal,
        place: await placeAt(workspace),
        ...givenHere.given({}),
        options,
        chain,
        shell,
        ...(attended ? { attended } : {}),
      }),
    ];
    return begin(id, key, events);
  };
  const runs: Runs = {
    create,
    plan,
    fork: async (id, stepId) => create(forkOf(id, await stateHere(id), stepId)),
    again: async (id, { stepId, inputs } = {}) => {
      const now =
        stepId === undefined && (await state(id)).gitSource !== null ? await state(id) : await stateHere(id);
      return stepId === undefined
        ? (await import('./again.ts')).againOf(id, now, inputs)
        : forkOf(id, now, stepId);
    },

    drive: (id, options) => streams.drive(id, options) as Promise<Rested<RunState>>,
    request: streams.request,
    state,
    preview: async (id) => {
      const now = await stateHere(id);
      const { previewSteps } = await import('./preview.ts');
      return previewSteps(id, now, await performerFor(now));
    },
    replay: async (id) => {
      const [events, { createRunMachine, replayRun }] = await Promise.all([store.read(id, 0), runKind()]);
      const now = fold(events);
      const performer = await performerFor(now);
      const machine = createRunMachine(id, driver, { performer, ...replayPorts(now) });
      return replayRun(events, machine);
    },
    watch: (id, afterSeq, signal) => store.tail(id, afterSeq, signal),
    waiting: async (limit) => {
      const rows = await runs.list({ state: ['waiting', 'agreeing', 'paused'] });
      return rows.filter(({ waitingFor }) => waitingFor !== null).slice(0, limit);
    },
    list: (query) => streams.list({ ...query, kind: 'run' }),
    find: async (named, workspace, purpose = 'look') =>
      (await meaning()).runsMeant(named, purpose, { listing: streams, workspace, home: given.home }),
    folder: async (workspace) =>
      (await meaning()).folderMeant({ listing: streams, workspace, home: given.home }),
    diff: async (id, options) => {
      const { diffOf } = await undoing();
      return withCheckpoints(id, (now, checkpoints) => diffOf(id, now, checkpoints, options));
    },
    async undo(id, { agreed, options, ...choice }) {
      const { planUndo } = await undoing();
      if (options !== undefined) await streams.admit(agreed ?? ownerAt('library'), 'ask', 'undo', id);
      const undos = await Promise.all((await runs.undoneBy(id)).map((undo) => state(undo.id)));
      const { preview, plan, now } = await withCheckpoints(id, async (now, checkpoints) => ({
        now,
        ...(await planUndo(id, now, checkpoints, { ...choice, undos })),
      }));
      if (options === undefined || plan === null || preview.from === null) return { ...preview, by: null };
      const by = await runs.create({
        plan,
        workspace: now.workspace,
        // Its declared `undo` actions may use them.
        options: { ...options, inputs: textsOf(now.values) },
        parent: { run: id, stepId: preview.from, how: 'undo' },
        sealed: now.sealed,
        ...(agreed === undefined ? {} : { agreed }),
      });
      return { ...preview, by };
    },
    services: async (query = {}) => (await import('./services.ts')).listServices(runs, driver.host, query),
    undoneBy: async (id) =>
      (await runs.related(id)).filter(({ how }) => how === 'undone-by').map(({ row }) => row),
    async related(id) {
      const own = await store.row<RunRow>(id);
      if (own === null) throw new AppError('no-such-run', `there is no run ${JSON.stringify(id)}`);
      const from = own.undoes ?? own.forks ?? own.repeats;
      const parent = from === undefined ? null : await store.row<RunRow>(from.run);
      const links = (await runs.list({ workspace: own.workspace })).flatMap((row): RunLink[] => {
        if (row.undoes?.run === id) return [{ how: 'undone-by', row }];
        if (row.forks?.run === id) return [{ how: 'forked-to', row }];
        return row.repeats?.run === id ? [{ how: 'repeated-by', row }] : [];
      });
      const how = own.undoes !== undefined ? 'undoes' : own.forks !== undefined ? 'forks' : 'repeats';
      return parent === null ? links : [{ how, row: parent }, ...links];
    },
  };
  return runs;
}

function forkOf(run: string, { plan, options, workspace, values, sealed }: RunState, stepId: string): NewRun {
  const at = plan?.steps.findIndex((step) => step.id === stepId) ?? -1;
  if (plan === null || options === null || at < 0) {
    throw new AppError('no-such-step', `there is no step ${JSON.stringify(stepId)} in run ${run}`);
  }
  return {
    plan: { ...plan, revision: 0 },
    workspace,
    options: {
      ...options,
      excluded: plan.steps.slice(0, at).map(({ id }) => id),
      inputs: textsOf(values),
    },
    parent: { run, stepId },
    sealed,
  };
}

const asRequest = (body: RequestBody, by: Actor, key: string): RunEvent =>
  ({ v: 1, at: systemClock.now(), key, by, ...body }) as RunEvent;
