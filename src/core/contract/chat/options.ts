import { z } from 'zod';
import { PlannerChain } from '../facts/planning.ts';
import { ModelName } from '../models.ts';
import { CheckpointPolicy, Limits, OnAsk, OnFailure } from '../options.ts';
import { Mode, Shell } from '../plan.ts';

/** Rounds of one turn: what the model says once is one, with the calls that it makes. */
export const MAX_TOOL_ROUNDS = 25;
/** Times that one request is tried in another way because a tool gave the signal for it. */
export const MAX_SELF_CORRECTIONS = 3;

/** So much of the first message names a conversation, or of what a person calls it. */
export const MAX_TITLE = 120;

export const ChatLimits = z.strictObject({
  /** Of the whole conversation, its plans included. */
  money: z.number().min(0),
  tokens: z.int().min(0),
  toolRounds: z.int().min(1),
  corrections: z.int().min(0),
});
export type ChatLimits = z.infer<typeof ChatLimits>;

export const ChatOptions = z.strictObject({
  mode: Mode,
  onAsk: OnAsk,
  /** Whether a message may become a plan: where it looks like one, always, or never. */
  planning: z.enum(['auto', 'always', 'never']),
  /** What plans of the conversation do when a step fails. */
  onFailure: OnFailure,
  limits: ChatLimits,
  /** Those of a plan that are not the conversation's own. */
  runLimits: Limits,
  checkpoints: CheckpointPolicy,
  shell: Shell,
  /** The model that a person wants; left out, the chain is as it is set. */
  model: ModelName.optional(),
  chain: PlannerChain,
});
export type ChatOptions = z.infer<typeof ChatOptions>;
