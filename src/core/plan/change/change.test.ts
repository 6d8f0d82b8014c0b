import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { action, plan as anyPlan } from '../../../../test/plan/arbitraries.ts';
import { Plan, PlanChange, type Step } from '../../contract/index.ts';
import { diffPlans } from './compare.ts';
import {
  type AddedStep,
  changeStep,
  insertStepsBefore,
  type Mutation,
  replaceStep,
  replaceStepCommand,
} from './mutate.ts';
import { applyPatch } from './patch.ts';
import { renderPlanDiff } from './render-diff.ts';

const run = (id: string, command: string, more: Partial<Step> = {}): Step => ({
  id,
  title: `Do ${id}`,
  action: { kind: 'run-command', command },
  ...more,
});
const base: Plan = {
  goal: 'x',
  shell: 'bash',
  revision: 0,
  steps: [
    run('s1', 'a'),
    run('s2', 'b', { after: ['s1'] }),
    run('s3', 'c'),
    run('s4', 'd', { after: ['s2'] }),
  ],
};
const proto = (command: string): AddedStep => ({ title: command, action: { kind: 'run-command', command } });
const ids = (plan: Plan) => plan.steps.map((step) => step.id);
const budget = { originalLength: 4, maxAdded: 10, maxPerCorrection: 3 };

function done(mutation: Mutation) {
  if (!mutation.ok) throw new Error(mutation.reason);
  return mutation;
}

describe('steps are inserted', () => {
  test('before a step, with ids of their own', () => {
    const { plan, diff } = done(insertStepsBefore(base, 's3', [proto('x'), proto('y')], budget));
    expect(ids(plan)).toEqual(['s1', 's2', 's3-r1-1', 's3-r1-2', 's3', 's4']);
    expect(plan.revision).toBe(1);
    expect(diff).toBe(
      [
        'revision 0 → 1',
        '  …',
        '  2  Do s2: RUN_COMMAND b',
        '+ 3  x: RUN_COMMAND x (mends s3)',
        '+ 4  y: RUN_COMMAND y (mends s3)',
        '  5  Do s3: RUN_COMMAND c',
        '  …',
      ].join('\n'),
    );
  });

  test('as repairs of it', () => {
    const { plan } = done(insertStepsBefore(base, 's2', [proto('x')], budget));
    expect(ids(plan)).toEqual(['s1', 's2-r1-1', 's2', 's3', 's4']);
    expect(plan.steps[1]!.repairs).toBe('s2');
    const again = done(insertStepsBefore(plan, 's2-r1-1', [proto('y')], budget));
    expect(ids(again.plan)).toEqual(['s1', 's2-r2-1', 's2-r1-1', 's2', 's3', 's4']);
  });

  test('at most 3 a correction: more is refused whole', () => {
    const five = [1, 2, 3, 4, 5].map((n) => proto(`x${n}`));
    expect(insertStepsBefore(base, 's2', five, budget)).toMatchObject({
      ok: false,
      beyond: 'correction',
      plan: base,
      reason: expect.stringContaining('at most 3'),
    });
  });

  test('at most 10 in all: a repair that does not fit is refused whole', () => {
    let plan = base;
    const three = [1, 2, 3].map((n) => proto(`x${n}`));
    for (let round = 0; round < 3; round++) plan = done(insertStepsBefore(plan, 's2', three, budget)).plan;
    expect(insertStepsBefore(plan, 's2', three, budget)).toMatchObject({
      ok: false,
      beyond: 'plan',
      plan,
      reason: expect.stringContaining('At most 10'),
    });
    expect(done(insertStepsBefore(plan, 's2', [proto('z')], budget)).plan.steps).toHaveLength(14);
    expect(done(insertStepsBefore(plan, 's2', three)).plan.steps).toHaveLength(16);
  });

  test('together with a change of the step itself, as one revision', () => {
    const change = { before: [proto('x')], command: 'make all', timeoutMs: 5_000, cwd: 'sub' };
    const { plan, patch } = done(changeStep(base, 's2', change, budget));
    expect(ids(plan)).toEqual(['s1', 's2-r1-1', 's2', 's3', 's4']);
    expect(plan.steps[2]).toMatchObject({
      action: { kind: 'run-command', command: 'make all' },
      timeoutMs: 5_000,
      cwd: 'sub',
    });
    expect(plan.revision).toBe(base.revision + 1);
    expect(patch).toHaveLength(2);
  });

  test('not where there is no such step, nothing to insert, or a dependency that comes later', () => {
    expect(insertStepsBefore(base, 'nope', [proto('x')])).toMatchObject({
      ok: false,
      reason: expect.stringContaining('nope'),
    });
    expect(insertStepsBefore(base, 's1', [])).toMatchObject({ ok: false });
    expect(insertStepsBefore(base, 's1', [{ ...proto('x'), after: ['s3'] }])).toMatchObject({ ok: false });
  });
});

describe('a step is changed', () => {
  test('its command', () => {
    const { plan, diff } = done(replaceStepCommand(base, 's2', 'make'));
    expect(plan.steps[1]).toEqual(run('s2', 'make', { after: ['s1'] }));
    expect(diff).toContain('- 2  Do s2: RUN_COMMAND b\n+ 2  Do s2: RUN_COMMAND make');
  });

  test('its command, of a script, a service, a loop, and with several lines', () => {
    const steps: Step[] = [
      { id: 'a', title: 'a', action: { kind: 'run-script', script: 'x\ny' } },
      { id: 'b', title: 'b', action: { kind: 'start', name: 'site', command: 'x', keep: true } },
      {
        id: 'c',
        title: 'c',
        action: { kind: 'repeat', times: 2, do: { kind: 'run-command', command: 'x' } },
      },
      { id: 'd', title: 'd', action: { kind: 'stop', name: 'site' } },
    ];
    const plan = { ...base, steps };
    const changed = (id: string, command: string) =>
      done(replaceStepCommand(plan, id, command)).plan.steps.find((step) => step.id === id)!.action;
    expect(changed('a', 'z')).toEqual({ kind: 'run-command', command: 'z' });
    expect(changed('a', 'z\nw')).toEqual({ kind: 'run-script', script: 'z\nw' });
    expect(changed('b', 'z')).toEqual({ kind: 'start', name: 'site', command: 'z', keep: true });
    expect(changed('c', 'z')).toEqual({
      kind: 'repeat',
      times: 2,
      do: { kind: 'run-command', command: 'z' },
    });
    expect(replaceStepCommand(plan, 'd', 'z')).toMatchObject({ ok: false });
    expect(replaceStepCommand(plan, 'a', ' ')).toMatchObject({ ok: false });
  });

  test('wholly, keeping its id, its source and what it repairs', () => {
    const source = { file: 'f', line: 1, endLine: 2 };
    const plan = { ...base, steps: [run('s1', 'a', { source, repairs: 's0' })] };
    const { plan: next, diff } = done(replaceStep(plan, 's1', { ...proto('new'), expects: 'exit 0' }));
    expect(next.steps).toEqual([
      {
        id: 's1',
        title: 'new',
        action: { kind: 'run-command', command: 'new' },
        expects: 'exit 0',
        source,
        repairs: 's0',
      },
    ]);
    expect(diff).toContain('expects: none → exit 0');
  });
});

test('a patch that cannot be applied is refused whole', () => {
  for (const patch of [
    [{ op: 'insert', before: 'nope', steps: [run('n', 'x')] }],
    [{ op: 'insert', before: 's1', steps: [run('s4', 'x')] }],
    [{ op: 'replace', stepId: 'nope', step: run('nope', 'x') }],
    [{ op: 'replace', stepId: 's1', step: run('other', 'x') }],
    [{ op: 'remove', stepId: 'nope' }],
    [{ op: 'remove', stepId: 's1' }],
    base.steps.map((step) => ({ op: 'remove', stepId: step.id })),
    [{ op: 'replace', stepId: 's1', step: run('s1', 'x', { after: ['s2'] }) }],
  ] as PlanChange[][]) {
    expect(applyPatch(base, patch), JSON.stringify(patch)).toMatchObject({ ok: false });
  }
});

test('a diff shows details and says nothing where nothing changed', () => {
  expect(renderPlanDiff(base, { ...base, revision: 1 })).toBe('');
  const next = {
    ...base,
    goal: 'y',
    revision: 1,
    steps: [
      ...base.steps.slice(1).map(({ after, ...step }) => step),
      run('n', '\u001b[2J', { timeoutMs: 90_000 }),
    ],
  };
  expect(renderPlanDiff(base, next)).toBe(
    [
      'revision 0 → 1',
      '~ goal: "x" → "y"',
      '- 1  Do s1: RUN_COMMAND a',
      '~ 1  Do s2: RUN_COMMAND b',
      '     after: s1 → none',
      '  2  Do s3: RUN_COMMAND c',
      '~ 3  Do s4: RUN_COMMAND d',
      '     after: s2 → none',
      '+ 4  Do n: RUN_COMMAND ␛[2J',
      '     timeoutMs: 90s',
    ].join('\n'),
  );
});

/** A random walk of changes: what holds after every one of them. */
const change = fc.oneof(
  fc.record({
    do: fc.constant('before' as const),
    at: fc.nat(),
    steps: fc.array(fc.record({ title: fc.constant('fix'), action }), { maxLength: 5 }),
  }),
  fc.record({
    do: fc.constant('replace' as const),
    at: fc.nat(),
    steps: fc.tuple(fc.record({ title: fc.constant('other'), action })),
  }),
  fc.record({ do: fc.constant('command' as const), at: fc.nat(), steps: fc.constant([]) }),
);

test('whatever the changes: ids stay unique for ever, patches round trip, growth is bounded', () => {
  fc.assert(
    fc.property(anyPlan, fc.array(change, { maxLength: 12 }), (start, changes) => {
      let plan = start;
      const growth = { ...budget, originalLength: start.steps.length };
      const everSeen = new Set(ids(start));
      for (const each of changes) {
        const target = plan.steps[each.at % plan.steps.length]!.id;
        const mutation =
          each.do === 'before'
            ? insertStepsBefore(plan, target, each.steps, growth)
            : each.do === 'replace'
              ? replaceStep(plan, target, each.steps[0]!)
              : replaceStepCommand(plan, target, 'true');
        if (!mutation.ok) {
          expect(mutation.plan).toBe(plan);
          continue;
        }
        const next = mutation.plan;
        expect(next.revision).toBe(plan.revision + 1);
        expect(applyPatch(plan, mutation.patch)).toEqual({ ok: true, plan: next });
        expect(
          applyPatch(plan, PlanChange.array().parse(JSON.parse(JSON.stringify(mutation.patch)))),
        ).toEqual({ ok: true, plan: next });
        expect(new Set(ids(next)).size).toBe(next.steps.length);
        for (const id of ids(next)) if (!ids(plan).includes(id)) expect(everSeen.has(id)).toBe(false);
        for (const id of ids(next)) everSeen.add(id);
        expect(next.steps.length - start.steps.length).toBeLessThanOrEqual(10);
        expect(Plan.safeParse(next).success).toBe(true);
        plan = next;
      }
      const patch = diffPlans(start, plan);
      expect(applyPatch(start, patch)).toMatchObject({ ok: true, plan: { steps: plan.steps } });
      expect(renderPlanDiff(start, plan) === '').toBe(patch.length === 0);
    }),
    { numRuns: 200, seed: 11 },
  );
});

test('the patch between any two orders of steps makes one of the other', () => {
  const order = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'f', 'g'], { minLength: 1 });
  fc.assert(
    fc.property(order, order, (from, to) => {
      const made = (list: string[]): Plan => ({ ...base, steps: list.map((id) => run(id, id)) });
      const result = applyPatch(made(from), diffPlans(made(from), made(to)));
      expect(result).toMatchObject({ ok: true, plan: { steps: made(to).steps } });
    }),
    { numRuns: 500, seed: 12 },
  );
});
