import { stepState } from '@contract';
import { expect, test } from 'vitest';
import { itemsOf, loopTime } from './items.ts';
import { Told } from './testing.ts';

const result = {
  exitCode: 0,
  signal: null,
  durationMs: 20,
  expectation: null,
  stdoutTail: 'fine',
  stderrTail: '',
  outputBytes: 4,
  outputTruncated: false,
  leftover: false,
};

test('a loop is its items: what was done is done, and the one that failed is named', () => {
  const told = new Told([
    {
      title: 'Check each',
      action: { kind: 'repeat', times: 4, do: { kind: 'run-command', command: 'true' } },
    },
  ]);
  told.tell({ type: 'loop-frozen', stepId: 's1', count: 4 });
  const begin = (item: number, attemptIndex: number) =>
    told.tell({
      type: 'step-started',
      stepId: 's1',
      attemptIndex,
      revision: 0,
      fingerprint: 'f',
      cwd: '/work/site',
      deadline: null,
      item,
    });
  for (const item of [0, 1]) {
    begin(item, item);
    told.tell({ type: 'item-completed', stepId: 's1', attemptIndex: item, item, result, by: 'driver' });
  }
  begin(2, 2);
  told.tell({
    type: 'step-failed',
    stepId: 's1',
    attemptIndex: 2,
    result: { ...result, exitCode: 3, why: 'exit-code' },
  });
  const attempts = told.chronicle.attempts('s1');
  const rows = itemsOf(stepState(told.state, 's1')!, attempts)!;
  expect(rows.map(({ item, state, attempts: n }) => [item, state, n])).toEqual([
    [0, 'done', 1],
    [1, 'done', 1],
    [2, 'failed', 1],
    [3, 'pending', 0],
  ]);
  expect(rows[0]?.attempt?.result?.stdoutTail).toBe('fine');
  expect(loopTime(attempts)).toBe(60);
  expect(itemsOf({ loop: null, status: 'pending' }, attempts)).toBeNull();
  // Before the past has been read.
  const untold = itemsOf(stepState(told.state, 's1')!, [])!;
  expect(untold.map(({ state }) => state)).toEqual(['done', 'done', 'failed', 'pending']);
});
