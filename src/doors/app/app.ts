import { hash } from 'node:crypto';
import {
  type Driver,
  hashBy,
  type PartialConfig,
  type RunEvent,
  type RunState,
} from '../../core/contract/index.ts';
import { keptRuns } from '../../core/run/kept.ts';
import {
  type AnyKind,
  type CrashPoint,
  type Fixes,
  kindsOf,
  type Retention,
  type Scores,
} from '../../core/stream/index.ts';
import type { InWords } from '../../mind/brain/index.ts';
import type { TerminalPort } from '../../world/actions/index.ts';
import type { ModelChain, Models } from '../../world/models/index.ts';
import { thisDriver } from '../../world/process/identity.ts';
import { openStore } from '../../world/store/index.ts';
import type { RunCheckpoints } from '../../world/workspace/index.ts';
import type { AdviceForPerson } from './advise.ts';
import { agreeAtFirst } from './agreed.ts';
import { startedHere as startedBy } from './asker.ts';
import { checkpointsOf } from './checkpoints.ts';
import { type LoadedConfig, loadConfig } from './config.ts';
import { drivableRuns, type RunDriving } from './drive-runs.ts';
import { createGivenHere } from './environment.ts';
import type { createExplainer, Explainable } from './explain.ts';
import { lazyMind } from './lazy-mind.ts';
import { type Env, findPlaces, findWorkspace, homeOf, type Places } from './places.ts';
import { lazyPlanner } from './planning.ts';
import { createRuns, type Runs } from './runs.ts';
import { createRedactor, type Redactor, secretFilterFor } from './secrets.ts';
import { type AppStreams, createStreams, type Drivable } from './streams.ts';

export interface AppOptions {
  /** The environment that configures Planwright and that steps are run in. */
  env?: Env;
  cwd?: string;
  /** The folder that runs may touch; the current one where it is left out. */
  workspace?: string;
  flags?: PartialConfig;
  /** Rules for this process alone. */
  rulesFile?: string | undefined;
  /** How long a driver that does not answer keeps its runs. */
  claimTtlMs?: number;
  /** Told which model is asked, why, and what is sent where, before it is. */
  announce?: (sentence: string) => void;
  /** Kinds of streams besides runs that this program is to drive. */
  drivables?: readonly Drivable[];
  /** For crash tests: called at named points of the loop. */
  crashPoint?: (name: CrashPoint) => void | Promise<void>;
  /** Likewise: at named moments of checkpoints. */
  checkpointPoint?: (name: string) => void;
}

/** Everything composed. Close it when done: claims are given back and files closed. */
export interface App {
  places: Places;
  /** A real path. */
  workspace: string;
  config: LoadedConfig;
  driver: Driver;
  /** Streams of every kind. */
  streams: AppStreams<RunEvent>;
  runs: Runs;
  /** Hides the secrets of one stream on its way out; those of this process where no run has said what it was given. */
  redactorFor(state: unknown, kind?: AnyKind): Redactor;
  /** What the brains that cost nothing would do about the step that failed. */
  adviseOn(id: string, state: RunState): Promise<AdviceForPerson | null>;
  /**
   * The same in the words of the fast model, which may cost a little. Not ok, and no message, where there is nobody to
   * ask or explanations are switched off.
   */
  explain(id: string, state: RunState, about: Explainable, signal: AbortSignal): Promise<InWords>;
  /** Lends the terminal to steps that are interactive, from the next activation on. */
  lendTerminal(terminal: TerminalPort): void;
  /** Opened at the first call: most runs need none. */
  models(): Promise<Models>;
  /** What has mended failures before. */
  fixes: Fixes;
  modelScores: Scores['modelScores'];
  gc: Retention['gc'];
  /** Reads everything that is kept, and says what is damaged: slow on a large store. */
  checkStore(): Promise<{ where: string; damage: string[] }>;
  close(): Promise<void>;
}

export async function openApp(options: AppOptions = {}): Promise<App> {
  const { env = process.env, cwd = process.cwd(), flags = {}, crashPoint, claimTtlMs, announce } = options;
  hashBy((text) => hash('sha256', text));
  const places = findPlaces(env);
  const workspace = findWorkspace(cwd, options.workspace);
  await agreeAtFirst(places);
  const config = loadConfig({ places, env, workspace, flags });
  const driver = thisDriver();
  const ttl = claimTtlMs === undefined ? {} : { ttlMs: claimTtlMs };
  const store = await openStore<RunEvent>({
    dir: places.data,
    driver,
    kinds: kindsOf(keptRuns, ...(options.drivables ?? []).map(({ kind }) => kind)),
    ...ttl,
  });
  const { sealing } = store;
  const givenHere = createGivenHere(env, sealing);
  /** For what this process does itself: its own environment has secrets too. */
  const filterFor = (state: RunState) => secretFilterFor(keptRuns, state, sealing, env);
  const terminal: { current: TerminalPort | null } = { current: null };
  const performerFor = async (state: RunState, checkpoints?: RunCheckpoints) => {
    const { performerOf } = await import('./performer.ts');
    const { rulesFile } = options;
    const ports = { output: store.output, checkpoints, terminal: terminal.current, filterFor };
    return performerOf(state, { config: config.values, places, env, rulesFile, ...ports });
  };
  let opened: Promise<Models> | null = null;
  const models = (): Promise<Models> => {
    opened ??= import('./models.ts').then(({ openAppModels }) =>
      openAppModels({
        places,
        env,
        filterFor,
        workspace,
        scores: store,
        ...(announce === undefined ? {} : { announce }),
      }),
    );
    return opened;
  };
  const liveIn = (run: string) => async (chain: ModelChain, state: RunState) => {
    const [{ withLiveText }, { createLiveText }] = await Promise.all([
      import('../../world/models/index.ts'),
      import('./live-text.ts'),
    ]);
    return withLiveText(chain, createLiveText(store.output, run, filterFor(state)));
  };
  const mindFor = (state: RunState, run: string) =>
    lazyMind(async () => {
      const [{ createRunMind }, { memoriesFor }] = await Promise.all([
        import('./brain.ts'),
        import('./memory.ts'),
      ]);
      return createRunMind(state, {
        config: config.values,
        env,
        filterFor,
        memories: memoriesFor(store, state.workspace),
        run,
        models,
        live: liveIn(run),
      });
    });
  const plannerFor = (state: RunState, live: ReturnType<typeof liveIn>) =>
    lazyPlanner(async () => {
      const { createRunPlanner } = await import('./planner.ts');
      return createRunPlanner(state, { config: config.values, env, filterFor, store, models, live });
    });
  const replayPorts = (state: RunState) => ({
    planner: plannerFor(state, async (chain) => chain),
    mind: lazyMind(async () => {
      const { createModelMind } = await import('./brain.ts');
      return createModelMind(state, { env, filterFor, models });
    }),
  });
  const openCheckpoints = checkpointsOf(places, config.values, options.checkpointPoint);
  const runDriving: RunDriving = {
    driver,
    givenHere,
    performerFor,
    mindFor,
    plannerFor: (state, run) => plannerFor(state, liveIn(run)),
    openCheckpoints,
  };
  const drivables = [drivableRuns(runDriving), ...(options.drivables ?? [])];
  const begunHere = new Set<string>();
  const startedHere = startedBy(places.data);
  const streams = createStreams({ store, drivables, crashPoint, startedHere, begunHere });
  const runs = createRuns({
    store,
    streams,
    driver,
    givenHere,
    performerFor,
    replayPorts,
    openCheckpoints,
    begunHere,
    startedHere,
    home: homeOf(env),
  });
  const lendTerminal = (lent: TerminalPort) => {
    terminal.current = lent;
  };
  let explainer: Promise<ReturnType<typeof createExplainer>> | null = null;
  const explain: App['explain'] = async (id, state, about, signal) => {
    if (!config.values['models.explain']) return { ok: false, message: null };
    explainer ??= import('./explain.ts').then((room) => room.createExplainer({ filterFor, models }));
    return (await explainer)(id, state, about, signal);
  };
  const redactorFor = (state: unknown, kind: AnyKind = keptRuns) => {
    const isUnknown = kind === keptRuns && (state as RunState).environment === null;
    return createRedactor(secretFilterFor(kind, state, sealing, isUnknown ? env : {}));
  };
  return {
    places,
    workspace,
    config,
    driver,
    streams,
    runs,
    redactorFor,
    adviseOn: async (id, state) => (await import('./advise.ts')).adviseOn(id, state, mindFor(state, id)),
    explain,
    lendTerminal,
    models,
    fixes: store,
    modelScores: store.modelScores,
    async gc(options) {
      const alive = (await runs.services()).filter((service) => service.alive !== false);
      return store.gc({ ...options, spare: alive.map(({ run }) => run) });
    },
    checkStore: async () => ({ where: store.where, damage: await store.check() }),
    async close() {
      await streams.close();
      await store.close();
    },
  };
}
