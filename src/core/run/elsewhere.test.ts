import { expect, test } from 'vitest';
import {
  defaultOptions,
  type FactBody,
  fold,
  hashPlan,
  type RequestBody,
  type RunEvent,
  type RunState,
} from '../contract/index.ts';
import { next } from './next.ts';
import { planOf } from './testing/play.ts';

const plan = planOf(['make']);
const group = { pgid: 7, startTime: '1', host: 'home', boot: 'b' };

/** A run that lives on the host `home`, driven from wherever the last claim says. */
const runWith = (...bodies: (FactBody | RequestBody)[]): RunState =>
  fold(
    [
      {
        type: 'plan-created' as const,
        plan,
        hash: hashPlan(plan),
        place: { host: 'home~1', boot: 'b', workspace: '/w' },
        options: { ...defaultOptions },
      },
      ...bodies,
    ].map((body, at) => ({
      seq: at + 1,
      event: { v: 1, at, key: `k${at}`, by: { person: 'ana', door: 'library' }, ...body } as RunEvent,
    })),
  );
const drivenOn = (host: string): FactBody => ({
  type: 'driver-claimed',
  epoch: 1,
  driver: { pid: 1, host, boot: 'b' },
});
const agreed: FactBody = { type: 'plan-confirmed', revision: 0, answers: 2 };
const started: FactBody = {
  type: 'step-started',
  stepId: 's1',
  attemptIndex: 0,
  revision: 0,
  fingerprint: 'f',
  cwd: '/w',
  deadline: null,
};

test.each([
  ['home~1', 'perform'],
  // Somebody gave the machine another name.
  ['laptop~1', 'perform'],
  ['home~2', 'rest'],
  ['home', 'rest'],
])('a run of home~1 driven on %s: %s', (host, kind) => {
  expect(next(runWith(agreed, drivenOn(host)), 9).kind).toBe(kind);
});

test('a driver on another host does no step of the run, and says why', () => {
  expect(next(runWith(agreed, drivenOn('office')), 9)).toEqual({
    kind: 'rest',
    why: 'elsewhere',
    wakeAt: null,
  });
});

test('it does not call lost what is under way there, and does not end it', () => {
  const spawned: FactBody = {
    type: 'process-spawned',
    stepId: 's1',
    attemptIndex: 0,
    group,
    heldBefore: null,
  };
  const state = runWith(agreed, drivenOn('home~1'), started, spawned, drivenOn('office'), {
    type: 'cancel-requested',
  });
  expect(state.inFlight).toMatchObject({ host: 'home~1' });
  expect(next(state, 9)).toMatchObject({ kind: 'rest', why: 'elsewhere' });
});

test('what people decide can be written down anywhere', () => {
  const paused = next(runWith(agreed, drivenOn('office'), { type: 'pause-requested' }), 9);
  expect(paused).toMatchObject({ kind: 'record', facts: [{ type: 'run-paused', answers: 4 }] });
});
