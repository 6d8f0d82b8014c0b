import { expect, test } from 'vitest';
import {
  defaultOptions,
  type FactBody,
  fold,
  hashPlan,
  type RunEvent,
  type RunOptions,
  type RunState,
} from '../contract/index.ts';
import { next } from './next.ts';
import { planOf } from './testing/play.ts';

const plan = planOf(['make', 'tell']);
const home = { host: 'home', boot: 'b', workspace: '/cache/one/app' };

/** A run from a git source, which a machine called `home` has taken up. */
const runWith = (options: Partial<RunOptions>, ...bodies: FactBody[]): RunState =>
  fold(
    [
      {
        type: 'plan-created' as const,
        plan,
        hash: hashPlan(plan),
        place: { host: '', boot: '', workspace: '' },
        gitSource: { url: 'https://example.org/app.git', commit: 'c'.repeat(40) },
        options: { ...defaultOptions, ...options },
      },
      ...bodies,
    ].map((body, at) => ({ seq: at + 1, event: { v: 1, at, ...body } as RunEvent })),
  );
const agreed: FactBody = { type: 'plan-confirmed', revision: 0, answers: 2 };
const taken: FactBody = { type: 'place-taken', place: home };
const on = (host: string, takes?: true): FactBody => ({
  type: 'driver-claimed',
  epoch: 1,
  driver: { pid: 1, host, boot: 'b' },
  ...(takes ? { takes } : {}),
});
const attempt = { stepId: 's1', attemptIndex: 0 };
const begun: FactBody = {
  type: 'step-started',
  ...attempt,
  revision: 0,
  fingerprint: 'f',
  cwd: '/cache/one/app',
  deadline: null,
};
const take = { kind: 'perform', work: { kind: 'take' } };
const elsewhere = { kind: 'rest', why: 'elsewhere' };

test('what lives nowhere is taken up by whoever drives it, once its plan is agreed on', () => {
  expect(next(runWith({}, on('office')), 9)).toMatchObject({ kind: 'rest', why: 'waiting' });
  expect(next(runWith({}, agreed, on('office')), 9)).toMatchObject(take);
});

test('its machine has the first try, and keeps what cannot be carried', () => {
  const bound: FactBody = { type: 'work-carried', parcel: null, message: 'it is too much' };
  expect(next(runWith({}, agreed, taken, on('office')), 9)).toMatchObject(elsewhere);
  expect(next(runWith({}, agreed, taken, on('office', true)), 9)).toMatchObject(take);
  expect(next(runWith({}, agreed, taken, bound, on('office', true)), 9)).toMatchObject(elsewhere);
});

test('what it knows of its folder is of the new one, wherever the old one stood in a text', () => {
  const result = {
    ...{ exitCode: 0, signal: null, durationMs: 1, expectation: null, stdoutTail: '', stderrTail: '' },
    ...{ outputBytes: 0, outputTruncated: false, leftover: false },
    session: {
      cwd: '/cache/one/app/src',
      env: { PATH: '/cache/one/app/bin:/usr/bin:/cache/one/apple', OTHER: null },
    },
    captured: { key: 'files', value: ['/cache/one/app/a', '/elsewhere/a'] },
  };
  const done: FactBody = { type: 'step-completed', ...attempt, result, by: 'driver' };
  const moved: FactBody = { type: 'place-taken', place: { ...home, host: 'office', workspace: '/two/app' } };
  const state = runWith({}, agreed, taken, on('home'), begun, done, on('office', true), moved);
  expect(state.session).toEqual({
    cwd: '/two/app/src',
    env: { PATH: '/two/app/bin:/usr/bin:/cache/one/apple', OTHER: null },
  });
  expect(state.values['files']).toEqual(['/two/app/a', '/elsewhere/a']);
  expect(next(state, 9)).toMatchObject({ kind: 'perform', work: { kind: 'judge' } });
});

test('a step that was in flight elsewhere is not begun here unasked, whatever was said before', () => {
  const options = { onInterrupt: 'rerun', onAsk: 'wait' } as const;
  const lost = (host?: string): FactBody => ({
    type: 'step-interrupted',
    ...attempt,
    finding: 'unknown',
    detail: 'd',
    ...(host === undefined ? {} : { host }),
  });
  const upTo = [agreed, taken, on('home'), begun] as const;
  const here = next(runWith(options, ...upTo, lost()), 9);
  expect(here).toMatchObject({ kind: 'record', facts: [{ type: 'interrupt-resolved', decision: 'rerun' }] });
  expect(next(runWith(options, ...upTo, lost('away')), 9)).toMatchObject({
    kind: 'record',
    facts: [{ type: 'interrupt-asked' }],
  });
});
