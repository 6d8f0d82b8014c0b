import { expect, test } from 'vitest';
import { newKey } from './ids.ts';

test('no key is given twice, however many are', () => {
  const keys = Array.from({ length: 1000 }, newKey);
  expect(new Set(keys).size).toBe(1000);
  for (const key of keys) expect(key).toMatch(/^[\w-]{22}$/);
});
