import { expect, test } from 'vitest';
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

test('a question that fails is nobody else’s', async () => {
  const { double } = doubling();
  const all = await Promise.allSettled([double(1), double(13)]);
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await double(1)).toBe(2);
});
