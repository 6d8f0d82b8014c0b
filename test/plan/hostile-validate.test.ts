import { describe, expect, test } from 'vitest';
import type { Action, Plan } from '../../src/core/contract/index.ts';
import { validatePlan } from '../../src/core/plan/validate/index.ts';
import { expectLinear } from '../support/growth.ts';
import { howLong } from '../support/scale.ts';

/** Plans that are made to hurt the rules: each is judged soon. */

const SIZE = 900_000;
const fill = (piece: string, size: number) => piece.repeat(Math.floor(size / piece.length));
const planOf = (actions: readonly Action[], shell: 'bash' | 'pwsh' = 'bash'): Plan => ({
  goal: 'x',
  shell,
  revision: 0,
  steps: actions.map((action, index) => ({ id: `s${index}`, title: 'x', action })),
});
const script = (text: string): Action => ({ kind: 'run-script', script: text });
const write = (content: string): Action => ({ kind: 'write-file', path: 'a', content });
const many = (make: (index: number) => Action) => (count: number) =>
  planOf(Array.from({ length: count }, (_, index) => make(index)));

/** What it is made of: a start, and a piece as often as the size has room for it. */
const texts: [name: string, piece: string, size?: number, start?: string][] = [
  ['line breaks', '\n'],
  ['spaces', ' '],
  ['tabs and breaks', '\t\n'],
  ['open angles', '<'],
  ['almost placeholders', '<your '],
  ['YOUR_', 'YOUR_'],
  ['A_A_', 'A_', SIZE, '<'],
  ['dots', '... '],
  ['then', 'then '],
  ['do', '; do '],
  ['[[', '[[ '],
  ['here-strings', "@'\n"],
  ['quotes', "' "],
  ['double quotes', '"\n'],
  ['backticks', '`'],
  ['dollars', '$(', 100_000],
  ['braces', '{'],
  ['placeholders', '{item} ', 100_000],
  ['pipes', 'a | '],
  ['here-documents', 'cat <<E\n'],
  ['words', 'a '],
  ['commands', 'ls;'],
  ['comments', '# {item}\n', 100_000],
  ['exports', 'export A=\n'],
];

describe('a hostile text is judged soon', () => {
  test.each(texts)('%s', async (name, piece, size = SIZE, start = '') => {
    const judge = async (length: number) => {
      const text = start + fill(piece, length);
      await validatePlan(planOf([script(text), write(text)]));
      await validatePlan(planOf([script(text)], 'pwsh'));
    };
    await expectLinear(howLong(size), judge, { power: name === 'comments' ? 2 : 1 });
  });
});

describe('a hostile plan is judged soon', () => {
  const plans: [name: string, size: number, make: (count: number) => Plan][] = [
    ['10,000 keys', 10_000, many((index) => ({ kind: 'ask', question: '?', as: `key${index}` }))],
    [
      '10,000 unknown keys',
      10_000,
      many((index) => ({ kind: 'run-command', command: `echo {nokey${index}}` })),
    ],
    [
      '10,000 lists',
      10_000,
      many((index) => ({ kind: 'for-each', list: `l${index}`, do: { kind: 'stop', name: 'a' } })),
    ],
    [
      '10,000 copies',
      10_000,
      many((index) => ({ kind: 'copy-path', from: `a/b${index}`, to: `c/d${index}` })),
    ],
    [
      '10,000 services',
      10_000,
      many((index) => ({ kind: 'start', name: `s${index}`, command: 'x', keep: false })),
    ],
    [
      'everything after everything: a million of them',
      1_000_000,
      (count) => ({
        ...planOf([]),
        steps: Array.from({ length: Math.sqrt(count) }, (_, index) => ({
          id: `s${index}`,
          title: 'x',
          action: { kind: 'manual' as const, text: 'x' },
          after: Array.from({ length: Math.sqrt(count) }, (__, other) => `s${other}`),
        })),
      }),
    ],
  ];
  const facts = { exists: () => false, kind: () => null, realpath: (path: string) => `/w/${path}` };
  test.each(plans)('%s', async (_, size, make) => {
    const problems = await expectLinear(howLong(size), (count) => validatePlan(make(count), facts));
    expect(problems.length).toBeLessThanOrEqual(201);
  });
});
