import { expect, test } from 'vitest';
import { proseParts } from './prose.ts';

test('what stands between backticks is code, and a lonely backtick is one', () => {
  expect(proseParts('Run `npm ci` before `npm test`.')).toEqual([
    { text: 'Run ', code: false },
    { text: 'npm ci', code: true },
    { text: ' before ', code: false },
    { text: 'npm test', code: true },
    { text: '.', code: false },
  ]);
  expect(proseParts('it`s one')).toEqual([{ text: 'it`s one', code: false }]);
  expect(proseParts('``')).toEqual([{ text: '``', code: false }]);
  expect(proseParts('')).toEqual([]);
});
