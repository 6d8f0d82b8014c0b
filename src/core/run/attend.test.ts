import { describe, expect, test } from 'vitest';
import { defaultOptions, initialRunState, type RequestBody, type RunState } from '../contract/index.ts';
import { attend } from './attend.ts';
import type { RunWork } from './work.ts';

const asked = (seq: number, body: RequestBody): RunState['inbox'][number] => ({
  seq,
  request: { v: 1, at: 0, key: `k${seq}`, by: 'test', ...body } as never,
});
const stateWith = (...inbox: RunState['inbox']): RunState => ({
  ...initialRunState,
  options: defaultOptions,
  inbox,
});
const cancel = (seq: number) => asked(seq, { type: 'cancel-requested' });
const step = { id: 's1', title: 'x', action: { kind: 'run-command', command: 'x' } } as const;
const begunAt = (kind: 'checkpoint' | 'release' | 'learn', since: number) =>
  ({ kind, heard: since === 0 ? [] : [since] }) as unknown as RunWork;
const aborted = { kind: 'abort', why: 'cancelled' };
const awaited = { kind: 'await', until: null };

describe('a cancel is heard', () => {
  const under = (kind: string) => ({ kind, step, state: stateWith() }) as unknown as RunWork;
  test.each(['attempt', 'consult', 'plan', 'judge', 'survey'])('during %s, whenever it was asked', (kind) => {
    expect(attend(stateWith(cancel(3)), under(kind), 0)).toEqual(aborted);
  });

  test.each(['checkpoint', 'release', 'learn'] as const)(
    'during %s, when it comes after it was begun',
    (kind) => {
      expect(attend(stateWith(cancel(9)), begunAt(kind, 8), 0)).toEqual(aborted);
    },
  );

  test.each(['checkpoint', 'release', 'learn'] as const)(
    'but does not end the %s that it set going itself',
    (kind) => {
      expect(attend(stateWith(cancel(8)), begunAt(kind, 8), 0)).toEqual(awaited);
      expect(attend(stateWith(cancel(8), cancel(9)), begunAt(kind, 8), 0)).toEqual(aborted);
    },
  );

  test.each(['recover', 'rollback'])('when %s is over: that is brought to its end', (kind) => {
    expect(attend(stateWith(cancel(3)), under(kind), 0)).toEqual(awaited);
  });
});

describe('an attempt in flight', () => {
  const attempt = { kind: 'attempt', step, state: stateWith() } as unknown as RunWork;
  const flying = (state: RunState): RunState => ({
    ...state,
    inFlight: { stepId: 's1', deadline: null } as NonNullable<RunState['inFlight']>,
  });

  test('ends when its step is skipped, and not when another is', () => {
    const skip = (stepId: string) => asked(5, { type: 'skip-requested', stepId });
    expect(attend(flying(stateWith(skip('s1'))), attempt, 0)).toMatchObject({ why: 'skipped' });
    expect(attend(flying(stateWith(skip('s2'))), attempt, 0)).toEqual(awaited);
  });

  test('goes on while a pause, a mode or another edit waits for the boundary', () => {
    const waiting = stateWith(
      asked(4, { type: 'pause-requested' }),
      asked(5, { type: 'mode-requested', mode: 'agentic' }),
    );
    expect(attend(flying(waiting), attempt, 0)).toEqual(awaited);
  });

  test('ends when it is to become a service, and not when another is', () => {
    const serve = (stepId: string) => asked(5, { type: 'serve-requested', stepId, port: 3000 });
    expect(attend(flying(stateWith(serve('s1'))), attempt, 0)).toMatchObject({ why: 'served' });
    expect(attend(flying(stateWith(serve('s2'))), attempt, 0)).toEqual(awaited);
  });

  test('has the grace of a pause whose driver has to go, and is ended after it', () => {
    const waiting = flying(stateWith(asked(4, { type: 'pause-requested', graceMs: 3000 })));
    const { at } = waiting.inbox[0]!.request;
    expect(attend(waiting, attempt, at)).toEqual({ kind: 'await', until: at + 3000 });
    expect(attend(waiting, attempt, at + 3000)).toEqual({ kind: 'abort', why: 'rested' });
    const sooner = flying(stateWith(...waiting.inbox, asked(5, { type: 'pause-requested', graceMs: 0 })));
    expect(attend(sooner, attempt, at)).toEqual({ kind: 'abort', why: 'rested' });
  });
});
