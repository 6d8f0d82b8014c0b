import type { RowChange } from '@contract';
import { afterEach, expect, test, vi } from 'vitest';
import { askStream } from './ask-task.ts';
import { client, queries } from './client.ts';
import { carryRows } from './rows.ts';

afterEach(() => {
  vi.restoreAllMocks();
  // What the page has still to do is not left to nobody's clock.
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
  queries.clear();
});

test('an answer that comes while the page looks for it is not waited for', async () => {
  // No time passes: only what the stream of rows says makes it look again.
  vi.useFakeTimers();
  const rows = carryRows();
  vi.spyOn(client, 'askOfStream').mockResolvedValue({ seq: 1 });
  const looks = vi.spyOn(client, 'getStreamEvents');
  looks.mockImplementationOnce(async () => {
    rows.onRow({ row: { kind: 'task', id: 'one' } } as unknown as RowChange);
    return { last: 1, events: [] };
  });
  looks.mockResolvedValue({
    last: 2,
    events: [{ seq: 2, event: { v: 1, at: 0, type: 'task-moved', answers: 1 } }],
  });
  expect(await askStream('one', { type: 'move-requested' })).toBe(true);
  expect(looks).toHaveBeenCalledTimes(2);
  rows.end();
});
