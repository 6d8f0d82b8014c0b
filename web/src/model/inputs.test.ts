import { expect, test } from 'vitest';
import { givenInputs, missingInputs, shownInput, writtenInputs } from './inputs.ts';

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

test('values are read as they were written, one a line', () => {
  expect(writtenInputs('city = Bern\n\nurl=https://e.example/?a=b\n=nothing\nword')).toEqual({
    city: 'Bern',
    url: 'https://e.example/?a=b',
  });
});
