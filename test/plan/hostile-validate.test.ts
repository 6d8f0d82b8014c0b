import { describe, expect, test } from 'vitest';
import type { Action, Plan } from '../../src/core/contract/index.ts';
import { validatePlan } from '../../src/core/plan/validate/index.ts';

/** Plans that are made to hurt the rules: each is judged soon. */

const SIZE = 900_000;
const fill = (piece: string, size = SIZE) => piece.repeat(Math.floor(size / piece.length));
const planOf = (actions: readonly Action[], shell: 'bash' | 'pwsh' = 'bash'): Plan => ({
  goal: 'x',
  shell,
  revision: 0,
  steps: actions.map((action, index) => ({ id: `s${index}`, title: 'x', action })),
});
const script = (text: string): Action => ({ kind: 'run-script', script: text });
const write = (content: string): Action => ({ kind: 'write-file', path: 'a', content });
const many = (make: (index: number) => Action) => Array.from({ length: 10_000 }, (_, index) => make(index));

const texts: [string, string][] = [
  ['line breaks', fill('\n')],
  ['spaces', fill(' ')],
  ['tabs and breaks', fill('\t\n')],
  ['open angles', fill('<')],
  ['almost placeholders', fill('<your ')],
  ['YOUR_', fill('YOUR_')],
  ['A_A_', `<${fill('A_')}`],
  ['dots', fill('... ')],
  ['then', fill('then ')],
  ['do', fill('; do ')],
  ['[[', fill('[[ ')],
  ['here-strings', fill("@'\n")],
  ['quotes', fill("' ")],
  ['double quotes', fill('"\n')],
  ['backticks', fill('`')],
  ['dollars', fill('$(', 100_000)],
  ['braces', fill('{')],
  ['placeholders', fill('{item} ', 100_000)],
  ['pipes', fill('a | ')],
  ['here-documents', fill('cat <<E\n')],
  ['words', fill('a ')],
  ['commands', fill('ls;')],
  ['comments', fill('# {item}\n', 100_000)],
  ['exports', fill('export A=\n')],
];

describe('a hostile text is judged soon', () => {
  test.each(texts)('%s', async (_, text) => {
    for (const plan of [planOf([script(text), write(text)]), planOf([script(text)], 'pwsh')]) {
      const started = performance.now();
      await validatePlan(plan);
      expect(performance.now() - started).toBeLessThan(8_000);
    }
  });
});

describe('a hostile plan is judged soon', () => {
  test.each<[string, Plan]>([
    ['10,000 keys', planOf(many((index) => ({ kind: 'ask', question: '?', as: `key${index}` })))],
    [
      '10,000 unknown keys',
      planOf(many((index) => ({ kind: 'run-command', command: `echo {nokey${index}}` }))),
    ],
    [
      '10,000 lists',
      planOf(many((index) => ({ kind: 'for-each', list: `l${index}`, do: { kind: 'stop', name: 'a' } }))),
    ],
    [
      '10,000 copies',
      planOf(many((index) => ({ kind: 'copy-path', from: `a/b${index}`, to: `c/d${index}` }))),
    ],
    [
      '10,000 services',
      planOf(many((index) => ({ kind: 'start', name: `s${index}`, command: 'x', keep: false }))),
    ],
    [
      'everything after everything',
      {
        ...planOf([]),
        steps: Array.from({ length: 1_000 }, (_, index) => ({
          id: `s${index}`,
          title: 'x',
          action: { kind: 'manual' as const, text: 'x' },
          after: Array.from({ length: 1_000 }, (__, other) => `s${other}`),
        })),
      },
    ],
  ])('%s', async (_, plan) => {
    const facts = { exists: () => false, kind: () => null, realpath: (path: string) => `/w/${path}` };
    const started = performance.now();
    const problems = await validatePlan(plan, facts);
    expect(performance.now() - started).toBeLessThan(8_000);
    expect(problems.length).toBeLessThanOrEqual(201);
  });
});
