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
  expect(summaryOf(told.state)).toMatchObject({
    steps: '3 done, 1 skipped',
    tookMs: 60_000,
    cost: '',
    mended: 1,
    corrections: 1,
    failed: [],
  });
  expect(summaryOf(told.state).slowest.map(({ title }) => title)).toEqual(['a', 'make it', 'b']);
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
  expect(summaryOf(told.state)).toMatchObject({ steps: '2 done', slowest: [] });
});
