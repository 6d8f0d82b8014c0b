import { expect, it } from 'vitest';
import { type ChatOptions, noSpending } from '../index.ts';
import { meterWords } from './chat.ts';

const options = { limits: { money: 2, tokens: 500_000, toolRounds: 25, corrections: 3 } } as ChatOptions;
const meter = (spending: Partial<typeof noSpending>) =>
  meterWords({ spending: { ...noSpending, ...spending }, options });

it('the meter says what counts against the limits: money, or tokens whose price nobody knows', () => {
  expect(meter({ calls: 2, tokens: 1204, usd: 0.03 })).toBe('2 calls, 1,204 tokens, $0.03 of $2.00');
  expect(meter({ calls: 1, tokens: 57, unpricedTokens: 57 })).toBe(
    '1 call, 57 of 500,000 tokens without a known price',
  );
  expect(meter({ calls: 3, tokens: 157, unpricedTokens: 57, usd: 0.5 })).toBe(
    '3 calls, 157 tokens, $0.50 of $2.00, 57 of 500,000 tokens without a known price',
  );
});

it('what is under way counts as the most that it can cost', () => {
  const open = { c: { usd: 0.25, tokens: 9000, interrupted: false } };
  expect(meter({ calls: 1, open })).toBe('1 call, 9,000 tokens, $0.25 of $2.00');
});
