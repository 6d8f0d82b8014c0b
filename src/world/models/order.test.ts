import { expect, test } from 'vitest';
import { orderByAcceptance } from './order.ts';

const named = (model: string) => ({ provider: 'p', model });
const order = (models: string, known: Record<string, [accepted: number, asked: number]>): string => {
  const rates = Object.entries(known).map(
    ([model, [accepted, asked]]) => [`p/${model}`, { accepted, asked }] as const,
  );
  return orderByAcceptance([...models].map(named), new Map(rates))
    .map(({ model }) => model)
    .join('');
};

test.each([
  ['nothing is known', {}, 'abcd'],
  ['the smaller is better', { a: [2, 10], c: [9, 10] }, 'cbad'],
  ['luck is not yet skill', { a: [2, 10], c: [4, 4] }, 'abcd'],
  ['more of the same is more sure', { a: [5, 5], b: [50, 50] }, 'bacd'],
  ['equals stay', { a: [5, 10], b: [5, 10] }, 'abcd'],
  ['all are known', { a: [1, 10], b: [2, 10], c: [3, 10], d: [4, 10] }, 'dcba'],
] as [string, Record<string, [number, number]>, string][])('%s', (_, known, expected) => {
  expect(order('abcd', known)).toBe(expected);
});
