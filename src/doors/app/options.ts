import {
  type Config,
  defaultLimits,
  type Limits,
  type Mode,
  type OnAskPolicy,
  type OnFailure,
  type Plan,
  type RunOptions,
} from '../../core/contract/index.ts';

export interface RunChoices {
  /** From a flag: it overrides the plan's mode, which overrides the configured one. */
  mode?: Mode | undefined;
  excluded?: string[];
  inputs?: Record<string, string>;
  /** Somebody sits at a terminal: questions wait for them unless a flag says otherwise. */
  attended: boolean;
  onAsk?: OnAskPolicy | undefined;
  onFailure?: OnFailure | undefined;
  onInterrupt?: 'rerun' | 'skip' | 'stop' | undefined;
  /** Over what is configured. */
  limits?: Partial<Limits>;
}

/** The options that a run is made with, from what was configured and what this person chose. */
export function runOptions(config: Config, plan: Pick<Plan, 'mode'>, choices: RunChoices): RunOptions {
  const seconds = (value: number | null) => (value === null ? null : value * 1000);
  return {
    mode: choices.mode ?? plan.mode ?? config.mode,
    onFailure: choices.onFailure ?? config['on-failure'],
    checkpoints: config.checkpoints,
    ...asking(config, choices),
    limits: {
      ...defaultLimits,
      retriesPerStep: config['limits.retries'],
      corrections: config['limits.corrections'],
      addedSteps: config['limits.added-steps'],
      money: config['limits.money'],
      tokens: config['limits.tokens'],
      drafts: config['limits.drafts'],
      wallMs: seconds(config['limits.wall-time']),
      ...choices.limits,
    },
    stepTimeoutMs: seconds(config['step-timeout']),
    excluded: choices.excluded ?? [],
    inputs: choices.inputs ?? {},
  };
}

/** What the run does where it needs a person; `park` waits, though nobody may come. */
export function asking(config: Config, choices: RunChoices): Pick<RunOptions, 'onAsk' | 'onInterrupt'> {
  const policy = choices.onAsk ?? (choices.attended ? 'park' : config['on-ask']);
  return {
    onAsk: policy === 'park' ? 'wait' : policy,
    onInterrupt: choices.onInterrupt ?? (choices.attended ? 'ask' : config['on-interrupt']),
  };
}
