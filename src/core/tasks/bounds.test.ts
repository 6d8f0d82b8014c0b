import { expect, test } from 'vitest';
import { cutTo, taskLimits } from '../contract/tasks/index.ts';
import { bounded } from './bounds.ts';

const end = { exitCode: 0, outcome: 'approved', why: null, turns: 1, costUsd: 0, tokens: 0 } as const;

test('what an agent says is cut to what is kept, says so, and is otherwise as it was', () => {
  const long = 'x'.repeat(1_000_000);
  const { payload, message } = bounded({
    ...end,
    message: long,
    payload: {
      plan: long,
      summary: 'short',
      subtasks: Array.from({ length: 1000 }, () => long),
      comments: ['one', long],
      question: long,
    },
  });
  expect(payload.plan).toHaveLength(taskLimits.plan);
  expect(payload.plan).toMatch(/x… \(cut: it had 1,000,000 characters\)$/);
  expect(payload.summary).toBe('short');
  expect(payload.subtasks).toHaveLength(taskLimits.subtasks);
  expect(payload.comments?.map(({ length }) => length)).toEqual([3, taskLimits.reviewComment]);
  expect([payload.question?.length, message?.length]).toEqual([taskLimits.question, taskLimits.message]);
  expect(bounded({ ...end, message: null, payload: {} })).toEqual({ ...end, message: null, payload: {} });
});

test('what an agent adds to its answer that nobody asked for is left out', () => {
  const payload = { summary: 's', extra: 'x' } as { summary: string };
  expect(bounded({ ...end, message: null, payload }).payload).toEqual({ summary: 's' });
});

test('no character is cut in two', () => {
  const cut = cutTo('subtask', '😀'.repeat(400));
  expect(cut.isWellFormed()).toBe(true);
  expect(cut.length).toBeLessThanOrEqual(taskLimits.subtask);
});
