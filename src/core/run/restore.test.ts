import { expect, test } from 'vitest';
import { type Action, defaultOptions, fold, hashPlan, type Plan, type RunEvent } from '../contract/index.ts';
import { parseAction, printAction } from '../plan/index.ts';
import { validatePlan } from '../plan/validate/index.ts';
import { next } from './next.ts';

const restore: Action = {
  kind: 'restore',
  run: 'abc',
  ranges: [{ before: 'b', after: 'a' }],
  overwrite: 'all',
};
const planWith = (action: Action): Plan => ({
  goal: 'g',
  shell: 'bash',
  revision: 0,
  steps: [{ id: 's1', title: 'One', action }],
});

test('no line reads as a restore', () => {
  expect(parseAction(printAction(restore))).toMatchObject({ ok: false });
});

test('no plan from outside may hold one', async () => {
  const problems = await validatePlan(planWith(restore));
  expect(problems).toMatchObject([{ code: 'action-not-allowed', severity: 'error' }]);
});

test('no edit may put one in', () => {
  const plan = planWith({ kind: 'run-command', command: 'true' });
  const events: RunEvent[] = [
    {
      v: 1,
      type: 'plan-created',
      at: 1,
      plan,
      hash: hashPlan(plan),
      place: { host: 'h', boot: 'b', workspace: '/w' },
      options: defaultOptions,
    },
    {
      v: 1,
      type: 'edit-requested',
      at: 2,
      key: 'k',
      by: { person: 'ana', door: 'library' },
      baseRevision: 0,
      reason: 'sly',
      patch: [{ op: 'replace', stepId: 's1', step: { ...plan.steps[0]!, action: restore } }],
    },
  ];
  const state = fold(events.map((event, index) => ({ seq: index + 1, event })));
  expect(next(state, 3)).toMatchObject({
    kind: 'record',
    facts: [{ type: 'request-refused', code: 'action-not-allowed' }],
  });
});
