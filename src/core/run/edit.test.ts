import { describe, expect, test } from 'vitest';
import {
  defaultOptions,
  fold,
  hashPlan,
  type Plan,
  type PlanPatch,
  type RunEvent,
  type Step,
} from '../contract/index.ts';
import { next } from './next.ts';

const step = (id: string, command: string, more: Partial<Step> = {}): Step => ({
  id,
  title: id,
  action: { kind: 'run-command', command },
  ...more,
});
const planOf = (...steps: Step[]): Plan => ({ goal: 'g', shell: 'bash', revision: 0, steps });

/** What is answered to an edit of this plan. */
const answerTo = (plan: Plan, ...patch: PlanPatch) => answerAfter(plan, [], ...patch);

function answerAfter(plan: Plan, before: readonly object[], ...patch: PlanPatch) {
  const events = [
    {
      v: 1,
      type: 'plan-created',
      at: 1,
      plan,
      hash: hashPlan(plan),
      place: { host: 'h', boot: 'b', workspace: '/w' },
      options: defaultOptions,
    },
    ...before.map((body) => ({ v: 1, at: 1, ...body })),
    {
      v: 1,
      type: 'edit-requested',
      at: 2,
      key: 'k',
      by: { person: 'ana', door: 'library' },
      baseRevision: 0,
      reason: 'r',
      patch,
    },
  ] as RunEvent[];
  const effect = next(fold(events.map((event, index) => ({ seq: index + 1, event }))), 3);
  return effect.kind === 'record' ? effect.facts : [];
}

const two = planOf(step('s1', 'true'), step('s2', 'true'));
const secret = 'curl -H "Authorization: Bearer ghp_16C7e42F292c6912E7710c838347Ae178B4a" https://x.test';

describe('an edit of a live plan is checked like any plan', () => {
  test.each<[string, Step]>([
    ['secret-literal', step('s1', secret)],
    ['after-later', step('s1', 'true', { after: ['s2'] })],
    ['placeholder-content', step('s1', 'deploy --key <YOUR_API_KEY>')],
    ['unknown-key', step('s1', 'echo {nobody_made_this}')],
    ['tool-unknown', { ...step('s1', 'true'), action: { kind: 'call-tool', tool: 'browse', args: {} } }],
  ])('%s', (code, changed) => {
    const facts = answerTo(two, { op: 'replace', stepId: 's1', step: changed });
    expect(facts).toMatchObject([{ type: 'request-refused', answers: 2, code }]);
    expect(JSON.stringify(facts)).not.toContain('ghp_');
  });

  test('a loop that goes on is not begun anew between its items', () => {
    const loop: Step = {
      ...step('s1', ''),
      action: { kind: 'repeat', times: 3, do: { kind: 'run-command', command: 'true' } },
    };
    const done = { type: 'item-completed', stepId: 's1', attemptIndex: 0, item: 0, result: {}, by: 'driver' };
    const going = [
      { type: 'plan-confirmed', revision: 0 },
      { type: 'loop-frozen', stepId: 's1', count: 3 },
    ];
    const edit = { op: 'replace', stepId: 's1', step: step('s1', 'false') } as const;
    const plan = planOf(loop, step('s2', 'true'));
    expect(answerAfter(plan, [...going, done], edit)).toMatchObject([{ code: 'step-in-flight' }]);
    expect(answerAfter(plan, going, edit)).toMatchObject([{ type: 'plan-revised' }]);
    const paused = { type: 'run-paused', reason: 'paused' };
    expect(answerAfter(plan, [...going, done, paused], edit)).toMatchObject([{ type: 'plan-revised' }]);
  });

  test('what was wrong before does not stand against it, and what it adds does', () => {
    const old = planOf(step('s1', 'echo {captured}'), step('s2', 'true'));
    const edit = (id: string, command: string) =>
      answerTo(old, { op: 'replace', stepId: id, step: step(id, command) });
    expect(edit('s2', 'false')).toMatchObject([{ type: 'plan-revised', answers: 2 }]);
    expect(edit('s2', 'echo {other}')).toMatchObject([{ type: 'request-refused', code: 'unknown-key' }]);
  });
});
