import { expect, test } from 'vitest';
import {
  defaultOptions,
  type FactBody,
  fold,
  hashPlan,
  type RequestBody,
  type RunEvent,
  type RunOptions,
  type Step,
} from '../contract/index.ts';
import { attend } from './attend.ts';
import { planOf } from './testing/play.ts';
import type { RunWork } from './work.ts';

/** A run that was agreed on at 1000 and whose first step was started then; whatever else the events say. */
function running(options: Partial<RunOptions>, ...more: (FactBody | RequestBody)[]) {
  const plan = planOf(['one', 'two']);
  const bodies = [
    {
      type: 'plan-created',
      plan,
      hash: hashPlan(plan),
      place: { host: 'h', boot: 'b', workspace: '/w' },
      options: given(options),
    },
    { type: 'driver-claimed', epoch: 1, driver: { pid: 1, host: 'h', boot: 'b' } },
    { type: 'plan-confirmed', revision: 0 },
    { type: 'step-started', stepId: 's1', attemptIndex: 0, revision: 0, fingerprint: 'f', deadline: null },
    ...more,
  ];
  return fold(
    bodies.map((body, n) => ({
      seq: n + 1,
      event: {
        v: 1,
        at: 1000,
        key: `k${n}`,
        by: { person: 'ana', door: 'library' },
        cwd: '/w',
        title: 't',
        ...body,
      } as RunEvent,
    })),
  );
}

const attended = (state: ReturnType<typeof running>, now: number) =>
  attend(state, { kind: 'attempt', step: state.plan!.steps[0]! } as RunWork, now);
const given = (options: Partial<RunOptions>): RunOptions => ({ ...defaultOptions, ...options });
const within = (wallMs: number) => ({ limits: { ...defaultOptions.limits, wallMs } });

test('the wall time of a run is looked at while a step is in flight, not only between steps', () => {
  const state = running(within(5000));
  expect(attended(state, 5999)).toEqual({ kind: 'await', until: 6000 });
  expect(attended(state, 6000)).toEqual({ kind: 'abort', why: 'limit' });
});

test('the earlier of deadline and wall time is waited for', () => {
  const started = { type: 'step-started', stepId: 's1', attemptIndex: 0, revision: 0, fingerprint: 'f' };
  const state = running(within(5000), { ...started, deadline: 3000 } as FactBody);
  expect(attended(state, 2000)).toEqual({ kind: 'await', until: 3000 });
  expect(attended(state, 3000)).toEqual({ kind: 'abort', why: 'timeout' });
});

const step = (id: string): Step => ({ id, title: 'new', action: { kind: 'run-command', command: 'other' } });
const editing = (...patch: object[]) =>
  ({ type: 'edit-requested', baseRevision: 0, patch, reason: 'better' }) as unknown as RequestBody;

test.each([
  ['replaced', { op: 'replace', stepId: 's1', step: step('s1') }],
  ['removed', { op: 'remove', stepId: 's1' }],
  ['put behind another', { op: 'insert', before: 's1', steps: [step('s0')] }],
])('a step in flight that is to be %s: refused at once, and not at the boundary', (_how, change) => {
  const state = running({}, editing(change));
  expect(attended(state, 1001)).toEqual({
    kind: 'record',
    facts: [expect.objectContaining({ type: 'request-refused', answers: 5, code: 'step-in-flight' })],
  });
});

test('an edit of another step waits for the boundary', () => {
  const state = running({}, editing({ op: 'replace', stepId: 's2', step: step('s2') }));
  expect(attended(state, 1001)).toEqual({ kind: 'await', until: null });
});
