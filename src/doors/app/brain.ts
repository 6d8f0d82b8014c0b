import type { Config, RunState } from '../../core/contract/index.ts';
import type { Mind } from '../../core/engine/index.ts';
import {
  type Brain,
  chainBrains,
  createMind,
  createProbe,
  createProgramBrain,
  createRememberedBrain,
  createRulesBrain,
  type FixMemory,
} from '../../mind/brain/index.ts';
import type { Env } from './places.ts';

export interface BrainOptions {
  config: Config;
  env: Env;
  /** Of the run's workspace, then of the user. */
  memories: readonly FixMemory[];
}

/** The chain that a run in agentic mode consults: a program of the user's own, what helped before, the rules. */
export function createRunMind(_state: RunState, { config, env, memories }: BrainOptions): Mind {
  const program = config['brain-program'];
  const brains: Brain[] = [
    ...(program === null
      ? []
      : [createProgramBrain({ command: program, env, timeoutMs: config['brain-timeout'] * 1000 })]),
    createRememberedBrain(memories),
    createRulesBrain({ probeAt: (cwd, changed) => createProbe({ cwd, env, changed }) }),
  ];
  return createMind({ brain: chainBrains(brains), memories });
}
