import type { ModelCall } from '../../../core/contract/index.ts';
import type { Message } from '../types.ts';
import { costOf } from './prices.ts';
import type { Price } from './table.ts';

/** What providers wrap around each message, and around a request with its schema. Seen: 3 to 8, and up to 500. */
const tokensPerMessage = 16;
const tokensPerRequest = 600;

/**
 * The most that a call can cost. Tokenizers work on bytes, and none makes more than one token of a byte: so bytes are
 * a bound that holds for every language and for noise, four times too high for English. What is too much is given
 * back when the call is settled. Thinking counts as output and is within `maxOutputTokens`.
 */
export function worstCase(
  request: { system: string; messages: readonly Message[]; schema?: unknown; maxOutputTokens: number },
  price: Price | null,
): ModelCall['reserved'] {
  const texts = [request.system, ...request.messages.map(({ content }) => content)];
  if (request.schema !== undefined) texts.push(JSON.stringify(request.schema));
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const inputTokens = bytes + tokensPerMessage * request.messages.length + tokensPerRequest;
  const { maxOutputTokens: outputTokens } = request;
  return { usd: costOf(price, { inputTokens, outputTokens }), tokens: inputTokens + outputTokens };
}
