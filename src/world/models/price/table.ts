/** Dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Input that the provider had seen before; as other input where it is left out. */
  readonly cachedInput?: number;
  /** What a call costs whose input is longer than `over` tokens: all of it, not only the rest. */
  readonly long?: { readonly over: number; readonly input: number; readonly output: number };
}

/**
 * List prices of November 2026, by PROVIDER/MODEL. A name stands for its dated versions too. What is not here has no
 * known price, and its tokens are counted instead of money: that holds for local models, which nobody bills for.
 */
export const listPrices: Readonly<Record<string, Price>> = {
  'anthropic/claude-fable-5-1': { input: 10, output: 50, cachedInput: 0.25 },
  'anthropic/claude-fable-5': { input: 10, output: 50, cachedInput: 1 },
  'anthropic/claude-opus-5-5': { input: 4, output: 20, cachedInput: 0.2 },
  'anthropic/claude-opus-5': { input: 5, output: 25, cachedInput: 0.5 },
  'anthropic/claude-opus-4-8': { input: 5, output: 25, cachedInput: 0.5 },
  'anthropic/claude-opus-4-7': { input: 5, output: 25, cachedInput: 0.5 },
  'anthropic/claude-opus-4-6': { input: 5, output: 25, cachedInput: 0.5 },
  'anthropic/claude-opus-4-5': { input: 5, output: 25, cachedInput: 0.5 },
  'anthropic/claude-sonnet-5-5': { input: 2, output: 10, cachedInput: 0.1 },
  'anthropic/claude-sonnet-5': { input: 2, output: 10, cachedInput: 0.2 },
  'anthropic/claude-sonnet-4-6': { input: 3, output: 15, cachedInput: 0.3 },
  'anthropic/claude-sonnet-4-5': { input: 3, output: 15, cachedInput: 0.3 },
  'anthropic/claude-haiku-5-5': {
    input: 0.1,
    output: 0.5,
    cachedInput: 0.01,
    long: { over: 100_000, input: 0.5, output: 2.5 },
  },
  'anthropic/claude-haiku-4-5': { input: 1, output: 5, cachedInput: 0.1 },
  'openai/gpt-6.1-sol': openAi(2, 10, 0.1),
  'openai/gpt-6.1-terra': openAi(1, 5, 0.05),
  'openai/gpt-6-sol': openAi(2, 10, 0.2),
  'openai/gpt-6-luna': openAi(0.1, 0.5, 0.01),
  'openai/gpt-5.6-terra': openAi(2, 12, 0.2),
  'openai/gpt-5.6-luna': openAi(0.2, 1.2, 0.02),
  'openai/gpt-5.5': openAi(5, 30),
  'openai/gpt-5.4': openAi(2.5, 15),
  'openai/gpt-5.4-mini': openAi(0.75, 4.5),
  'google/gemini-3.8-flash': { input: 0.75, output: 3.75 },
};

/** OpenAI doubles the input price and adds half to the output price above 272,000 tokens. */
function openAi(input: number, output: number, cachedInput = input): Price {
  return { input, output, cachedInput, long: { over: 272_000, input: input * 2, output: output * 1.5 } };
}
