import type { RunRow, WaitingChat, WaitingItem } from '@contract';
import type { WaitingTask } from '@tasks';
import { expect, test } from 'vitest';
import {
  choicesFor,
  countOf,
  foldersOf,
  keyOf,
  lately,
  longestFirst,
  shows,
  sorted,
  type Waits,
  waitingOf,
  waitingRows,
  wayTo,
  withoutWaiting,
  wordsOf,
} from './home.ts';

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

test('what took long is what worked long, however long it waited', () => {
  const rows = [
    row('waited', { createdAt: 0, updatedAt: 1e6, endedAt: 1e6, workedMs: 5, workingSince: null }),
    row('worked', { createdAt: 0, updatedAt: 100, endedAt: 100, workedMs: 90, workingSince: null }),
    row('works', { createdAt: 0, updatedAt: 50, goesOn: true, workedMs: 10, workingSince: 20 }),
  ];
  expect(sorted(rows, 'took').map(({ id }) => id)).toEqual(['worked', 'works', 'waited']);
});

test('of what is chosen, what asks can be denied, what is open cancelled, what has ended removed', () => {
  const rows = [row('asks'), row('open'), row('over', { endedAt: 5 })];
  const waiting = [
    { row: rows[0], approval: { id: 's1.1' } },
    { row: rows[1], approval: null },
    { row: row('other'), approval: { id: 's2.1' } },
  ] as WaitingItem[];
  expect(choicesFor(rows, waiting)).toEqual({
    deny: [{ id: 'asks', approvalId: 's1.1' }],
    cancel: ['asks', 'open'],
    remove: ['over'],
  });
});

test('conversations that wait are found by folder, words and what they ask', () => {
  const chat = (title: string, workspace: string, asks: string) =>
    ({ row: { kind: 'chat', id: title, title, workspace, updatedAt: 3 }, asks }) as WaitingChat;
  const chats = [chat('Set a port', '/a', 'Which port?'), chat('Clean up', '/b', 'run_command rm x')];
  const found = (folder: string | undefined, text: string) =>
    waitingOf(chats, folder, text).map(({ row: { title } }) => title);
  expect(found(undefined, '')).toEqual(['Set a port', 'Clean up']);
  expect(found('/b', '')).toEqual(['Clean up']);
  expect(found(undefined, 'WHICH')).toEqual(['Set a port']);
  const run = { row: row('r', { kind: 'run', updatedAt: 2 }) } as WaitingItem;
  const needy = { kind: 'task', id: 't', title: 'Flag', updatedAt: 1 };
  const task = { row: needy, asks: 'Ready', risk: null } as unknown as WaitingTask;
  const all = longestFirst<Waits>([...chats, run, task]);
  expect(all.map((one) => wayTo(one).to)).toEqual([
    '/tasks/$task',
    '/runs/$id',
    '/chats/$chat',
    '/chats/$chat',
  ]);
  expect(wordsOf(task)).toEqual({ asks: 'Ready', about: 'Flag', risk: null });
  expect(new Set(all.map(keyOf)).size).toBe(4);
  expect(keyOf({ ...task, asks: 'Which?' }), 'asked anew it is told anew').not.toBe(keyOf(task));
});

test('every state is in one choice beside All', () => {
  const states = shows.flatMap(({ states: own }) => own ?? []);
  expect(new Set(states).size).toBe(states.length);
  expect(states).toHaveLength(9);
});

test('folders are offered once each, the chosen one even where nothing of it has been read', () => {
  const rows = ['/b', '/a', '/b', ''].map((workspace) => ({ workspace }) as RunRow);
  expect(foldersOf(rows, '/c')).toEqual(['/a', '/b', '/c']);
  expect(foldersOf([], undefined)).toEqual([]);
});

test('every choice says how many it shows', () => {
  const counts = { done: 3, cancelled: 1, waiting: 2 };
  expect(shows.map(({ show, states }) => countOf(show, states, counts, 3))).toEqual([6, 3, 0, 0, 4]);
  expect(countOf(undefined, null, undefined, 0)).toBeNull();
});

test('what waits is found by folder and words, whatever its state', () => {
  const items = [
    { row: row('Build', { workspace: '/a', state: 'paused' }), stepTitle: 'Delete old' },
    { row: row('Ship', { workspace: '/b', state: 'waiting' }), stepTitle: null },
  ] as WaitingItem[];
  const found = (folder: string | undefined, text: string) =>
    waitingRows(items, folder, text).map(({ id }) => id);
  expect(found(undefined, '')).toEqual(['Build', 'Ship']);
  expect(found('/b', '')).toEqual(['Ship']);
  expect(found(undefined, 'DELETE')).toEqual(['Build']);
});

test('of the plans that ran, the latest of each in its folder is offered, and no undo', () => {
  const rows = [
    row('old', { goal: 'a', workspace: '/w', stepsTotal: 1, updatedAt: 1 }),
    row('new', { goal: 'a', workspace: '/w', stepsTotal: 1, updatedAt: 5 }),
    row('elsewhere', { goal: 'a', workspace: '/x', stepsTotal: 1, updatedAt: 3 }),
    row('undo', { goal: 'Undo: a', workspace: '/w', stepsTotal: 1, undoes: { run: 'old', stepId: 's1' } }),
    row('planning', { goal: 'b', workspace: '/w', stepsTotal: 0 }),
  ];
  expect(lately(rows).map(({ id }) => id)).toEqual(['new', 'elsewhere']);
  expect(lately(rows, 1)).toHaveLength(1);
});

test('a step whose end nobody saw is asked about by its name', () => {
  const more = { stepTitle: 'Count', approval: null, question: 'the step was let run, and nobody saw how' };
  const item = { row: row('a', { kind: 'run' }), waitingFor: 'interrupt', ...more } as WaitingItem;
  expect(wordsOf(item)).toEqual({ asks: 'Was “Count” done?', about: 'a', risk: null });
});
