import type { ModelCall } from '../../../core/contract/index.ts';
import type { Message } from '../types.ts';
import { costOf } from './prices.ts';
import type { Price } from './table.ts';

/** What providers wrap around each message, and around a request with its schema. Seen: 3 to 8, and up to 500. */
const tokensPerMessage = 16;
const tokensPerRequest = 600;
/** More than the providers say of the largest: they make it smaller first. */
const tokensPerPicture = 10_000;

/**
 * The most that a call can cost. Tokenizers work on bytes, and none makes more than one token of a byte: so bytes are
 * a bound that holds for every language and for noise, four times too high for English. What is too much is given
 * back when the call is settled. Thinking counts as output and is within `maxOutputTokens`.
 */
export function worstCase(
  request: Sized & { maxOutputTokens: number },
  price: Price | null,
): ModelCall['reserved'] {
  const inputTokens = inputBytes(request) + tokensPerMessage * request.messages.length + tokensPerRequest;
  const { maxOutputTokens: outputTokens } = request;
  return { usd: costOf(price, { inputTokens, outputTokens }), tokens: inputTokens + outputTokens };
}

interface Sized {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly schema?: unknown;
  readonly tools?: unknown;
}

export function inputBytes({ system, messages, schema, tools }: Sized): number {
  const texts = [system, ...messages.map(({ content }) => content)];
  for (const { calls, results } of messages)
    for (const part of [calls, results]) if (part !== undefined) texts.push(JSON.stringify(part));
  if (tools !== undefined) texts.push(JSON.stringify(tools));
  if (schema !== undefined && schema !== null) texts.push(JSON.stringify(schema));
  const shown = messages.reduce((sum, { pictures = [] }) => sum + pictures.length, 0);
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), shown * tokensPerPicture);
}
