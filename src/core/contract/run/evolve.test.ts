import { expect, test } from 'vitest';
import { hashPlan } from '../canonical.ts';
import type { RunEvent } from '../events.ts';
import { defaultOptions } from '../options.ts';
import type { Plan } from '../plan.ts';
import { fold } from './evolve.ts';

const step = (id: string, command: string) =>
  ({ id, title: id, action: { kind: 'run-command', command } }) as const;
const plan: Plan = { goal: 'g', shell: 'bash', revision: 0, steps: [step('s1', 'one')] };
const created = {
  type: 'plan-created',
  plan,
  hash: hashPlan(plan),
  place: { host: 'h', boot: 'b', workspace: '/w' },
  options: defaultOptions,
};
const driver = { pid: 1, host: 'h', boot: 'b' };

const folded = (...bodies: object[]) =>
  fold(bodies.map((body, n) => ({ seq: n + 1, event: { v: 1, at: n, ...body } as unknown as RunEvent })));

const verdict = { level: 'dangerous', reasons: [], paths: [], reversible: false, needs: [] };
const subject = { run: 'r', stepId: 's1', revision: 0, action: plan.steps[0]!.action, cwd: '/w', paths: [] };
const judged = { type: 'step-judged', verdict, subject, fingerprint: 'f' };

test('a revision whose plan is not the one that was hashed is not believed', () => {
  const patch = [{ op: 'replace', stepId: 's1', step: step('s1', 'two') }];
  const steps = [step('s1', 'two')];
  const revised = { type: 'plan-revised', revision: 1, patch, reason: 'r', source: 'person' };
  const hash = hashPlan({ ...plan, revision: 1, steps });
  const believed = folded(created, { ...revised, hash });
  expect([believed.unreadable, believed.plan?.steps]).toEqual([[], steps]);
  const other = folded(created, { ...revised, hash: hashPlan(plan) });
  expect(other.unreadable).toEqual(['plan-revised: the hash does not match']);
  expect(other.plan).toEqual(plan);
});

test('what an earlier driver judged no longer holds after a claim', () => {
  expect(folded(created, judged).judgements['s1']).toMatchObject({ fingerprint: 'f' });
  const claimed = { type: 'driver-claimed', epoch: 2, driver };
  expect(folded(created, judged, claimed).judgements).toEqual({});
});

test.each([
  ['granted', { type: 'approval-granted' }],
  ['denied', { type: 'approval-denied', reason: 'no' }],
])('what was judged before an approval was %s no longer holds after it', (status, decided) => {
  const asked = { type: 'approval-needed', approvalId: 'a', verdict, subject, fingerprint: 'f' };
  const state = folded(created, judged, asked, { ...decided, approvalId: 'a' });
  expect(state.approvals).toMatchObject([{ id: 'a', status }]);
  expect(state.judgements).toEqual({});
});

test('what was begun is remembered as it was, whatever becomes of its step', () => {
  const started = { type: 'step-started', stepId: 's1', attemptIndex: 0, deadline: null };
  const failed = { type: 'step-failed', stepId: 's1', attemptIndex: 0, result: { why: 'exit-code' } };
  const steps = [step('s1', 'two')];
  const revised = {
    type: 'plan-revised',
    revision: 1,
    patch: [{ op: 'replace', stepId: 's1', step: steps[0] }],
    reason: 'r',
    source: 'person',
    hash: hashPlan({ ...plan, revision: 1, steps }),
  };
  const begun = { stepId: 's1', revision: 0, action: plan.steps[0]!.action, cwd: '/w' };
  expect(folded(created, judged).performed.flat()).toEqual([]);
  expect(folded(created, judged, started).performed.flat()).toEqual([begun]);
  const again = [judged, { ...started, attemptIndex: 1 }];
  expect(folded(created, judged, started, failed, ...again).performed.flat()).toEqual([begun]);
  const next = { ...subject, revision: 1, action: steps[0]!.action };
  const after = [
    { ...judged, subject: next },
    { ...started, attemptIndex: 1 },
  ];
  expect(folded(created, judged, started, failed, revised, ...after).performed.flat()).toEqual([
    begun,
    { ...begun, revision: 1, action: steps[0]!.action },
  ]);
});

test('time in which nobody drove it is not its own, also where somebody asked something meanwhile', () => {
  const state = folded(
    created,
    { type: 'driver-claimed', epoch: 1, driver, at: 100 },
    { type: 'plan-confirmed', revision: 0, at: 100 },
    { type: 'step-started', stepId: 's1', attemptIndex: 0, deadline: null, at: 110 },
    { type: 'resume-requested', key: 'k', by: { name: 'ana', door: 'terminal' }, at: 9000 },
    { type: 'driver-claimed', epoch: 2, driver, at: 9001 },
  );
  expect(state).toMatchObject({ activeMs: 10, activeSince: 9001 });
});
