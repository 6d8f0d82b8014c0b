import { expect, test } from 'vitest';
import { defaultOptions, evolve, initialRunState, type RunEvent, type RunState } from '../contract/index.ts';
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

test('a summary in the journal takes the place of what it is of, and is bought once', () => {
  const mind = { summarise: async () => null } as never;
  const { aside } = createRunMachine('r', { pid: 1, host: 'h', boot: 'b' }, { performer: {} as never, mind });
  const entry = {
    title: 'x',
    action: { kind: 'run-command' as const, command: 'x' },
    stepId: 's1',
    outcome: 'succeeded' as const,
    exitCode: 0,
    output: '',
    correction: null,
  };
  const entries = Array.from({ length: 10 }, () => entry) as RunState['context']['entries'];
  const due: RunState = {
    ...initialRunState,
    options: { ...defaultOptions, mode: 'agentic' },
    context: { ...initialRunState.context, entries },
  };
  expect(aside?.(due)).toMatchObject({ kind: 'summarise' });
  const bought: RunEvent = { type: 'context-summarised', rolled: 0, text: 'All went well.', v: 1, at: 1 };
  const paid = evolve(due, { seq: 1, event: bought });
  expect(paid.context).toMatchObject({ summary: expect.stringContaining('All went well.'), rolled: 5 });
  expect(aside?.(paid)).toBeNull();
  // The same answer of a driver that was overtaken is no second summary.
  expect(evolve(paid, { seq: 2, event: bought }).context).toEqual(paid.context);
});

test('where no summary could be made, a digest takes its place at once, and none is asked for again', () => {
  const mind = { summarise: async () => null } as never;
  const { aside } = createRunMachine('r', { pid: 1, host: 'h', boot: 'b' }, { performer: {} as never, mind });
  const entries = Array.from({ length: 10 }, (_, at) => ({
    title: `t${at}`,
    action: { kind: 'run-command' as const, command: 'x' },
    stepId: `s${at}`,
    outcome: 'succeeded' as const,
    exitCode: 0,
    output: '',
    correction: null,
  })) as RunState['context']['entries'];
  const due: RunState = {
    ...initialRunState,
    options: { ...defaultOptions, mode: 'agentic' },
    context: { ...initialRunState.context, entries },
  };
  const failed: RunEvent = { type: 'context-summarised', rolled: 0, text: null, v: 1, at: 1 };
  const after = evolve(due, { seq: 1, event: failed });
  expect(after.context.summary).toContain('"t0" succeeded.');
  expect(after.context).toMatchObject({ rolled: 5, muted: true });
  expect(after.context.entries).toHaveLength(5);
  expect(aside?.({ ...after, context: { ...after.context, entries } })).toBeNull();
});
