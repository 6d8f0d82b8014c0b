import { expect, test } from 'vitest';
import { nearest, suggest } from './nearest.ts';

const words = ['goal', 'plan', 'expects', 'DELETE_PATH', 'READ_FILE'];

test.each([
  ['gaol', 'goal'],
  ['exepcts', 'expects'],
  ['expect', 'expects'],
  ['DELET', 'DELETE_PATH'],
  ['read_file', 'READ_FILE'],
  ['b', null],
  ['nothing', null],
  ['x'.repeat(1_000), null],
])('%s is near %s', (word, expected) => {
  expect(nearest(word, words)).toBe(expected);
});

test('with nothing near, all are named', () => {
  expect(suggest('zzz', ['a', 'b'])).toBe('Use one of: a, b.');
  expect(suggest('gaol', words)).toBe('Did you mean `goal`?');
});
