import { expect, test } from 'vitest';
import { tooOld } from './retention-rules.ts';

const day = 24 * 60 * 60 * 1000;
const stream = (id: string, days: number, kind = 'run') => ({ id, kind, endedAt: -days * day });
const old = (given: ReturnType<typeof stream>[], options: Parameters<typeof tooOld>[2]) =>
  tooOld(given, 0, options).map(({ id }) => id);

test('what ended before so many days goes, the one that ended first leading', () => {
  const given = [stream('a', 31), stream('b', 30), stream('c', 90)];
  expect(old(given, { keepDays: 30, keepLast: 0 })).toEqual(['c', 'a']);
});

test('the last ones of each kind stay, whatever there is of others', () => {
  const given = [stream('a', 50), stream('b', 40), stream('x', 90, 'chat'), stream('y', 80, 'chat')];
  expect(old(given, { keepDays: 0, keepLast: 1 })).toEqual(['x', 'a']);
});

test('those that ended at once are told apart by their id', () => {
  expect(old([stream('a', 9), stream('b', 9)], { keepDays: 0, keepLast: 1 })).toEqual(['a']);
});

test('what still has something alive stays, however old', () => {
  const given = [stream('a', 50), stream('b', 40)];
  expect(old(given, { keepDays: 1, keepLast: 0, spare: ['a'] })).toEqual(['b']);
});
