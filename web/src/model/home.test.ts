import type { RunRow, WaitingItem } from '@contract';
import { expect, test } from 'vitest';
import { longestFirst, shows, sorted, withoutWaiting } from './home.ts';

const row = (id: string, more: Partial<RunRow> = {}) =>
  ({ id, goal: id, state: 'done', createdAt: 0, updatedAt: 0, endedAt: null, ...more }) as RunRow;

test('what waits is shown once, the longest wait first', () => {
  const rows = [
    row('a'),
    row('b', { state: 'waiting', updatedAt: 5 }),
    row('c', { state: 'waiting', updatedAt: 2 }),
  ];
  const waiting = rows.slice(1).map((each) => ({ row: each })) as WaitingItem[];
  expect(withoutWaiting(rows, waiting).map(({ id }) => id)).toEqual(['a']);
  expect(longestFirst(waiting).map((item) => item.row.id)).toEqual(['c', 'b']);
});

test('the order that is named is the order that is shown', () => {
  const rows = [
    row('a', { createdAt: 3, updatedAt: 4 }),
    row('b', { createdAt: 1, updatedAt: 9 }),
    row('c', { createdAt: 2, updatedAt: 2 }),
  ];
  expect(sorted(rows, 'created').map(({ id }) => id)).toEqual(['a', 'c', 'b']);
  expect(sorted(rows, 'changed').map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  expect(sorted(rows, 'took').map(({ id }) => id)).toEqual(['b', 'a', 'c']);
});

test('every state is in one choice beside All', () => {
  const states = shows.flatMap(({ states: own }) => own ?? []);
  expect(new Set(states).size).toBe(states.length);
  expect(states).toHaveLength(9);
});
