import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plan as anyPlan } from '../../../../test/plan/arbitraries.ts';
import type { PlanPatch, Step } from '../../contract/index.ts';
import { diffPlans } from '../change/compare.ts';
import { applyPatch } from '../change/patch.ts';
import { editPlanFile } from './edit.ts';
import { parsePlanFile } from './parse.ts';
import { toPlanFile } from './print.ts';

const file = `# yaml-language-server: $schema=x
# Why we do this: because.
goal: Ship it # now

plan:
  # The first one
  - step: Install
    action: RUN_COMMAND npm ci # slow
    expects: dir exists node_modules

  # Compiles
  - step: Build
    run: |
      # inside the script
      npm run build
    after: [1]
  - step: 3
    action: RUN_COMMAND npm test
    after: [Install, 2]
  - step: Publish
    id: publish
    action: "RUN_COMMAND npm publish"
    after: 3
`;

const step = (id: string, command: string): Step => ({
  id,
  title: `New ${id}`,
  action: { kind: 'run-command', command },
});
const steps = (text: string) => {
  const result = parsePlanFile(text, { file: 'f' });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.plan.steps;
};
function edited(patch: PlanPatch, text = file): string {
  const result = editPlanFile(text, patch);
  if (!result.ok) throw new Error(result.reason);
  return result.text;
}

test('an insertion keeps comments and what references mean', () => {
  const text = edited([{ op: 'insert', before: 's2', steps: [step('s2-r1-1', 'mkdir out')] }]);
  expect(text).toBe(
    file
      .replace('  # Compiles\n', '  - step: New s2-r1-1\n    action: RUN_COMMAND mkdir out\n\n  # Compiles\n')
      .replace('expects: dir exists node_modules\n\n', 'expects: dir exists node_modules\n')
      .replace('- step: 3', '- step: 4')
      .replace('after: [Install, 2]', 'after: [1, 3]')
      .replace('after: 3', 'after: [4]'),
  );
  expect(steps(text).map((each) => each.after)).toEqual([undefined, undefined, ['s1'], ['s1', 's3'], ['s4']]);
});

test('a changed command changes one line', () => {
  const old = steps(file);
  const text = edited([
    {
      op: 'replace',
      stepId: 's1',
      step: { ...old[0]!, action: { kind: 'run-command', command: 'npm install' } },
    },
  ]);
  expect(text).toBe(file.replace('npm ci # slow', 'npm install # slow'));
  const script = edited([
    { op: 'replace', stepId: 's2', step: { ...old[1]!, action: { kind: 'run-script', script: 'a\nb' } } },
  ]);
  expect(script).toBe(file.replace('      # inside the script\n      npm run build\n', '      a\n      b\n'));
});

test('a removal takes its references along', () => {
  const old = steps(file);
  const { after, ...free } = old[2]!;
  const text = edited([
    { op: 'replace', stepId: 's3', step: { ...free, after: ['s1'] } },
    { op: 'remove', stepId: 's2' },
  ]);
  expect(text).not.toContain('Compiles');
  expect(text).toContain('# The first one');
  expect(steps(text).map((each) => [each.id, each.after])).toEqual([
    ['s1', undefined],
    ['s2', ['s1']],
    ['publish', ['s2']],
  ]);
});

test('keys come and go, an action becomes a script, an id is kept', () => {
  const old = steps(file);
  const { expects, ...first } = old[0]!;
  const text = edited([
    {
      op: 'replace',
      stepId: 's1',
      step: {
        ...first,
        action: { kind: 'run-script', script: 'a\nb' },
        timeoutMs: 5_000,
        why: 'Because: yes',
      },
    },
    { op: 'insert', before: null, steps: [{ ...step('announce', 'say hi'), after: ['publish'] }] },
  ]);
  expect(text).toContain('run: |\n      a\n      b\n');
  expect(text).toContain('timeout: 5s');
  expect(text).toContain('id: announce');
  expect(steps(text).at(-1)).toMatchObject({ id: 'announce', after: ['publish'] });
});

test('the style of the file is kept', () => {
  const flat = 'goal: x\nplan:\n- step: a\n  action: RUN_COMMAND a\n- step: b\n  action: RUN_COMMAND b\n';
  expect(edited([{ op: 'remove', stepId: 's1' }], flat)).toBe(
    'goal: x\nplan:\n- step: b\n  action: RUN_COMMAND b\n',
  );
  const json = `${JSON.stringify({ goal: 'x', plan: [{ step: 'a', action: 'RUN_COMMAND a' }] }, null, 4)}\n`;
  const back = edited([{ op: 'insert', before: null, steps: [step('s2', 'b')] }], json);
  expect(JSON.parse(back)).toEqual({
    goal: 'x',
    plan: [
      { step: 'a', action: 'RUN_COMMAND a' },
      { step: 'New s2', action: 'RUN_COMMAND b' },
    ],
  });
  expect(back).toContain('\n    "plan"');
});

describe('what cannot be done is said', () => {
  test.each([
    ['goal: x', [{ op: 'remove', stepId: 's1' }]],
    [file, [{ op: 'remove', stepId: 'nope' }]],
    [
      'goal: x\nplan:\n  - &a\n    step: a\n    action: RUN_COMMAND a\n  - *a\n',
      [{ op: 'remove', stepId: 's1' }],
    ],
  ] as [string, PlanPatch][])('%j', (text, patch) => {
    expect(editPlanFile(text, patch)).toMatchObject({ ok: false, reason: expect.any(String) });
  });
});

test('any plan edited into any other reads back as the other, comments kept', () => {
  const bare = (list: readonly Step[]) => {
    const positions = new Map(list.map((each, index) => [each.id, index]));
    return list.map(({ id, source, after, repairs, ...each }) => ({
      ...each,
      after: (after ?? []).map((one) => positions.get(one)).sort(),
    }));
  };
  fc.assert(
    fc.property(anyPlan, anyPlan, fc.constantFrom('yaml' as const, 'json' as const), (from, to, format) => {
      const wanted = { ...from, steps: to.steps };
      const printed = toPlanFile(from, { format });
      const text = format === 'yaml' ? printed.replace('plan:\n', 'plan:\n  # a comment\n') : printed;
      const patch = diffPlans(from, wanted);
      const target = applyPatch(from, patch);
      if (!target.ok) return;
      const after = edited(patch, text);
      if (format === 'yaml') expect(after).toContain('# a comment');
      expect(bare(steps(after))).toEqual(bare(to.steps));
    }),
    { numRuns: 200, seed: 14 },
  );
});
