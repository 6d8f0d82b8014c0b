import { expect, test } from 'vitest';
import { defaultOptions, initialRunState, type RunState } from '../contract/index.ts';
import { createRunMachine } from './machine.ts';
import { advising, correction, modifyTo, play } from './testing/play.ts';

const commands = (n: number) => Array.from({ length: n }, (_, at) => `step ${at + 1}`);

test('each attempt is an entry, with what was decided after it; failures in a row are counted', async () => {
  const { state } = await play({
    commands: ['fail', 'after'],
    attempt: (command, at) => (command === 'after' || at === 2 ? 0 : 1),
    consult: advising(correction({ action: 'retry', reasoning: 'flaky' }), modifyTo('fail -v')),
  });
  expect(state.context.entries.map(({ outcome, correction: then }) => [outcome, then])).toEqual([
    ['failed', 'flaky'],
    ['failed', 'because'],
    ['succeeded', null],
    ['succeeded', null],
  ]);
  expect(state.context.consecutiveFailures).toBe(0);
  const failing = await play({
    commands: ['fail'],
    attempt: () => 1,
    consult: advising(modifyTo('fail -v'), null),
  });
  expect(failing.state.context.consecutiveFailures).toBe(2);
});

test('without a model the oldest become a digest, bounded however long the run is', async () => {
  const { state } = await play({ commands: commands(60), options: { mode: 'planner' } });
  expect(state.context.entries.length).toBeLessThan(20);
  expect(state.context.rolled + state.context.entries.length).toBe(60);
  expect(state.context.summary).toContain('"step 1" succeeded.');
  expect(state.context.summary.length).toBeLessThan(4100);
});

test('no summary is bought for a run that has ended', () => {
  const mind = { summarise: async () => null } as never;
  const { aside } = createRunMachine('r', { pid: 1, host: 'h', boot: 'b' }, { performer: {} as never, mind });
  const entries = Array.from({ length: 40 }, () => ({})) as unknown as RunState['context']['entries'];
  const open: RunState = {
    ...initialRunState,
    options: { ...defaultOptions, mode: 'agentic' },
    context: { ...initialRunState.context, entries },
  };
  expect(aside?.(open)).toMatchObject({ kind: 'summarise' });
  expect(aside?.({ ...open, ended: true })).toBeNull();
});
