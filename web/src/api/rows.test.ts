import type { RowChange } from '@contract';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { queries } from './client.ts';
import { carryRows, watchRows } from './rows.ts';

afterEach(() => queries.clear());

/** Answers of a server, each given when the test says so. */
function follow(queryKey: string[]) {
  const asked: ((answer: unknown) => void)[] = [];
  const queryFn = () => new Promise((resolve) => asked.push(resolve));
  const observer = new QueryObserver(queries, { queryKey, queryFn });
  const stop = observer.subscribe(() => undefined);
  return { asked, data: () => observer.getCurrentResult().data, stop };
}

const row = (kind: 'task' | 'chat', state: string) => ({ kind, id: 'one', state });
const change = (kind: 'task' | 'chat', state: string) => ({ row: row(kind, state) }) as unknown as RowChange;

test.each([
  ['tasks', 'task', (state: string) => [row('task', state)]],
  ['chats', 'chat', (state: string) => ({ pages: [{ chats: [row('chat', state)] }], pageParams: [] })],
] as const)('%s: an answer that is older than a row does not stay', async (list, kind, answer) => {
  const rows = carryRows();
  const { asked, data, stop } = follow([list]);
  let answered = 0;
  const isAsked = () => vi.waitFor(() => expect(asked.length).toBe(answered + 1), { timeout: 60_000 });
  const give = (state: string) => asked[answered++]!(answer(state));
  // At first, when nothing is known yet; and when it is asked for anew.
  for (const [older, newer] of [
    ['open', 'planning'],
    ['planning', 'ready'],
  ] as const) {
    if (answered > 0) void queries.invalidateQueries({ queryKey: [list] });
    await isAsked();
    rows.onRow(change(kind, newer));
    give(older);
    await isAsked();
    give(newer);
    await vi.waitFor(() => expect(data()).toEqual(answer(newer)), { timeout: 60_000 });
  }
  stop();
  rows.end();
});

test('a first answer that comes long after the row does not stay either', async () => {
  const rows = carryRows();
  const { asked, data, stop } = follow(['tasks']);
  await vi.waitFor(() => expect(asked.length).toBe(1), { timeout: 60_000 });
  rows.onRow(change('task', 'planning'));
  const isToBeAskedAnew = () => expect(queries.getQueryState(['tasks'])?.isInvalidated).toBe(true);
  await vi.waitFor(isToBeAskedAnew, { timeout: 60_000 });
  asked[0]!([row('task', 'open')]);
  await vi.waitFor(() => expect(asked.length).toBe(2), { timeout: 60_000 });
  asked[1]!([row('task', 'planning')]);
  await vi.waitFor(() => expect(data()).toEqual([row('task', 'planning')]), { timeout: 60_000 });
  stop();
  rows.end();
});

test('what happened between a stream of its own and the one that another page reads is asked for', async () => {
  const [ending, leaving] = [new AbortController(), Promise.withResolvers<void>()];
  const other = navigator.locks.request('planwright.rows', () => leaving.promise);
  watchRows(ending.signal);
  const rows = carryRows();
  const { asked, data, stop } = follow(['tasks']);
  await vi.waitFor(() => expect(asked.length).toBe(1), { timeout: 60_000 });
  asked[0]!([row('task', 'open')]);
  await vi.waitFor(() => expect(data()).toEqual([row('task', 'open')]), { timeout: 60_000 });
  rows.end();
  await vi.waitFor(() => expect(asked.length).toBe(2), { timeout: 60_000 });
  stop();
  ending.abort();
  leaving.resolve();
  await other;
});
