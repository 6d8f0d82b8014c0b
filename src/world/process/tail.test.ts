import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepTail } from './tail.ts';

test('the end is kept, however it comes in pieces', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 40 })),
      fc.integer({ min: 1, max: 50 }),
      (chunks, limit) => {
        const tail = keepTail(limit);
        for (const chunk of chunks) tail.add(chunk);
        const all = Buffer.concat(chunks);
        expect(tail.bytes()).toEqual(all.subarray(Math.max(0, all.length - limit)));
      },
    ),
  );
});

test('a character that was cut off is left out', () => {
  const tail = keepTail(4);
  tail.add(Buffer.from('xé€y'));
  expect(tail.text()).toBe('€y');
});

test('what is kept does not grow with what is written', () => {
  const tail = keepTail(1000);
  for (let i = 0; i < 100_000; i += 1) tail.add(Buffer.from(`${i}\n`));
  expect(tail.text()).toHaveLength(1000);
  expect(tail.text().endsWith('99998\n99999\n')).toBe(true);
});
