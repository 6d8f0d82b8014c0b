import { expect, test } from 'vitest';
import {
  defaultOptions,
  fold,
  hashPlan,
  type Plan,
  type RunEvent,
  type RunOptions,
} from '../contract/index.ts';
import { next } from './next.ts';

const plan: Plan = {
  goal: 'g',
  shell: 'bash',
  revision: 0,
  steps: [{ id: 's1', title: 't', action: { kind: 'run-command', command: 'c' } }],
};
const driver = { pid: 1, host: 'h', boot: 'b' };

const folded = (options: Partial<RunOptions>, ...bodies: object[]) => {
  const created = {
    ...{ type: 'plan-created', plan, hash: hashPlan(plan), options: { ...defaultOptions, ...options } },
    place: { host: 'h', boot: 'b', workspace: '/w' },
  };
  const all = [created, { type: 'plan-confirmed', revision: 0 }, ...bodies];
  return fold(all.map((body, n) => ({ seq: n + 1, event: { v: 1, at: n, ...body } as unknown as RunEvent })));
};

test('a run that was paused for a while rests until then, and goes on then', () => {
  const state = folded({}, { type: 'run-paused', reason: 'paused', until: 100 });
  expect(next(state, 99)).toEqual({ kind: 'rest', why: 'paused', wakeAt: 100 });
  expect(next(state, 100)).toMatchObject({ kind: 'record', facts: [{ type: 'run-resumed' }] });
});

const interrupted = [
  { type: 'driver-claimed', epoch: 1, driver },
  { type: 'step-started', stepId: 's1', attemptIndex: 0, deadline: null },
  { type: 'driver-claimed', epoch: 2, driver },
  { type: 'step-interrupted', stepId: 's1', attemptIndex: 0, finding: 'unknown', detail: 'nobody knows' },
  { type: 'interrupt-asked', stepId: 's1', attemptIndex: 0, detail: 'nobody knows' },
];

test('what became of a step was asked, and nobody is there to say any more: the run stops, and hangs for nobody', () => {
  expect(next(folded({ onAsk: 'wait' }, ...interrupted), 10)).toMatchObject({ kind: 'rest', why: 'waiting' });
  for (const onAsk of ['fail', 'deny'] as const)
    expect(next(folded({ onAsk }, ...interrupted), 10)).toMatchObject({
      kind: 'record',
      facts: [{ type: 'run-paused', reason: 'interrupted-unknown' }],
    });
});
