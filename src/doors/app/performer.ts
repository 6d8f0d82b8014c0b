import { dirname } from 'node:path';
import type { Config, Plan } from '../../core/contract/index.ts';
import { parseExpects } from '../../core/plan/index.ts';
import type { SecretFilter } from '../../core/risk/secrets/index.ts';
import { type AttemptWork, failedResult, type Performer } from '../../core/run/index.ts';
import { precheck, stepProbe } from '../../mind/brain/probe/index.ts';
import { createPerformer, type PerformerOptions } from '../../world/actions/index.ts';
import { packageCaches } from '../../world/process/index.ts';
import { ledgerIn, noteGroup } from '../../world/process/lineage.ts';
import { systemClock } from '../../world/store/index.ts';
import { withoutModelKeys, withoutSecrets } from './environment.ts';
import { createJudge } from './judge.ts';
import type { McpHouse } from './mcp.ts';
import { type Env, homeOf, type Places } from './places.ts';
import { streamOf } from './secrets.ts';

interface Given extends Pick<PerformerOptions, 'output'> {
  config: Config;
  places: Places;
  env: Env;
  rulesFile: string | undefined;
  /** What the stream has to hide, and what this process has. */
  filter(): SecretFilter;
  checkpoints: PerformerOptions['checkpoints'] | undefined;
  terminal: PerformerOptions['terminal'] | null;
  mcp: McpHouse;
  witness: Witness | undefined;
}

/**
 * Whoever sees each attempt before and after it: an editor, which may have texts that it has not saved. Nothing is judged
 * here; what was judged and approved can only be kept from being done. Neither throws.
 */
export interface Witness {
  /** Why it is not to be done; null where nothing speaks against it. */
  before(work: AttemptWork, signal: AbortSignal): Promise<string | null>;
  after(work: AttemptWork): Promise<void>;
}

/** A run, or a conversation, whose calls are performed as steps are. */
export interface PerformedIn {
  /** Null where there is none. */
  plan: Plan | null;
  workspace: string;
  createdAt: number;
  /** Of a conversation: what the person said in it. */
  said?: string;
}

/** Performs the steps of one run as it is configured here. Loaded when a run is driven, or judged for a person. */
export function performerOf(state: PerformedIn, given: Given): Performer {
  const { config, places, rulesFile, output, checkpoints, terminal, filter } = given;
  const env =
    state.said === undefined
      ? withoutModelKeys(given.env, state.plan)
      : withoutSecrets(given.env, state.said);
  const home = homeOf(env);
  let kept: SecretFilter | null = null;
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
    filterSecrets: () => streamOf((kept ??= filter())),
    graceMs: config['kill-grace'] * 1000,
    checkpoints,
    terminal: terminal ?? undefined,
    mcp: {
      async call(tool, args, signal) {
        const servers = await given.mcp.at(state.workspace);
        return servers.call(tool, args, { signal, redact: (text) => filter().text(text) });
      },
    },
  });
  const ledger = ledgerIn(places.data);
  return {
    ...performer,
    async attempt(work, permit, hooks) {
      const objection = (await given.witness?.before(work, hooks.signal)) ?? null;
      if (objection !== null) return failedResult('denied', objection);
      const result = await performer.attempt(work, permit, {
        ...hooks,
        async spawned(group, heldBefore) {
          noteGroup(ledger, group, { run: work.run, step: work.step.id });
          return hooks.spawned(group, heldBefore);
        },
      });
      await given.witness?.after(work);
      return result;
    },
  };
}
