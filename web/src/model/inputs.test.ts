import { expect, test } from 'vitest';
import { givenInputs, missingInputs, shownInput } from './inputs.ts';

const inputs = [
  { name: 'token', secret: true },
  { name: 'folder', default: '.' },
];

test('a plan with an input that has no default waits for it; nothing is sent that was not typed', () => {
  expect(missingInputs(inputs, {})).toEqual(['token']);
  expect(missingInputs(inputs, { token: '' })).toEqual(['token']);
  expect(missingInputs(inputs, { token: 't' })).toEqual([]);
  expect(givenInputs(inputs, { token: 't', other: 'x' })).toEqual({ token: 't' });
  expect(inputs.map((input) => shownInput(input, { folder: 'docs' }))).toEqual(['', 'docs']);
  expect(shownInput(inputs[1]!, {})).toBe('.');
});
