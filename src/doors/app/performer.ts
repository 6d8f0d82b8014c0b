import { dirname } from 'node:path';
import type { Config, RunState } from '../../core/contract/index.ts';
import { parseExpects } from '../../core/plan/index.ts';
import type { SecretFilter } from '../../core/risk/secrets/index.ts';
import type { Performer } from '../../core/run/index.ts';
import { precheck, stepProbe } from '../../mind/brain/probe/index.ts';
import { createPerformer, type PerformerOptions } from '../../world/actions/index.ts';
import { packageCaches } from '../../world/process/index.ts';
import { ledgerIn, noteGroup } from '../../world/process/lineage.ts';
import { systemClock } from '../../world/store/index.ts';
import { withoutModelKeys } from './environment.ts';
import { createJudge } from './judge.ts';
import { type Env, homeOf, type Places } from './places.ts';
import { streamOf } from './secrets.ts';

interface Given extends Pick<PerformerOptions, 'output'> {
  config: Config;
  places: Places;
  env: Env;
  rulesFile: string | undefined;
  /** What the run has to hide, and what this process has. */
  filterFor(state: RunState): SecretFilter;
  checkpoints: PerformerOptions['checkpoints'] | undefined;
  terminal: PerformerOptions['terminal'] | null;
}

/** Performs the steps of one run as it is configured here. Loaded when a run is driven, or judged for a person. */
export function performerOf(state: RunState, given: Given): Performer {
  const { config, places, rulesFile, output, checkpoints, terminal, filterFor } = given;
  const env = withoutModelKeys(given.env, state.plan);
  const home = homeOf(env);
  // With PLANWRIGHT_HOME the configuration lies beside the store: the folder that holds both is hidden.
  const storeDir = env['PLANWRIGHT_HOME'] ? dirname(places.data) : places.data;
  const performer = createPerformer({
    output,
    baseEnv: env,
    clock: systemClock,
    judge: createJudge({ places, env, workspace: state.workspace, rulesFile, since: state.createdAt }),
    parseExpects,
    sandbox: {
      which: config.sandbox,
      home,
      caches: packageCaches(home, env),
      storeDir,
      configDir: dirname(places.rules),
    },
    precheck: ({ step, session }) =>
      precheck(
        step,
        stepProbe({
          cwd: session.cwd,
          env,
          changed: session.env,
          functions: Object.keys(session.defined?.functions ?? {}),
        }),
      ),
    filterSecrets: () => streamOf(filterFor(state)),
    graceMs: config['kill-grace'] * 1000,
    checkpoints,
    terminal: terminal ?? undefined,
  });
  const ledger = ledgerIn(places.data);
  return {
    ...performer,
    attempt: (work, permit, hooks) =>
      performer.attempt(work, permit, {
        ...hooks,
        async spawned(group, heldBefore) {
          noteGroup(ledger, group, { run: work.run, step: work.step.id });
          return hooks.spawned(group, heldBefore);
        },
      }),
  };
}
