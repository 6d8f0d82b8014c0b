import type { Config, RunState } from '../../core/contract/index.ts';
import type { Mind } from '../../core/engine/index.ts';
import {
  type Brain,
  type BrainCalls,
  chainBrains,
  createMind,
  createModelBrain,
  createModelSummarise,
  createProbe,
  createProgramBrain,
  createRememberedBrain,
  createRulesBrain,
  type FixMemory,
  type RulesOptions,
} from '../../mind/brain/index.ts';
import type { Models } from '../../world/models/index.ts';
import type { Env } from './places.ts';
import { secretFilterFor } from './secrets.ts';

export interface BrainOptions {
  config: Config;
  env: Env;
  /** Of the run's workspace, then of the user. */
  memories: readonly FixMemory[];
  /** Opened when the brains that need none have declined. */
  models(): Promise<Models>;
}

type ProbeAt = NonNullable<RulesOptions['probeAt']>;

/**
 * The chain that a run in agentic mode consults: a program of the user's own, what helped before, the rules, and
 * models where there are any.
 */
export function createRunMind(state: RunState, { config, env, memories, models }: BrainOptions): Mind {
  const program = config['brain-program'];
  const probeAt: ProbeAt = (cwd, changed) => createProbe({ cwd, env, changed });
  const filter = secretFilterFor(env, state);
  const redact = (text: string): string => filter.text(text);
  const model: Brain = {
    async analyzeFailure(failure, context, calls) {
      if (calls === undefined) return null;
      const chain = (await models()).forRole('brain');
      return createModelBrain({ chain, probeAt, redact }).analyzeFailure(failure, context, calls);
    },
  };
  const brains: Brain[] = [
    ...(program === null
      ? []
      : [createProgramBrain({ command: program, env, timeoutMs: config['brain-timeout'] * 1000 })]),
    createRememberedBrain(memories),
    createRulesBrain({ probeAt }),
    model,
  ];
  const summariseWith = async (calls: BrainCalls) =>
    createModelSummarise((await models()).forRole('fast'), calls, redact);
  return createMind({ brain: chainBrains(brains), memories, summariseWith });
}
