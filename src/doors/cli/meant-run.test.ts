import { expect, test } from 'vitest';
import { pickedBy } from './meant-run.ts';

test('a number is the number, whatever ids begin with', () => {
  const rows = ['293yv7sj2w36', '1fhc7m1a5489'].map((id) => ({ id }));
  expect(pickedBy('1', rows)?.id).toBe('293yv7sj2w36');
  expect(pickedBy('2', rows)?.id).toBe('1fhc7m1a5489');
  expect(pickedBy('9', [{ id: '9aaaaaaaaaaa' }])).toBeUndefined();
  expect(pickedBy('1fhc', rows)?.id).toBe('1fhc7m1a5489');
  expect(pickedBy('1f', rows)).toBeUndefined();
  expect(pickedBy('', rows)).toBeUndefined();
});
