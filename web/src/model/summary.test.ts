import { expect, test } from 'vitest';
import { summaryOf } from './summary.ts';
import { ok, Told } from './testing.ts';

test('what a run came to: steps, mending, time, the slowest first', () => {
  const told = new Told([{ title: 'a' }, { title: 'b' }, { title: 'c' }], { mode: 'agentic' });
  told.done('s1').failed('s2').mend('s2', 0, ['make it']).done('c1.0').done('s2', 1);
  told.tell({ type: 'correction-success', correctionId: 'c1', stepId: 's2' });
  told.tell({ type: 'step-skipped', stepId: 's3', reason: 'requested' });
  told.now += 60_000;
  told.tell({ type: 'run-finished', outcome: 'done', reason: 'completed-with-skips' });
  expect(summaryOf(told.state, told.chronicle)).toMatchObject({
    steps: '3 done, 1 skipped',
    tookMs: 60_000,
    cost: '',
    mended: 1,
    corrections: 1,
    failed: [],
  });
  expect(summaryOf(told.state, told.chronicle).slowest.map(({ title }) => title)).toEqual([
    'a',
    'make it',
    'b',
  ]);
});

test('times that nobody feels are not listed', () => {
  const told = new Told([{ title: 'a' }, { title: 'b' }]);
  for (const stepId of ['s1', 's2'])
    told.start(stepId).tell({
      type: 'step-completed',
      stepId,
      attemptIndex: 0,
      by: 'driver',
      result: { ...ok, durationMs: 4 },
    });
  told.tell({ type: 'run-finished', outcome: 'done', reason: 'completed' });
  expect(summaryOf(told.state, told.chronicle)).toMatchObject({ steps: '2 done', slowest: [] });
});

test('a loop took what its items took', () => {
  const told = new Told([
    { title: 'a' },
    { title: 'each', action: { kind: 'repeat', times: 3, do: { kind: 'run-command', command: 'true' } } },
  ]);
  told.done('s1').tell({ type: 'loop-frozen', stepId: 's2', count: 3 });
  for (const item of [0, 1, 2]) {
    const begun = { revision: 0, fingerprint: 'f', cwd: '/work/site', deadline: null };
    told.tell({ type: 'step-started', stepId: 's2', attemptIndex: item, item, ...begun });
    const result = { ...ok, durationMs: 1500 };
    told.tell({ type: 'item-completed', stepId: 's2', attemptIndex: item, item, result, by: 'driver' });
  }
  const result = { ...ok, durationMs: 0 };
  told.tell({ type: 'step-completed', stepId: 's2', attemptIndex: 2, by: 'driver', result });
  expect(summaryOf(told.state, told.chronicle).slowest[0]).toMatchObject({ title: 'each', ms: 4500 });
});
