import {
  type ChatOptions,
  type Config,
  defaultLimits,
  MAX_SELF_CORRECTIONS,
  MAX_TOOL_ROUNDS,
  type Mode,
  type ModelName,
  type OnAskPolicy,
  type OnFailure,
} from '../../core/contract/index.ts';
import type { Models } from '../../world/models/index.ts';
import { asking, runOptions } from './options.ts';
import { plannerChain } from './planning.ts';

/** What a person chose about a conversation; the rest is as configured. */
export interface ChatChoices {
  mode?: Mode | undefined;
  planning?: ChatOptions['planning'] | undefined;
  /** Somebody is there to be asked. */
  attended: boolean;
  onAsk?: OnAskPolicy | undefined;
  onFailure?: OnFailure | undefined;
  model?: ModelName | undefined;
  money?: number | undefined;
  /** How often the model may be asked for one message. */
  toolRounds?: number | undefined;
}

/** The options that a conversation is begun with, from what was configured and what this person chose. */
export async function chatOptions(
  config: Config,
  choices: ChatChoices,
  models: () => Promise<Models>,
): Promise<ChatOptions> {
  const { mode, checkpoints, limits } = runOptions(config, {}, choices);
  const chain = await plannerChain(await models());
  return {
    mode,
    onAsk: asking(config, choices).onAsk,
    planning: choices.planning ?? (chain.planner.length === 0 ? 'never' : 'auto'),
    onFailure: choices.onFailure ?? 'continue',
    limits: {
      money: choices.money ?? limits.money,
      tokens: limits.tokens,
      toolRounds: choices.toolRounds ?? MAX_TOOL_ROUNDS,
      corrections: MAX_SELF_CORRECTIONS,
    },
    runLimits: { ...defaultLimits, ...limits },
    checkpoints: checkpoints ?? 'off',
    shell: config.shell,
    chain,
    ...(choices.model === undefined ? {} : { model: choices.model }),
  };
}
