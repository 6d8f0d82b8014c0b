import { expect, test } from 'vitest';
import { type Action, initialRunState, type RunState } from '../../core/contract/index.ts';
import { commandsAhead } from './drive-runs.ts';

const command: Action = { kind: 'run-command', command: 'true' };

/** A run whose steps do this; those that are named have been done. */
function running(actions: Action[], done: number[] = []): RunState {
  const ids = actions.map((_, at) => `s${at}`);
  return {
    ...initialRunState,
    status: 'running',
    plan: { steps: actions.map((action, at) => ({ id: ids[at], title: '', action })) },
    steps: ids.map((id, at) => ({ id, status: done.includes(at) ? 'done' : 'pending' })),
  } as unknown as RunState;
}

test('commands that are still to be run are counted, and what starts no shell is not', () => {
  const listing: Action = { kind: 'list-files', pattern: '*', as: 'all' };
  expect(commandsAhead(running([command, listing, command, command]))).toBe(3);
  expect(commandsAhead(running([command, listing, command, command], [0, 2]))).toBe(1);
});

test('a loop over a command is many', () => {
  expect(commandsAhead(running([{ kind: 'repeat', times: 2, do: command }]))).toBeGreaterThan(2);
});

test('a run that rests, and that nobody has asked anything of, starts none', () => {
  const waiting: RunState = { ...running([command, command, command]), status: 'waiting' };
  expect(commandsAhead(waiting)).toBe(0);
  expect(commandsAhead({ ...waiting, inbox: [{}] as unknown as RunState['inbox'] })).toBe(3);
  expect(commandsAhead(initialRunState)).toBe(0);
});
