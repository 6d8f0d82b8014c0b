import type { Config, RunEvent, RunState } from '../../core/contract/index.ts';
import type { SecretFilter } from '../../core/risk/secrets/index.ts';
import type { Mind } from '../../core/run/index.ts';
import type { Store } from '../../core/stream/index.ts';
import type { InWords } from '../../mind/brain/index.ts';
import type { ModelChain, Models } from '../../world/models/index.ts';
import type { createExplainer, Explainable } from './explain.ts';
import type { McpHouse } from './mcp.ts';
import type { Env, Places } from './places.ts';
import { lazyPlanner } from './planning.ts';

/** A mind that is loaded when it is first needed: most runs need none. */
export function lazyMind(load: () => Promise<Mind>): Mind {
  let loading: Promise<Mind> | null = null;
  const mind = (): Promise<Mind> => {
    loading ??= load();
    return loading;
  };
  return {
    consult: async (work, calls) => (await mind()).consult(work, calls),
    summarise: async (context, oldest, calls) =>
      (await (await mind()).summarise?.(context, oldest, calls)) ?? null,
    learn: async (correction, outcome, signal) => (await mind()).learn(correction, outcome, signal),
  };
}

interface MindsOptions {
  places: Places;
  env: Env;
  config: Config;
  workspace: string;
  store: Store<RunEvent>;
  /** What models are not to be told of a run. */
  filterFor(state: RunState): SecretFilter;
  mcp: McpHouse;
  announce: ((sentence: string) => void) | undefined;
}

/** Who thinks for runs: models, minds and planners, each loaded when it is first asked. */
export function mindsOf({ places, env, config, workspace, store, filterFor, mcp, announce }: MindsOptions) {
  let openedModels: Promise<Models> | null = null;
  const models = (): Promise<Models> => {
    openedModels ??= import('./models.ts').then(({ openAppModels }) =>
      openAppModels({
        places,
        env,
        filterFor,
        workspace,
        scores: store,
        ...(announce === undefined ? {} : { announce }),
      }),
    );
    return openedModels;
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
      const memories = memoriesFor(store, state.workspace);
      return createRunMind(state, { config, env, filterFor, memories, run, models, live: liveIn(run) });
    });
  const planning = (state: RunState, live: ReturnType<typeof liveIn>) =>
    lazyPlanner(async () => {
      const { createRunPlanner } = await import('./planner.ts');
      return createRunPlanner(state, { config, env, filterFor, store, models, live, mcp });
    });
  let explainer: Promise<ReturnType<typeof createExplainer>> | null = null;
  const explain = async (
    id: string,
    state: RunState,
    about: Explainable,
    signal: AbortSignal,
  ): Promise<InWords> => {
    if (!config['models.explain']) return { ok: false, message: null };
    explainer ??= import('./explain.ts').then((room) => room.createExplainer({ filterFor, models }));
    return (await explainer)(id, state, about, signal);
  };
  const adviseOn = async (id: string, state: RunState) =>
    (await import('./advise.ts')).adviseOn(id, state, mindFor(state, id));
  return {
    models,
    mindFor,
    plannerFor: (state: RunState, run: string) => planning(state, liveIn(run)),
    /** Models answer from recordings, and nothing is shown as it comes. */
    replayPorts: (state: RunState) => ({
      planner: planning(state, async (chain) => chain),
      mind: lazyMind(async () => {
        const { createModelMind } = await import('./brain.ts');
        return createModelMind(state, { env, filterFor, models });
      }),
    }),
    explain,
    adviseOn,
  };
}
