import type { Driver } from '../../core/contract/index.ts';
import {
  type EventOf,
  elsewhere,
  type FactBody,
  fold,
  hashPlan,
  type Plan,
  type PlannerChain,
  type RequestBody,
  type RunEvent,
  type RunOptions,
  type RunRow,
  type RunState,
  type ShownStep,
  type StoredEvent,
} from '../../core/contract/index.ts';
import {
  createRunMachine,
  type Mind,
  type Performer,
  type Planner,
  type Replayed,
  type RunPorts,
  replayRun,
} from '../../core/run/index.ts';
import { type CrashPoint, drive, type RestReason } from '../../core/stream/index.ts';
import { type Store, systemClock } from '../../world/store/index.ts';
import {
  type Checkpoints,
  createRunCheckpoints,
  placeOf,
  type RunCheckpoints,
} from '../../world/workspace/index.ts';
import type { GivenHere } from './environment.ts';
import { AppError } from './errors.ts';
import { newKey, newRunId, runIdFor } from './ids.ts';
import { diffOf, planUndo, type RunDiff, type UndoChoice, type UndoPreview, undoInputs } from './undo.ts';

export interface NewRun {
  plan: Plan;
  /** A real path. */
  workspace: string;
  options: RunOptions;
  /** Agree on the plan at once: the person has seen it, or asked not to be asked. */
  agreed?: { by: string };
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
  /** The same key twice makes one run. */
  key?: string;
}

/** How an activation ended. The last ones mean that this process could not or did not go on. */
export interface Rested {
  why: RestReason | 'lost' | 'stopped' | 'claimed';
  state: RunState;
  wakeAt: number | null;
  /** Who has the run or its folder. */
  by?: Driver;
  /** The run that works in this folder. */
  busyWith?: string;
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
  /** Drives until the run rests. Losing the race for the claim is a normal answer. */
  drive(id: string, options?: { signal?: AbortSignal }): Promise<Rested>;
  /** Asks something of the run; the driver answers in the journal. The same key twice is one request. */
  request(id: string, body: RequestBody, who: { by: string; key?: string }): Promise<number>;
  state(id: string): Promise<RunState>;
  /** Every step judged as things are now, for a person who is about to agree. */
  preview(id: string): Promise<ShownStep[]>;
  /** Decides everything again against the journal, with models answering from recordings. Runs and sends nothing. */
  replay(id: string): Promise<Replayed>;
  watch(id: string, afterSeq: number, signal: AbortSignal): AsyncIterable<StoredEvent>;
  list(query?: Parameters<Store['runs']>[0]): Promise<RunRow[]>;
  /** The run that a prefix names; without one the latest of this workspace, then the latest of all. */
  find(prefix: string | undefined, workspace: string): Promise<RunRow>;
  /** What the run changed, or one of its steps. Rejects with a CheckpointError where its checkpoints are gone. */
  diff(id: string, options?: { step?: string | undefined; textless?: boolean }): Promise<RunDiff>;
  /**
   * What taking the run back would do; with `options` it also makes the run that does it, `by`, which is then driven
   * as any other. `by` is null where there is nothing to do. Rejects as `diff` does.
   */
  undo(id: string, choice: UndoChoice & UndoRunOptions): Promise<UndoPreview & { by: string | null }>;
  /** The runs that undo this one, the newest first. */
  undoneBy(id: string): Promise<RunRow[]>;
}

export interface UndoRunOptions {
  options?: RunOptions;
  /** Agree on the plan of the undo at once. */
  agreed?: { by: string };
}

export interface RunsOptions {
  store: Store;
  driver: Driver;
  givenHere: GivenHere;
  /** A run has its own: what must not be shown differs. */
  performerFor(state: RunState, checkpoints?: RunCheckpoints): Performer;
  mindFor(state: RunState, run: string): Mind;
  plannerFor(state: RunState, run: string): Planner;
  /** Who answers when a run is replayed. */
  replayPorts(state: RunState): Pick<RunPorts, 'mind' | 'planner'>;
  /** Of a workspace. */
  openCheckpoints(workspace: string): Promise<Checkpoints>;
  crashPoint?: (name: CrashPoint) => void | Promise<void>;
}

const stamp = (body: FactBody): RunEvent => ({ v: 1, at: systemClock.now(), ...body }) as RunEvent;

export function createRuns(given: RunsOptions): Runs {
  const {
    store,
    driver,
    givenHere,
    performerFor,
    mindFor,
    plannerFor,
    replayPorts,
    openCheckpoints,
    crashPoint,
  } = given;
  const withCheckpoints = async <T>(id: string, work: (state: RunState, of: Checkpoints) => Promise<T>) => {
    const now = await stateHere(id);
    const checkpoints = await openCheckpoints(now.workspace);
    try {
      return await work(now, checkpoints);
    } finally {
      await checkpoints.close();
    }
  };
  const state = async (id: string) => fold(await store.read(id, 0));
  /** For what looks into its folder. Throws an AppError where that is on another host. */
  const stateHere = async (id: string) => {
    const now = await state(id);
    const away = elsewhere(now.place, driver.host);
    if (away !== null) throw new AppError('elsewhere', away);
    return now;
  };
  const create = async ({ plan, workspace, options, agreed, key, parent, sealed }: NewRun) => {
    const id = key === undefined ? newRunId() : runIdFor(key);
    const from = parent === undefined ? {} : { parent };
    const place = placeOf(workspace);
    const given = givenHere.given({ plan, inputs: options.inputs }, sealed);
    const events = [
      stamp({ type: 'plan-created', plan, hash: hashPlan(plan), place, ...given, options, ...from }),
    ];
    if (agreed !== undefined) {
      const decision = { type: 'plan-decided', revision: plan.revision, decision: 'all' } as const;
      events.push(asRequest(decision, agreed.by, newKey()));
    }
    // A conflict says that this key has made its run before.
    await store.append(id, { id: key ?? newKey(), events, expectedSeq: 0 });
    return id;
  };
  const plan = async ({ goal, workspace, options, chain, key }: NewGoal) => {
    const id = key === undefined ? newRunId() : runIdFor(key);
    const events = [
      stamp({ type: 'goal-given', goal, place: placeOf(workspace), ...givenHere.given({}), options, chain }),
    ];
    await store.append(id, { id: key ?? newKey(), events, expectedSeq: 0 });
    return id;
  };
  const runs: Runs = {
    create,
    plan,
    fork: async (id, stepId) => create(forkOf(id, await stateHere(id), stepId)),

    async drive(id, { signal } = {}) {
      const before = await state(id);
      const result = await store.claim(id);
      if (!result.ok) return { why: result.why, state: before, wakeAt: null, by: result.by };
      const checkpoints = createRunCheckpoints(before.workspace, () => openCheckpoints(before.workspace));
      try {
        const { busy, ...rested } = await drive(id, {
          machine: createRunMachine(
            id,
            driver,
            {
              performer: performerFor(before, checkpoints),
              checkpoints,
              mind: mindFor(before, id),
              planner: plannerFor(before, id),
            },
            givenHere.differs(before),
          ),
          journal: store,
          claim: result.claim,
          clock: systemClock,
          newId: newKey,
          ...(signal === undefined ? {} : { signal }),
          ...(crashPoint === undefined ? {} : { crashPoint }),
        });
        return busy === undefined ? rested : { ...rested, by: busy.by, busyWith: busy.stream };
      } finally {
        await checkpoints.close();
        await result.claim.release();
      }
    },
    async request(id, body, { by, key = newKey() }) {
      const answer = await store.append(id, { id: key, events: [asRequest(body, by, key)] });
      if (!answer.ok) throw new Error(`a request cannot be ${answer.why}`);
      return answer.seq;
    },
    state,
    preview: async (id) => {
      const now = await stateHere(id);
      return previewSteps(id, now, performerFor(now));
    },
    replay: async (id) => {
      const events = await store.read(id, 0);
      const now = fold(events);
      const machine = createRunMachine(id, driver, { performer: performerFor(now), ...replayPorts(now) });
      return replayRun(events, machine);
    },
    watch: (id, afterSeq, signal) => store.tail(id, afterSeq, signal),
    list: (query) => store.runs(query),
    find: (prefix, workspace) => find(store, prefix, workspace),
    diff: (id, options) => withCheckpoints(id, (now, checkpoints) => diffOf(id, now, checkpoints, options)),
    async undo(id, { agreed, options, ...choice }) {
      const { preview, plan, now } = await withCheckpoints(id, async (now, checkpoints) => ({
        now,
        ...(await planUndo(id, now, checkpoints, choice)),
      }));
      if (options === undefined || plan === null || preview.from === null) return { ...preview, by: null };
      const by = await runs.create({
        plan,
        workspace: now.workspace,
        options: { ...options, inputs: undoInputs(now) },
        parent: { run: id, stepId: preview.from, how: 'undo' },
        sealed: now.sealed,
        ...(agreed === undefined ? {} : { agreed }),
      });
      return { ...preview, by };
    },
    async undoneBy(id) {
      const { workspace } = await state(id);
      return (await store.runs({ workspace })).filter(({ undoes }) => undoes?.run === id);
    },
  };
  return runs;
}

function forkOf(run: string, { plan, options, workspace, values, sealed }: RunState, stepId: string): NewRun {
  const at = plan?.steps.findIndex((step) => step.id === stepId) ?? -1;
  if (plan === null || options === null || at < 0) {
    throw new AppError('no-such-step', `there is no step ${JSON.stringify(stepId)} in run ${run}`);
  }
  const texts = Object.entries(values).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return {
    plan: { ...plan, revision: 0 },
    workspace,
    options: {
      ...options,
      excluded: plan.steps.slice(0, at).map(({ id }) => id),
      inputs: Object.fromEntries(texts),
    },
    parent: { run, stepId },
    sealed,
  };
}

function previewSteps(run: string, state: RunState, performer: Performer): Promise<ShownStep[]> {
  const { signal } = new AbortController();
  const steps = state.plan?.steps ?? [];
  const { session, workspace, values } = state;
  return Promise.all(
    steps.map(async (step) => {
      const { revision, shell } = state.plan!;
      const { subject, verdict } = await performer.judge(
        { run, revision, step, session, workspace, shell, values, items: null, grants: null, unseen: false },
        signal,
      );
      return { subject, verdict };
    }),
  );
}

const asRequest = (body: RequestBody, by: string, key: string): RunEvent =>
  ({ v: 1, at: systemClock.now(), key, by, ...body }) as RunEvent;

async function find(store: Store, prefix: string | undefined, workspace: string): Promise<RunRow> {
  if (prefix === undefined) {
    const here = await store.runs({ workspace, limit: 1 });
    const latest = here[0] ?? (await store.runs({ limit: 1 }))[0];
    if (latest === undefined) throw new AppError('no-such-run', 'there are no runs yet');
    return latest;
  }
  const matches = await store.findRuns(prefix.toLowerCase());
  const exact = matches.find((row) => row.id === prefix.toLowerCase()) ?? matches[0];
  if (exact === undefined) throw new AppError('no-such-run', `there is no run ${JSON.stringify(prefix)}`);
  if (matches.length > 1 && exact.id !== prefix.toLowerCase()) {
    const ids = matches.slice(0, 5).map((row) => row.id);
    throw new AppError('ambiguous-run', `${prefix} fits several runs: ${ids.join(', ')}`);
  }
  return exact;
}
