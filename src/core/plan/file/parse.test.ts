import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plan as anyPlan } from '../../../../test/plan/arbitraries.ts';
import { Plan, type Step } from '../../contract/index.ts';
import type { Problem } from '../problem.ts';
import { renderProblem } from '../problem.ts';
import { parsePlanFile } from './parse.ts';
import { toPlanFile } from './print.ts';

const file = 'plan.yaml';
function accepted(text: string, name = file): Plan {
  const result = parsePlanFile(text, { file: name });
  if (!result.ok) throw new Error(result.problems.map(renderProblem).join('\n'));
  return result.plan;
}
function refused(text: string | Uint8Array, name = file): Problem[] {
  const result = parsePlanFile(text, { file: name });
  if (result.ok) throw new Error('accepted');
  return result.problems;
}
const codes = (text: string | Uint8Array) => refused(text).map((problem) => problem.code);

const full = `# how we ship
goal: Ship it
mode: agentic
shell: bash
inputs:
  - env
  - name: token
    description: For the registry
    secret: true
plan:
  - step: Install
    action: RUN_COMMAND npm ci
    expects: dir exists node_modules
    timeout: 1m30s

  - step: Build
    run: |
      set -e
      npm run build
    after: [1]
    undo: DELETE_PATH dist
    why: The registry wants compiled files.
  - step: 3
    action: RUN_COMMAND npm publish
    after: [Install, s2]
    interactive: true
`;

describe('the keys of a step', () => {
  const step = (more: string) => `goal: g\nplan:\n  - step: a\n    action: RUN_COMMAND ls\n    ${more}\n`;
  test.each<[string, Partial<Step>]>([
    ['env: { CI: 1, NAME: two words, ON: true }', { env: { CI: '1', NAME: 'two words', ON: 'true' } }],
    ['retry: 3', { retry: { times: 3 } }],
    ['retry: { times: 2, delay: 10s }', { retry: { times: 2, delayMs: 10_000 } }],
    ['retry: { times: 2, delay: 5 }', { retry: { times: 2, delayMs: 5_000 } }],
    ['cwd: sub', { cwd: 'sub' }],
  ])('%s', (text, keys) => {
    expect(accepted(step(text)).steps[0]).toMatchObject(keys);
  });

  test.each([
    ['env: CI=1', 'wrong-type'],
    ['env: { CI: }', 'wrong-type'],
    ['env: { "A-B": 1 }', 'wrong-type'],
    ['retry: 0', 'wrong-type'],
    ['retry: 11', 'wrong-type'],
    ['retry: often', 'wrong-type'],
    ['retry: { delay: 10s }', 'wrong-type'],
    ['retry: { times: 2, delay: 2h }', 'wrong-retry'],
    ['retry: { times: 2, delay: soon }', 'wrong-retry'],
  ])('%s is refused, once', (text, code) => {
    expect(codes(step(text))).toEqual([code]);
  });
});

test('everything a plan file can say is read, with ids, references and lines', () => {
  const plan = accepted(full);
  expect(Plan.safeParse(plan).success).toBe(true);
  expect(plan).toEqual({
    goal: 'Ship it',
    mode: 'agentic',
    shell: 'bash',
    inputs: [{ name: 'env' }, { name: 'token', description: 'For the registry', secret: true }],
    revision: 0,
    steps: [
      {
        id: 's1',
        title: 'Install',
        action: { kind: 'run-command', command: 'npm ci' },
        expects: 'dir exists node_modules',
        timeoutMs: 90_000,
        source: { file, line: 11, endLine: 14 },
      },
      {
        id: 's2',
        title: 'Build',
        action: { kind: 'run-script', script: 'set -e\nnpm run build' },
        after: ['s1'],
        undo: { kind: 'delete-path', path: 'dist' },
        why: 'The registry wants compiled files.',
        source: { file, line: 16, endLine: 22 },
      },
      {
        id: 's3',
        title: 'Run npm publish',
        action: { kind: 'run-command', command: 'npm publish' },
        after: ['s1', 's2'],
        interactive: true,
        source: { file, line: 23, endLine: 26 },
      },
    ],
  });
});

test('the same plan in JSON, in flow YAML, with Windows line ends and with a byte order mark', () => {
  const bare = (plan: Plan) => ({ ...plan, steps: plan.steps.map(({ source, ...step }) => step) });
  const wanted = bare(accepted(full));
  const json = toPlanFile(accepted(full), { format: 'json' });
  expect(bare(accepted(json, 'plan.json'))).toEqual(wanted);
  expect(bare(accepted(json.replaceAll('"goal"', 'goal'), 'plan.yaml'))).toEqual(wanted);
  expect(bare(accepted(full.replaceAll('\n', '\r\n')))).toEqual(wanted);
  expect(bare(accepted(`\ufeff${full}`))).toEqual(wanted);
});

test('all problems come at once, each with its place', () => {
  const problems = refused(`gaol: x
mode: wild
plan:
  - step: One
    action: RUN_COMAND ls
    expcts: exit 0
  - step: Two
    after: [Onne, 9]
  - step: 5
    action: STOP site
    run: echo
  - 7
`);
  expect(problems.map((problem) => [problem.source?.line, problem.source?.col, problem.code])).toEqual([
    [1, 1, 'missing-key'],
    [1, 1, 'unknown-key'],
    [2, 7, 'wrong-type'],
    [5, 13, 'invalid-action'],
    [6, 5, 'unknown-key'],
    [7, 5, 'missing-key'],
    [8, 13, 'unknown-step'],
    [8, 19, 'unknown-step'],
    [9, 5, 'step-number'],
    [11, 5, 'two-actions'],
    [12, 5, 'wrong-type'],
  ]);
  const text = problems.map(renderProblem).join('\n');
  expect(text).toContain('Did you mean `goal`?');
  expect(text).toContain('Did you mean `expects`?');
  expect(text).toContain('Did you mean "One"?');
  expect(text).toContain('teacher, planner or agentic');
  expect(text).toContain(
    'plan.yaml:5:13: error[invalid-action]: Step 1, `action`: `RUN_COMAND` is not an action.',
  );
  expect(problems.find((problem) => problem.code === 'invalid-action')?.step).toBe('s1');
});

const step = '  - step: a\n    action: RUN_COMMAND ls\n';

describe('each wrong thing is a clear problem', () => {
  test.each([
    ['an empty file', '', 'empty-file'],
    ['only space', ' \n\n', 'empty-file'],
    ['only comments', '# nothing\n', 'empty-file'],
    ['a list', '- a\n', 'wrong-type'],
    ['plain text', 'hello', 'wrong-type'],
    ['no steps', 'goal: x\nplan: []\n', 'wrong-type'],
    ['steps that are text', 'goal: x\nplan: ls\n', 'wrong-type'],
    ['no plan', 'goal: x\n', 'missing-key'],
    ['an empty goal', `goal: " "\nplan:\n${step}`, 'wrong-type'],
    ['a goal that is a list', `goal: [a]\nplan:\n${step}`, 'wrong-type'],
    ['a wrong shell', `goal: x\nshell: fish\nplan:\n${step}`, 'wrong-type'],
    ['a duplicate key', `goal: x\ngoal: y\nplan:\n${step}`, 'duplicate-key'],
    ['a duplicate key of a step', `goal: x\nplan:\n${step}    action: RUN_COMMAND ls\n`, 'duplicate-key'],
    ['a tab', `goal: x\nplan:\n${step}\tafter: 1\n`, 'tab-indent'],
    ['two documents', `goal: x\nplan:\n${step}---\ngoal: y\n`, 'invalid-yaml'],
    ['a tag', `goal: !secret x\nplan:\n${step}`, 'invalid-yaml'],
    ['an unclosed quote', `goal: "x\nplan:\n${step}`, 'invalid-yaml'],
    ['an alias to nothing', `goal: *x\nplan:\n${step}`, 'invalid-yaml'],
    ['an alias to itself', 'goal: x\nplan: &p\n  - *p\n', 'invalid-yaml'],
    ['a key that is a list', `? [a]\n: b\ngoal: x\nplan:\n${step}`, 'wrong-key'],
    ['a wrong timeout', `goal: x\nplan:\n${step}    timeout: soon\n`, 'wrong-timeout'],
    ['a negative timeout', `goal: x\nplan:\n${step}    timeout: -3\n`, 'wrong-type'],
    ['an interactive that is text', `goal: x\nplan:\n${step}    interactive: sure\n`, 'wrong-type'],
    [
      'an action of several lines',
      'goal: x\nplan:\n  - step: a\n    action: |\n      RUN_COMMAND a\n      b\n',
      'invalid-action',
    ],
    ['a wrong undo', `goal: x\nplan:\n${step}    undo: DELETE\n`, 'invalid-action'],
    ['two steps with one id', `goal: x\nplan:\n${step}    id: a\n${step}    id: a\n`, 'duplicate-id'],
    ['an input with a wrong name', `goal: x\ninputs: [a-b]\nplan:\n${step}`, 'wrong-type'],
    ['an input twice', `goal: x\ninputs: [a, a]\nplan:\n${step}`, 'duplicate-input'],
    [
      'an unknown key of an input',
      `goal: x\ninputs:\n  - name: a\n    secrt: true\nplan:\n${step}`,
      'unknown-key',
    ],
    ['a reference to two steps', `goal: x\nplan:\n${step}${step}${step}    after: a\n`, 'unknown-step'],
    ['a prototype key', `goal: x\n__proto__: 3\nplan:\n${step}`, 'unknown-key'],
  ])('%s', (_, text, code) => {
    expect(codes(text)).toContain(code);
    for (const problem of refused(text)) {
      expect(problem.mend).not.toBe('');
      expect(problem.source?.line).toBeGreaterThan(0);
    }
  });

  test('broken JSON is told in the words of JSON', () => {
    const [problem] = refused('{"goal": "x",\n "plan": [,]}', 'plan.json');
    expect(problem).toMatchObject({ code: 'invalid-json', source: { line: 2, col: 11 } });
  });

  test('a binary file and wrong encodings', () => {
    expect(codes(new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 255]))).toEqual(['not-text']);
    expect(codes(new Uint8Array([0x67, 0x6f, 0x61, 0x6c, 0, 0x3a]))).toEqual(['not-text']);
    expect(codes(new Uint8Array([0xff, 0xfe, 0x67, 0, 0x6f, 0]))).toEqual(['not-text']);
  });

  test('an id that a later step would have got is not given twice', () => {
    const plan = accepted(`goal: x\nplan:\n${step}    id: s2\n${step}`);
    expect(plan.steps.map((each) => each.id)).toEqual(['s2', 's2x']);
  });

  test('a few aliases are fine', () => {
    const plan = accepted(`goal: x\nplan:\n  - &a\n    step: a\n    action: RUN_COMMAND ls\n  - *a\n`);
    expect(plan.steps.map((each) => each.id)).toEqual(['s1', 's2']);
  });
});

test('a plan round trips through YAML and through JSON', () => {
  const bare = (steps: readonly Step[]) => steps.map(({ source, ...rest }) => rest);
  fc.assert(
    fc.property(anyPlan, fc.constantFrom('yaml' as const, 'json' as const), (given, format) => {
      const text = toPlanFile(given, { format });
      const back = accepted(text, `plan.${format}`);
      expect({ ...back, steps: bare(back.steps) }).toEqual(given);
      if (format === 'yaml') expect(text).toMatch(/^# yaml-language-server: \$schema=\S+\n/);
    }),
    { numRuns: 300, seed: 6 },
  );
});
