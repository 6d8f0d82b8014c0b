import type { Config, ModelName, RunState } from '../../core/contract/index.ts';
import type { SecretFilter } from '../../core/risk/secrets/index.ts';
import type { Mind } from '../../core/run/index.ts';
import {
  type Brain,
  chainBrains,
  createMind,
  createModelBrain,
  createProgramBrain,
  createRememberedBrain,
  createRulesBrain,
  type RulesOptions,
  summariseWithModel,
} from '../../mind/brain/index.ts';
import type { FixMemory } from '../../mind/brain/memory/memory.ts';
import { createProbe } from '../../mind/brain/probe/index.ts';
import type { ModelChain, Models } from '../../world/models/index.ts';
import { helperEnvironment } from '../../world/process/environment.ts';
import type { Env } from './places.ts';

export interface BrainOptions extends ModelOptions {
  config: Config;
  /** Of the run's workspace, then of the user. */
  memories: readonly FixMemory[];
  /** The run, for what a program of the user's is marked by. */
  run: string;
}

type ProbeAt = NonNullable<RulesOptions['probeAt']>;

interface ModelOptions {
  env: Env;
  filterFor(state: RunState): SecretFilter;
  /** Where a chain's text can be watched as it arrives; left out, nowhere. */
  live?: (chain: ModelChain, state: RunState) => Promise<ModelChain>;
  /** Opened when the brains that need none have declined. */
  models(): Promise<Models>;
}

/**
 * The chain that a run in agentic mode consults: a program of the user's own, what helped before, the rules, and
 * models where there are any.
 */
export function createRunMind(state: RunState, options: BrainOptions): Mind {
  const { config, env, memories, run } = options;
  const program = config['brain-program'];
  const timeoutMs = config['brain-timeout'] * 1000;
  const brains: Brain[] = [
    ...(program === null
      ? []
      : [createProgramBrain({ command: program, env: helperEnvironment(env, run), timeoutMs })]),
    createRememberedBrain(memories),
    createRulesBrain({ probeAt: probeIn(env) }),
  ];
  return mindOf(brains, state, options, memories);
}

/** Models alone, for a replay: only they can be asked again. */
export const createModelMind = (state: RunState, options: ModelOptions): Mind =>
  mindOf([], state, options, []);

function mindOf(
  brains: readonly Brain[],
  state: RunState,
  { env, filterFor, models, live = async (chain) => chain }: ModelOptions,
  memories: readonly FixMemory[],
): Mind {
  const filter = filterFor(state);
  const redact = (text: string): string => filter.text(text);
  const asking = (chainIn: (models: Models) => ModelChain): Brain => ({
    async analyzeFailure(failure, context, calls) {
      if (calls === undefined) return null;
      const chain = await live(chainIn(await models()), state);
      return createModelBrain({ chain, probeAt: probeIn(env), redact }).analyzeFailure(
        failure,
        context,
        calls,
      );
    },
  });
  const chosen = (name: ModelName | undefined): Brain[] =>
    name === undefined ? [] : [asking((known) => known.only('brain', name))];
  const usual = [...brains, asking((known) => known.forRole('brain'))];
  const mindWith = (name?: ModelName): Mind =>
    createMind({ brain: chainBrains([...chosen(name), ...usual]), memories, summarise });
  const summarise: NonNullable<Mind['summarise']> = async ({ summary }, oldest, calls) =>
    summariseWithModel(await live((await models()).forRole('fast'), state), summary, oldest, calls, redact);
  // Whom a person chose is in the run as it is when the brain is asked.
  return {
    ...mindWith(),
    consult: (work, calls) => mindWith(work.state.options?.brain).consult(work, calls),
  };
}

const probeIn =
  (env: Env): ProbeAt =>
  (cwd, changed) =>
    createProbe({ cwd, env, changed });
