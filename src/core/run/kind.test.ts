import { expect, test } from 'vitest';
import type { EventOf, RequestBody, RunEvent, RunRow, Step } from '../contract/index.ts';
import { initialRunState, RequestEvent, scopeOf } from '../contract/index.ts';
import { projectRow } from '../stream/index.ts';
import { runKind } from './kind.ts';

const step = (title: string, command: string): Step => ({
  id: title,
  title,
  action: { kind: 'run-command', command },
});
const created = (steps: Step[] = []): EventOf<'plan-created'> =>
  ({
    v: 1,
    at: 1,
    type: 'plan-created',
    plan: { revision: 1, goal: 'Publish the site', mode: 'planner', shell: 'bash', steps },
    hash: 'h',
    place: { host: 'h', boot: 'b', workspace: '/work' },
    options: { mode: 'planner' },
  }) as unknown as EventOf<'plan-created'>;

test('a run is found by its goal, and by titles and words of its steps, those that came later too', () => {
  expect(runKind.textOf(created([step('Build it', 'hugo --minify')]))).toBe(
    'Publish the site\nBuild it hugo --minify',
  );
  const patch = [{ op: 'insert' as const, before: null, steps: [step('Repair', 'mkdir -p deep')] }];
  const revised: RunEvent = {
    v: 1,
    type: 'plan-revised',
    at: 2,
    revision: 1,
    patch,
    hash: 'h',
    reason: 'r',
    source: 's',
  };
  expect(runKind.textOf(revised)).toBe('Repair mkdir -p deep');
  expect(runKind.textOf({ v: 1, type: 'step-offered', at: 1, stepId: 's' })).toBe('');
});

const rowAfter = (...events: RunEvent[]) =>
  events.reduce<RunRow | null>(
    (row, event, at) => projectRow(runKind, row, { stream: 'run', seq: at + 1, event }),
    null,
  );
const decided: RunEvent = {
  v: 1,
  type: 'plan-decided',
  at: 2,
  key: 'k',
  by: { person: 'ana', door: 'library' },
  revision: 1,
  decision: 'all',
};
const confirmed: RunEvent = { v: 1, type: 'plan-confirmed', at: 3, revision: 1, answers: 2 };
const finished: RunEvent = { v: 1, type: 'run-finished', at: 4, outcome: 'failed', reason: 'step-failed' };

test('a run has an unanswered request, then goes on by itself, then ends; taken up again it has not ended', () => {
  expect(rowAfter(created(), decided)).toMatchObject({ goesOn: false, unanswered: [{ seq: 2, at: 2 }] });
  const going = { goesOn: true, unanswered: [], endedAt: null };
  expect(rowAfter(created(), decided, confirmed)).toMatchObject(going);
  const ended = rowAfter(created(), decided, confirmed, finished);
  expect(ended).toMatchObject({ goesOn: false, endedAt: 4 });
  const again: RunEvent = { v: 1, type: 'run-resumed', at: 5, options: {} as never };
  expect(rowAfter(created(), decided, confirmed, finished, again)).toMatchObject(going);
});

test('what takes more than was agreed on is a decision, and what takes less is not', () => {
  const scope = (body: RequestBody) => scopeOf(body);
  expect(scope({ type: 'cancel-requested' })).toBe('ask');
  expect(scope({ type: 'retry-requested', stepId: 's' })).toBe('ask');
  expect(scope({ type: 'retry-requested', stepId: 's', grants: {} as never })).toBe('decide');
  expect(scope({ type: 'resume-requested' })).toBe('ask');
  expect(scope({ type: 'resume-requested', limits: {} })).toBe('decide');
  expect(scope({ type: 'resume-requested', onAsk: 'fail' })).toBe('decide');
  for (const { shape } of RequestEvent.options)
    expect(scope({ type: shape.type.value } as RequestBody)).not.toBe('read');
});

test('the inputs that a plan calls secret are secrets of the run', () => {
  const inputs = [{ name: 'token', secret: true }, { name: 'plain' }, { name: 'empty', secret: true }];
  const state = {
    ...initialRunState,
    plan: { inputs } as never,
    values: { token: 'hidden', plain: 'shown', empty: '' },
  };
  expect(runKind.hides?.secretsIn(state)).toEqual(['hidden']);
});
