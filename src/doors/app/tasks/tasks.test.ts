import { expect, test } from 'vitest';
import { someone } from '../../../../test/support/someone.ts';
import type { TaskRow, TaskText } from '../../../core/contract/tasks/index.ts';
import { createTasks } from './tasks.ts';

type Given = Parameters<typeof createTasks>[0];

/** Tasks over streams of which only this is there. */
const tasksWith = (streams: Record<string, unknown>) =>
  createTasks({ streams: streams as never, begunHere: new Set(), money: 1 } as unknown as Given);
const by = { by: someone };

test('what is asked of a task that another process has is waited for, until that one has answered', async () => {
  const asked: string[] = [];
  const tasks = tasksWith({
    request: async () => 7,
    async drive() {
      asked.push('drive');
      return { why: asked.length < 5 ? 'claimed' : 'waiting', seq: asked.length };
    },
    changed: async (_: string, seq: number) => void asked.push(`changed after ${seq}`),
    // Nothing is to be read before that one is through.
    read: async () =>
      asked.length < 5 ? [] : [{ event: { type: 'request-refused', answers: 7, message: 'not as it is' } }],
  });
  await expect(tasks.ask('t1', { type: 'stop-requested' }, by)).rejects.toThrow('not as it is');
  expect(asked).toEqual(['drive', 'changed after 1', 'drive', 'changed after 3', 'drive']);
});

test('what is too long is refused in words, and nothing is written', async () => {
  const tasks = tasksWith({ request: async () => expect.fail('it was written') });
  const ask = (body: Parameters<typeof tasks.request>[1]) => tasks.request('t1', body, by);
  await expect(ask({ type: 'answer-given', text: 'x'.repeat(20_001) })).rejects.toThrow(
    'text: it may have 20,000 characters at most',
  );
  await expect(ask({ type: 'comment-requested', on: 'plan', text: 'x'.repeat(10_001) })).rejects.toThrow(
    'text: it may have 10,000',
  );
});

test('what a changed task depends on is named as for a new one, and never the task itself', async () => {
  const rows: Record<string, Partial<TaskRow>> = {
    aa1: { dependencies: [] },
    bb2: { dependencies: ['cc3'] },
    cc3: { dependencies: [] },
  };
  const requests: unknown[] = [];
  const tasks = tasksWith({
    withPrefix: async (start: string) =>
      Object.entries(rows).flatMap(([id, row]) => (id.startsWith(start) ? [{ id, ...row }] : [])),
    row: async (id: string) => rows[id] ?? null,
    request: async (_: string, body: unknown) => requests.push(body),
  });
  const edit = (id: string, change: Partial<TaskText>) =>
    tasks.request(
      id,
      {
        type: 'edit-requested',
        text: { title: 'T', description: '', kind: 'bug', priority: 'low', dependencies: [], ...change },
      },
      by,
    );
  await edit('aa1', { dependencies: ['bb'], related: 'c' });
  expect(requests).toMatchObject([{ text: { dependencies: ['bb2'], related: 'cc3' } }]);
  await expect(edit('aa1', { dependencies: ['zz'] })).rejects.toThrow('there is no task "zz"');
  await expect(edit('cc3', { dependencies: ['bb'] })).rejects.toThrow('cannot depend on itself');
  expect(requests).toHaveLength(1);
});
