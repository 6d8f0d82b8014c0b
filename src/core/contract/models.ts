import { z } from 'zod';

/** What a model is asked for: each role has a chain of models of its own. */
export const ModelRole = z.enum(['planner', 'brain', 'fast', 'chat']);
export type ModelRole = z.infer<typeof ModelRole>;

export const ModelName = z.strictObject({ provider: z.string(), model: z.string() });
export type ModelName = z.infer<typeof ModelName>;
export const printModelName = ({ provider, model }: ModelName): string => `${provider}/${model}`;

/** `openai/gpt-6-sol`; a model's name may have slashes of its own. Null where it is none. */
export function parseModelName(text: string): ModelName | null {
  const match = /^([\w.-]+)\/(\S+)$/.exec(text.trim());
  return match === null ? null : { provider: match[1]!, model: match[2]! };
}

/** A call as it is about to be sent, with the worst that it can cost. `usd` is null where no price is known. */
export const ModelCall = z.strictObject({
  callId: z.string(),
  role: ModelRole,
  /** What it is for, in a few words: "restate the goal", "mend step s3". */
  purpose: z.string(),
  ...ModelName.shape,
  reserved: z.strictObject({ usd: z.number().min(0).nullable(), tokens: z.int().min(0) }),
});
export type ModelCall = z.infer<typeof ModelCall>;

export const Usage = z.strictObject({
  inputTokens: z.int().min(0),
  outputTokens: z.int().min(0),
  cachedInputTokens: z.int().min(0).optional(),
});
export type Usage = z.infer<typeof Usage>;

/** How a call ended. All but `ok` make the chain go on to its next model. */
export const CallOutcome = z.enum([
  'ok',
  'refused',
  'invalid',
  'error',
  'unauthorised',
  'rate-limited',
  'timeout',
  'aborted',
]);
export type CallOutcome = z.infer<typeof CallOutcome>;

export const ModelCallEnd = z.strictObject({
  callId: z.string(),
  outcome: CallOutcome,
  /** What the provider counted; where it counted nothing, the reservation stands. */
  usage: Usage.nullable(),
  usd: z.number().min(0).nullable(),
  durationMs: z.number().min(0),
  message: z.string().optional(),
  /** Answered from a recording: nothing was sent, nothing is owed. */
  replayed: z.literal(true).optional(),
});
export type ModelCallEnd = z.infer<typeof ModelCallEnd>;

/**
 * The chain goes from one model to the next, or after a rate limit to one that it waits for; `to` is null where none is
 * left. `rejected`: its answers came, and were not good enough.
 */
export const ModelHop = z.strictObject({
  role: ModelRole,
  from: ModelName,
  to: ModelName.nullable(),
  reason: z.enum([...CallOutcome.exclude(['ok']).options, 'rejected']),
  message: z.string(),
});
export type ModelHop = z.infer<typeof ModelHop>;

/** Variables that may hold the key of a provider that Planwright can ask, the first that is set wins. */
export const modelKeys = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
  moonshot: ['MOONSHOT_API_KEY'],
  compatible: ['COMPATIBLE_API_KEY'],
} as const;

/** Those of providers that only other programs ask. */
const others =
  'ANTHROPIC_AUTH_TOKEN CLAUDE_CODE_OAUTH_TOKEN GOOGLE_API_KEY AZURE_OPENAI_API_KEY OPENROUTER_API_KEY MISTRAL_API_KEY GROQ_API_KEY XAI_API_KEY DEEPSEEK_API_KEY COHERE_API_KEY TOGETHER_API_KEY FIREWORKS_API_KEY PERPLEXITY_API_KEY';

/** Whoever has one of them can spend somebody's money on models. */
export const modelKeyVariables: ReadonlySet<string> = new Set([
  ...Object.values(modelKeys).flat(),
  ...others.split(' '),
]);

/** What the key of a provider for one host is called in the key file. */
export const keyName = (provider: string, host: string): string => `${provider}@${host}`;
