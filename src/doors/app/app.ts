import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Driver, PartialConfig, RunState } from '../../core/contract/index.ts';
import { parseExpects } from '../../core/plan/index.ts';
import type { CrashPoint } from '../../core/stream/index.ts';
import type { InWords } from '../../mind/brain/index.ts';
import { createPerformer, type TerminalPort } from '../../world/actions/index.ts';
import type { ModelChain, Models } from '../../world/models/index.ts';
import { thisDriver } from '../../world/process/index.ts';
import { createSealing, openStore, type Store, systemClock } from '../../world/store/index.ts';
import type { RunCheckpoints } from '../../world/workspace/index.ts';
import { type AdviceForPerson, adviseOn } from './advise.ts';
import { checkpointsOf } from './checkpoints.ts';
import { type LoadedConfig, loadConfig } from './config.ts';
import { createGivenHere } from './environment.ts';
import { AppError } from './errors.ts';
import type { createExplainer, Explainable } from './explain.ts';
import { createJudge } from './judge.ts';
import { lazyMind } from './lazy-mind.ts';
import { type Env, findPlaces, type Places } from './places.ts';
import { lazyPlanner } from './planning.ts';
import { withPrecheck } from './precheck.ts';
import { createRuns, type Runs } from './runs.ts';
import { askWithoutSandbox, createSandbox } from './sandbox.ts';
import { createRedactor, type Redactor, secretFilterFor, streamOf } from './secrets.ts';

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
  store: Store;
  runs: Runs;
  /** Hides the secrets of one run on its way out; those of this process where no run has said what it was given. */
  redactorFor(state: RunState): Redactor;
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
  close(): Promise<void>;
}

export async function openApp(options: AppOptions = {}): Promise<App> {
  const { env = process.env, cwd = process.cwd(), flags = {}, crashPoint, claimTtlMs, announce } = options;
  const places = findPlaces(env);
  const workspace = findWorkspace(cwd, options.workspace);
  const config = loadConfig({ places, env, workspace, flags });
  const driver = thisDriver();
  const ttl = claimTtlMs === undefined ? {} : { ttlMs: claimTtlMs };
  const store = await openStore({ dir: places.data, driver, ...ttl });
  const sealing = createSealing(places.data);
  const givenHere = createGivenHere(env, sealing);
  /** For what this process does itself: its own environment has secrets too. */
  const filterFor = (state: RunState) => secretFilterFor(state, sealing, env);
  const terminal: { current: TerminalPort | null } = { current: null };
  const { sandbox } = config.values;
  const performerFor = (state: RunState, checkpoints?: RunCheckpoints) =>
    askWithoutSandbox(
      withPrecheck(
        createPerformer({
          output: store.output,
          baseEnv: env,
          clock: systemClock,
          judge: createJudge({ places, env, workspace: state.workspace, rulesFile: options.rulesFile }),
          parseExpects,
          sandbox: createSandbox(sandbox, places, env),
          filterSecrets: () => streamOf(filterFor(state)),
          graceMs: config.values['kill-grace'] * 1000,
          ...(checkpoints === undefined ? {} : { checkpoints }),
          ...(terminal.current === null ? {} : { terminal: terminal.current }),
        }),
        env,
      ),
      sandbox,
    );
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
  const crash = crashPoint === undefined ? {} : { crashPoint };
  const openCheckpoints = checkpointsOf(places, config.values, options.checkpointPoint);
  const runs = createRuns({
    store,
    driver,
    givenHere,
    performerFor,
    mindFor,
    plannerFor: (state, run) => plannerFor(state, liveIn(run)),
    replayPorts,
    openCheckpoints,
    ...crash,
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
  const redactorFor = (state: RunState) =>
    createRedactor(state.environment === null ? filterFor(state) : secretFilterFor(state, sealing));
  return {
    places,
    workspace,
    config,
    driver,
    store,
    runs,
    redactorFor,
    adviseOn: (id, state) => adviseOn(id, state, mindFor(state, id)),
    explain,
    lendTerminal,
    models,
    close: () => store.close(),
  };
}

/** The real path of the folder that a run may touch. */
export function findWorkspace(cwd: string, named = '.'): string {
  try {
    return realpathSync(resolve(cwd, named));
  } catch (cause) {
    throw new AppError('workspace-missing', `there is no folder ${named}`, { cause });
  }
}
