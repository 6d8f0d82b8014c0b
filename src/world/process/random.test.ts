import { expect, test } from 'vitest';
import { randomBytes } from './random.ts';

test('as many as were asked for, and others each time', () => {
  const all = Array.from({ length: 50 }, () => randomBytes(16));
  expect(all.map(({ length }) => length)).toEqual(all.map(() => 16));
  expect(new Set(all.map((bytes) => bytes.toString('hex'))).size).toBe(all.length);
  // Of 800 random bytes, 240 or so are different ones.
  expect(new Set(all.flatMap((bytes) => [...bytes])).size).toBeGreaterThan(200);
});
