import { expect, test } from 'vitest';
import { StoreError } from '../errors.ts';
import { inOne } from './in-one.ts';

/** Doubles what it is asked, and remembers what was asked at once. */
function doubling() {
  const asked: number[][] = [];
  const double = inOne(async (given: readonly number[]) => {
    asked.push([...given]);
    if (given.includes(13)) throw new Error('away');
    return given.map((one) => one * 2);
  });
  return { asked, double };
}

test('what is asked in one turn is one question, and everybody has their own answer', async () => {
  const { asked, double } = doubling();
  const first = [1, 2, 1].map(double);
  const second = Promise.resolve().then(() => double(3));
  expect(await Promise.all([...first, second])).toEqual([2, 4, 2, 6]);
  expect(asked).toEqual([[1, 2, 1, 3]]);
  expect(await double(4)).toBe(8);
  expect(asked).toHaveLength(2);
});

test('what fails for one of them is nobody else’s', async () => {
  const { asked, double } = doubling();
  const all = await Promise.allSettled([double(1), double(13), double(2)]);
  expect(all.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual([
    2,
    'Error: away',
    4,
  ]);
  expect(asked).toEqual([[1, 13, 2], [1], [13], [2]]);
});

test('a server that is away is not asked for each of them', async () => {
  let asked = 0;
  const ask = inOne(async () => {
    asked += 1;
    throw new StoreError('store-unreachable', 'away');
  });
  const all = await Promise.allSettled([ask(1), ask(2)]);
  expect([asked, all.map(({ status }) => status)]).toEqual([1, ['rejected', 'rejected']]);
});
