import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import { keptChats } from '../../core/chat/kept.ts';
import {
  type Driver,
  hashBy,
  initialRunState,
  type PartialConfig,
  type RunEvent,
  type RunState,
} from '../../core/contract/index.ts';
import { keptGuards } from '../../core/guard/kept.ts';
import type { SecretFilter } from '../../core/risk/secrets/index.ts';
import { keptRuns } from '../../core/run/kept.ts';
import { keptSchedules } from '../../core/schedules/kept.ts';
import {
  type AnyKind,
  type CrashPoint,
  type Fixes,
  kindsOf,
  type Passes,
  type Retention,
  type Scores,
  type Store,
  type Workers,
} from '../../core/stream/index.ts';
import type { InWords } from '../../mind/brain/index.ts';
import type { TerminalPort } from '../../world/actions/index.ts';
import type { Models } from '../../world/models/index.ts';
import { thisDriver } from '../../world/process/identity.ts';
import type { FleetQueue } from '../../world/queue/fleet.ts';
import { openStore, type StoreOptions, systemClock } from '../../world/store/index.ts';
import type { RunCheckpoints } from '../../world/workspace/index.ts';
import type { AdviceForPerson } from './advise.ts';
import { agreeAtFirst } from './agreed.ts';
import { startedHere as startedBy } from './asker.ts';
import { type Chats, createChats } from './chats.ts';
import { checkpointsOf } from './checkpoints.ts';
import { type LoadedConfig, loadConfig } from './config.ts';
import { createRuns } from './create-runs.ts';
import { databaseOf, rememberDatabase } from './database.ts';
import { drivableChats } from './drive-chats.ts';
import { drivableRuns, type RunDriving } from './drive-runs.ts';
import { createGivenHere } from './environment.ts';
import type { Explainable } from './explain.ts';
import { createGuards, drivableGuards, type GuardedSessions } from './guard/index.ts';
import { mindsOf } from './lazy-mind.ts';
import type { McpHouse } from './mcp.ts';
import type { ChatDriving } from './open-chat.ts';
import type { PerformedIn, Witness } from './performer.ts';
import { type Env, findPlaces, findWorkspace, homeOf, type Places } from './places.ts';
import type { Runs } from './runs.ts';
import { drivableSchedules } from './schedules/drive.ts';
import { createSchedules, type Schedules } from './schedules/schedules.ts';
import { createRedactor, type Redactor, secretFilterFor } from './secrets.ts';
import { createSources, mayTake, type Sources } from './sources.ts';
import { type AppStreams, createStreams, type Drivable } from './streams.ts';
import {
  createProjects,
  createTasks,
  drivableTasks,
  type Projects,
  type Tasks,
  taskKinds,
} from './tasks/index.ts';

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
  /** Of a fleet: this process drives nothing that it begins, or drives whatever there is. */
  leavesDriving?: boolean;
  /** Stands between the app and its store: what counts, and changes nothing. */
  around?: (store: Store<RunEvent>) => Store<RunEvent>;
  /** Sees each attempt that is made here. */
  witness?: Witness;
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
  sources: Sources;
  chats: Chats;
  projects: Projects;
  tasks: Tasks;
  schedules: Schedules;
  /** Sessions of other agents under the guard. */
  guards: GuardedSessions;
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
  /** Who drives, and what there is to do. */
  workers: Workers;
  /** What the fleet has to do, and where its journal is; null where everything is on this machine. */
  fleet: (FleetQueue & { where: string }) | null;
  /** Opened at the first call: most runs need none. */
  models(): Promise<Models>;
  /** What has mended failures before. */
  fixes: Fixes;
  modelScores: Scores['modelScores'];
  /** What lets people in. */
  passes(): Promise<Passes>;
  /** The same for all who share the store, and another for every other. */
  storeName(): string;
  gc: Retention['gc'];
  /** Reads everything that is kept, and says what is damaged: slow on a large store. */
  checkStore(): Promise<{ where: string; damage: string[] }>;
  close(): Promise<void>;
}

/** The kinds of streams that this program keeps by itself. */
export const keptKinds: readonly AnyKind[] = [keptRuns, keptChats, ...taskKinds, keptGuards, keptSchedules];

/** How long a terminal has to drive what it begins, before a worker may. */
const COURTESY_SECONDS = 2;

/** The store of the data folder, or of a fleet: whoever has none loads nothing for it. */
async function openEither(places: Places, url: string | null, options: StoreOptions, leavesDriving: boolean) {
  if (url === null) return { store: await openStore<RunEvent>(options), fleet: null };
  const [{ openPostgres }, { createFleetQueue }] = await Promise.all([
    import('../../world/store/postgres/index.ts'),
    import('../../world/queue/fleet.ts'),
  ]);
  const { host } = options.driver;
  const fleet = createFleetQueue({ url, host, courtesySeconds: leavesDriving ? 0 : COURTESY_SECONDS });
  const store = await openPostgres<RunEvent>({ ...options, url, enqueue: fleet.enqueue });
  rememberDatabase(places, url);
  return { store, fleet: { ...fleet, where: store.where } };
}

export async function openApp(options: AppOptions = {}): Promise<App> {
  const { cwd = process.cwd(), flags = {}, crashPoint, claimTtlMs, announce } = options;
  hashBy((text) => hash('sha256', text));
  const places = findPlaces(options.env ?? process.env);
  const { url, env } = databaseOf(options.env ?? process.env, places);
  const workspace = findWorkspace(cwd, options.workspace);
  const rulesFile = options.rulesFile === undefined ? undefined : resolve(cwd, options.rulesFile);
  await agreeAtFirst(places);
  const config = loadConfig({ places, env, workspace, flags });
  const driver = thisDriver();
  const { lease } = config.values;
  const ttlMs = claimTtlMs ?? (lease === null ? undefined : lease * 1000);
  const ttl = ttlMs === undefined ? {} : { ttlMs };
  const kinds = kindsOf(...keptKinds, ...(options.drivables ?? []).map(({ kind }) => kind));
  const { store: opened, fleet } = await openEither(
    places,
    url,
    { dir: places.data, driver, kinds, ...ttl },
    options.leavesDriving === true,
  );
  const store = options.around?.(opened) ?? opened;
  const { sealing } = store;
  const givenHere = createGivenHere(env, sealing);
  /** For what this process does itself: its own environment has secrets too. */
  const filterFor = (state: RunState) => secretFilterFor(keptRuns, state, sealing, env);
  const terminal: { current: TerminalPort | null } = { current: null };
  let house: Promise<McpHouse> | null = null;
  const mcp: McpHouse = {
    async at(folder) {
      house ??= import('./mcp.ts').then(({ createMcpHouse }) => createMcpHouse(places, env, announce));
      return (await house).at(folder);
    },
    close: async () => (await house)?.close(),
  };
  const performing = async (state: PerformedIn, filter: () => SecretFilter, checkpoints?: RunCheckpoints) => {
    const { performerOf } = await import('./performer.ts');
    const ports = {
      output: store.output,
      checkpoints,
      terminal: terminal.current,
      filter,
      mcp,
      witness: options.witness,
    };
    return performerOf(state, { config: config.values, places, env, rulesFile, ...ports });
  };
  const performerFor = (state: RunState, checkpoints?: RunCheckpoints) =>
    performing(state, () => filterFor(state), checkpoints);
  const minds = mindsOf({ places, env, config: config.values, workspace, store, filterFor, mcp, announce });
  const { models, mindFor, plannerFor } = minds;
  const openCheckpoints = checkpointsOf(places, config.values, options.checkpointPoint);
  const sources = createSources({
    ...{ places, config: config.values, env, output: store.output },
    where: store.where,
    isFleet: fleet !== null,
  });
  const runDriving: RunDriving = {
    sources,
    mayTake: (state) => mayTake(state, driver.host, ttlMs),
    driver,
    givenHere,
    performerFor,
    mindFor,
    plannerFor,
    openCheckpoints,
  };
  const chatDriving: ChatDriving = {
    ...{ driver, givenHere, config: config.values, env, models, openCheckpoints },
    output: store.output,
    filterOf: (state) => secretFilterFor(keptChats, state, sealing, env),
    performing,
    mcp,
    runState: (id) => streams.state(id) as Promise<RunState>,
  };
  const tasksDriven = drivableTasks({
    ...{ driver, config: config.values, places, env, output: store.output, models, performing },
    onAsk:
      config.sources['on-ask'] === 'default' || config.values['on-ask'] === 'park'
        ? 'wait'
        : config.values['on-ask'],
    now: systemClock.now,
    filter: () => secretFilterFor(keptRuns, initialRunState, sealing, env),
    streams: () => streams,
    chats: () => chats,
    sources,
    mayTake: (state) => mayTake(state, driver.host, ttlMs),
  });
  const drivables = [
    drivableRuns(runDriving),
    drivableChats(chatDriving),
    ...tasksDriven,
    drivableGuards,
    drivableSchedules({ driver, env, givenHere }),
    ...(options.drivables ?? []),
  ];
  const begunHere = new Set<string>();
  const startedHere = startedBy(places.data);
  const streams = createStreams({ store, drivables, crashPoint, startedHere, begunHere });
  const runs = createRuns({
    store,
    streams,
    driver,
    givenHere,
    sources,
    performerFor,
    replayPorts: minds.replayPorts,
    openCheckpoints,
    begunHere,
    startedHere,
    home: homeOf(env),
  });
  const chats = createChats({ store, streams, givenHere, begunHere, config: config.values, models });
  const projects = createProjects(store, streams, env, places);
  const money = config.values['limits.money'];
  const worktrees = async () =>
    (await import('./tasks/git.ts')).worktreesOf({
      config: config.values,
      places,
      env,
      streams: () => streams,
    });
  const tasks = createTasks({ store, streams, projects, begunHere, money, worktrees });
  const schedules = createSchedules({ store, streams, config: config.values, env, givenHere });
  const guards = createGuards({ store, streams, places, openCheckpoints });
  const lendTerminal = (lent: TerminalPort) => {
    terminal.current = lent;
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
    sources,
    chats,
    projects,
    tasks,
    schedules,
    guards,
    redactorFor,
    adviseOn: minds.adviseOn,
    explain: minds.explain,
    lendTerminal,
    workers: store.workers,
    fleet,
    models,
    fixes: store,
    modelScores: store.modelScores,
    passes: store.passes,
    storeName: () => sealing.nameOf('store').slice(0, 8),
    async gc(options) {
      const alive = (await runs.services()).filter((service) => service.alive !== false);
      return store.gc({ ...options, spare: alive.map(({ run }) => run) });
    },
    checkStore: async () => ({ where: store.where, damage: await store.check() }),
    async close() {
      await streams.close();
      await mcp.close();
      await fleet?.close();
      await store.close();
    },
  };
}
