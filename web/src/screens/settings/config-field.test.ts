import type { ConfigField } from '@contract';
import { expect, test } from 'vitest';
import { readValue, unsetWord } from './config-field.ts';

const text: ConfigField = { about: '', choices: null, number: null, nullable: true };
const whole = (least: number, most: number | null = null): ConfigField => ({
  ...text,
  nullable: false,
  number: { least, most, whole: true },
});
const fields = {
  concurrency: whole(1, 64),
  'keep.days': whole(0, 36_500),
  'limits.money': { ...whole(0), number: { least: 0, most: null, whole: false } },
  'step-timeout': { ...whole(1), nullable: true },
  'models.brain': text,
  mode: { ...text, choices: ['teacher', 'planner'] },
  'models.explain': { ...text, choices: ['true', 'false'] },
};
const read = (key: keyof typeof fields, given: string) => readValue(given, fields[key]);

test('a number that does not fit is told apart from one that does, in words', () => {
  expect(read('concurrency', '6')).toEqual({ value: 6 });
  expect(read('concurrency', 'many')).toEqual({ problem: '“many” is no number' });
  expect(read('concurrency', '-5')).toEqual({ problem: 'It is 1 or more' });
  expect(read('concurrency', '65')).toEqual({ problem: 'It is 64 or less' });
  expect(read('concurrency', '1.5')).toEqual({ problem: 'It is a whole number' });
  expect(read('keep.days', '9999999999999')).toEqual({ problem: 'It is 36500 or less' });
  expect(read('limits.money', '0.5')).toEqual({ value: 0.5 });
});

test('what may be left unset may be left empty, and nothing else', () => {
  expect(read('step-timeout', ' ')).toEqual({ value: null });
  expect(read('step-timeout', '0')).toEqual({ problem: 'It is 1 or more' });
  expect(read('concurrency', '')).toEqual({ problem: 'It needs a value' });
  expect(read('models.brain', '')).toEqual({ value: null });
});

test('a choice is a choice, and yes or no is no text', () => {
  expect(read('mode', 'planner')).toEqual({ value: 'planner' });
  expect(read('mode', 'wild')).toMatchObject({ problem: expect.stringContaining('teacher') });
  expect(read('models.explain', 'false')).toEqual({ value: false });
});

test('an empty field says what holds, as its description does', () => {
  expect(unsetWord('Seconds that a step may take; unset: no limit')).toBe('no limit');
  expect(unsetWord('Seconds after which others may take it; unset: 30, in a fleet 60')).toBe('30');
  expect(unsetWord('Clients through which you may decide; unset: none. Your own file says so')).toBe('none');
  expect(unsetWord('A JSON file with prices')).toBe('none');
});
