import { z } from 'zod';
import type { ModelName, Usage } from '../../../core/contract/index.ts';
import { listPrices, type Price } from './table.ts';

const money = z.number().min(0);

/** The user's own prices: a JSON object by PROVIDER/MODEL, in dollars for a million tokens. */
const PriceFile = z.record(
  z.string().regex(/^[^/]+\/.+$/, 'takes PROVIDER/MODEL'),
  z.strictObject({
    input: money,
    output: money,
    cachedInput: money.optional(),
    long: z.strictObject({ over: z.int().min(0), input: money, output: money }).optional(),
  }),
);

/** Null where no price is known. */
export type Prices = (name: ModelName) => Price | null;

export type ReadPrices = { ok: true; prices: Record<string, Price> } | { ok: false; message: string };

/** Never throws: what is wrong with the text is a sentence. */
export function readPrices(text: string): ReadPrices {
  try {
    const parsed = PriceFile.safeParse(JSON.parse(text));
    if (parsed.success) return { ok: true, prices: parsed.data as Record<string, Price> };
    const issue = parsed.error.issues[0]!;
    return { ok: false, message: `${issue.path.join('.') || 'the file'}: ${issue.message}` };
  } catch (error) {
    return { ok: false, message: (error as Error).message };
  }
}

/** The table with the user's prices over it. `claude-haiku-4-5-20251001` costs what `claude-haiku-4-5` costs. */
export function createPrices(own: Readonly<Record<string, Price>> = {}): Prices {
  return ({ provider, model }) => {
    const undated = model.replace(/-\d{4}-?\d{2}-?\d{2}$/, '');
    // One provider has a name for each of its protocols.
    const sellers = new Set([provider, provider.replace(/^openai-(chat|responses)$/, 'openai')]);
    for (const seller of sellers) {
      for (const name of [`${seller}/${model}`, `${seller}/${undated}`]) {
        const table = [own, listPrices].find((prices) => Object.hasOwn(prices, name));
        if (table !== undefined) return table[name]!;
      }
    }
    return null;
  };
}

const million = 1_000_000;

/** What a call has cost; null where no price is known or nothing was counted. */
export function costOf(price: Price | null, usage: Usage | null): number | null {
  if (price === null || usage === null) return null;
  const { inputTokens, outputTokens, cachedInputTokens = 0 } = usage;
  const isLong = price.long !== undefined && inputTokens > price.long.over;
  const { input, output } = isLong ? price.long! : price;
  const cached = Math.min(cachedInputTokens, inputTokens);
  const cachedPrice = isLong ? input : (price.cachedInput ?? input);
  return ((inputTokens - cached) * input + cached * cachedPrice + outputTokens * output) / million;
}
