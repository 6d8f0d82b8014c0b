import { expect, test } from 'vitest';
import { hashPlan } from '../canonical.ts';
import type { RunEvent } from '../events.ts';
import { defaultOptions } from '../options.ts';
import type { Plan } from '../plan.ts';
import { openQuestion, waitingFor } from '../told/question.ts';
import { fold } from './evolve.ts';
import { project, type RunRow } from './project.ts';

const step = (id: string) => ({ id, title: id, action: { kind: 'run-command', command: 'c' } }) as const;
const plan: Plan = { goal: 'g', shell: 'bash', revision: 0, steps: [step('s1'), step('s2')] };
const place = { host: 'h', boot: 'b', workspace: '/w' };
const verdict = { level: 'dangerous', reasons: [], paths: [], reversible: false, needs: [] };
const subject = { run: 'r', stepId: 's1', revision: 0, action: plan.steps[0]!.action, cwd: '/w', paths: [] };
const parked = [
  { type: 'plan-created', plan, hash: hashPlan(plan), place, options: { ...defaultOptions, onAsk: 'fail' } },
  { type: 'plan-confirmed', revision: 0 },
  { type: 'approval-needed', approvalId: 'a', verdict, subject, fingerprint: 'f' },
  { type: 'run-paused', reason: 'approval-needed' },
];
const skipped = (stepId: string) => ({ type: 'step-skipped', stepId, reason: 'requested' });
const reset = (stepId: string) => ({ type: 'step-reset', stepId });
const steps = [step('s1'), { ...step('s2'), title: 'other' }];
const revised = {
  ...{ type: 'plan-revised', revision: 1, reason: 'r', source: 'person' },
  patch: [{ op: 'replace', stepId: 's2', step: steps[1] }],
  hash: hashPlan({ ...plan, revision: 1, steps }),
};

test.each([
  ['as it stopped', [], 'approval'],
  ['without another step', [skipped('s2')], 'approval'],
  ['with another step again', [skipped('s2'), reset('s2')], 'approval'],
  ['without the step', [skipped('s1')], null],
  ['with the step again', [skipped('s1'), reset('s1')], 'approval'],
  ['with the step again, and without another', [skipped('s1'), reset('s1'), skipped('s2')], 'approval'],
  ['of another plan', [revised, skipped('s1'), reset('s1')], null],
])('what a run that stopped for an approval is listed as waiting for: %s', (_, since, waits) => {
  const stored = [...parked, ...since].map((body, n) => ({
    stream: 'r',
    seq: n + 1,
    event: { v: 1, at: n, ...body } as unknown as RunEvent,
  }));
  const row = stored.reduce<RunRow | null>(project, null);
  const question = openQuestion(fold(stored));
  expect(question && waitingFor[question.kind]).toBe(waits);
  expect(row?.waitingFor).toBe(waits);
});
