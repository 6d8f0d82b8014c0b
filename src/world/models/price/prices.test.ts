import { assert, integer, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { worstCase } from './estimate.ts';
import { costOf, createPrices, readPrices } from './prices.ts';
import { listPrices } from './table.ts';

const prices = createPrices();
const name = (provider: string, model: string) => ({ provider, model });

describe('the price', () => {
  test('of a dated version is that of its model, and of the unknown is not known', () => {
    expect(prices(name('anthropic', 'claude-haiku-4-5-20251001'))).toBe(
      listPrices['anthropic/claude-haiku-4-5'],
    );
    expect(prices(name('openai-chat', 'gpt-5.4-2026-03-05'))).toBe(listPrices['openai/gpt-5.4']);
    expect(prices(name('ollama', 'mistral:7b'))).toBeNull();
    expect(prices(name('openai', 'constructor'))).toBeNull();
  });

  test('of the user goes before the table', () => {
    const read = readPrices(
      '{"ollama/mistral:7b": {"input": 0, "output": 0}, "openai/gpt-5.4": {"input": 9, "output": 9}}',
    );
    expect(read.ok).toBe(true);
    const own = createPrices(read.ok ? read.prices : {});
    expect(costOf(own(name('ollama', 'mistral:7b')), { inputTokens: 5, outputTokens: 5 })).toBe(0);
    expect(own(name('openai', 'gpt-5.4'))?.input).toBe(9);
  });

  test.each([
    '{',
    '[]',
    '{"x": {"input": 1, "output": 1}}',
    '{"a/b": {"input": -1, "output": 1}}',
    '{"a/b": 3}',
  ])('file %s is refused with a sentence', (text) => {
    expect(readPrices(text)).toMatchObject({ ok: false, message: expect.any(String) });
  });

  test('counts cached input and long input as providers do', () => {
    const price = { input: 2, output: 10, cachedInput: 0.2, long: { over: 1000, input: 4, output: 15 } };
    expect(costOf(price, { inputTokens: 1000, outputTokens: 100, cachedInputTokens: 600 })).toBeCloseTo(
      (400 * 2 + 600 * 0.2 + 100 * 10) / 1e6,
      12,
    );
    expect(costOf(price, { inputTokens: 1001, outputTokens: 100 })).toBeCloseTo((1001 * 4 + 1500) / 1e6, 12);
    expect(costOf(null, { inputTokens: 1, outputTokens: 1 })).toBeNull();
    expect(costOf(price, null)).toBeNull();
  });
});

test('no usage that a provider can count costs more than the worst case', () => {
  const price = listPrices['anthropic/claude-haiku-5-5']!;
  assert(
    property(
      string({ unit: 'binary', maxLength: 400 }),
      integer({ min: 1, max: 9000 }),
      (content, maxOutputTokens) => {
        const request = { system: 's', messages: [{ role: 'user' as const, content }], maxOutputTokens };
        const worst = worstCase(request, price);
        // A token is at least a byte.
        const usage = { inputTokens: Buffer.byteLength(content) + 1 + 20, outputTokens: maxOutputTokens };
        expect(worst.tokens).toBeGreaterThanOrEqual(usage.inputTokens + usage.outputTokens);
        expect(worst.usd).toBeGreaterThanOrEqual(costOf(price, usage)!);
      },
    ),
  );
});
