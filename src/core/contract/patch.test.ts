import { expect, test } from 'vitest';
import { applyPatch, type Plan, type PlanPatch, type Step } from './index.ts';

const step = (id: string, after?: string[]): Step => ({
  id,
  title: id,
  action: { kind: 'run-command', command: id },
  ...(after === undefined ? {} : { after }),
});
const plan: Plan = { goal: 'g', shell: 'bash', steps: [step('a'), step('b', ['a'])], revision: 3 };
const ids = (patch: PlanPatch) => {
  const outcome = applyPatch(plan, patch);
  return 'plan' in outcome ? outcome.plan.steps.map(({ id }) => id) : outcome.misfit;
};

test('inserts, replaces and removes, in order, into the next revision', () => {
  expect(ids([{ op: 'insert', before: 'b', steps: [step('x'), step('y')] }])).toEqual(['a', 'x', 'y', 'b']);
  expect(ids([{ op: 'insert', before: null, steps: [step('z')] }])).toEqual(['a', 'b', 'z']);
  expect(ids([{ op: 'remove', stepId: 'b' }])).toEqual(['a']);
  const outcome = applyPatch(plan, [{ op: 'replace', stepId: 'a', step: { ...step('a'), title: 'new' } }]);
  expect(outcome).toMatchObject({ plan: { revision: 4, steps: [{ title: 'new' }, { id: 'b' }] } });
  expect(plan.steps[0]?.title).toBe('a');
});

test.each<[string, PlanPatch, string]>([
  [
    'nothing left',
    [
      { op: 'remove', stepId: 'b' },
      { op: 'remove', stepId: 'a' },
    ],
    'at least one step',
  ],
  ['an id twice', [{ op: 'insert', before: 'a', steps: [step('b')] }], 'the same id'],
  ['a dependency gone', [{ op: 'remove', stepId: 'a' }], 'which is not there'],
  [
    'a dependency on itself',
    [{ op: 'insert', before: null, steps: [step('c', ['c'])] }],
    'which is not there',
  ],
  ['no such step', [{ op: 'remove', stepId: 'q' }], 'there is no step q'],
  ['another id', [{ op: 'replace', stepId: 'a', step: step('q') }], 'keeps its id'],
])('says why a patch does not fit: %s', (_name, patch, sentence) => {
  expect(ids(patch)).toContain(sentence);
});
