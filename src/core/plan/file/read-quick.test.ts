import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plan } from '../../../../test/plan/arbitraries.ts';
import { toPlanFile } from './print.ts';
import { readQuick } from './read-quick.ts';
import { readYaml } from './read-yaml.ts';
import type { Tree } from './tree.ts';

/** The parts on which two readers must agree: values, and where everything starts. */
function shape(tree: Tree): unknown {
  if (tree.kind === 'scalar') return [tree.pos, tree.value];
  if (tree.kind === 'seq') return [tree.pos, tree.items.map(shape)];
  return [tree.pos, tree.pairs.map((pair) => [pair.key, pair.pos, shape(pair.value)])];
}

function agree(text: string): boolean {
  const quick = readQuick(text);
  if (quick === null) return false;
  const slow = readYaml(text);
  if (!slow.ok) throw new Error(`only the quick reader accepts ${JSON.stringify(text)}`);
  expect(shape(quick), text).toEqual(shape(slow.tree));
  return true;
}

test('it reads what plan files are usually written in', () => {
  const text = `# yaml-language-server: $schema=x
goal: Ship it   # now
inputs:
- env
- name: token
  secret: true
plan:
  # first
  - step: "Install: all"
    action: RUN_COMMAND echo "a: b" > 'x' && ls {a,b}

    expects: 'it''s there'
    after: [1, s2]
  -   step: 2
      run: |
        set -e

        # not a comment
          indented
        echo done

      why: |-
        no line break
    # between
  - step: (last)
    action: STOP site
`;
  expect(agree(text.replace('echo "a: b" >', 'echo "a:b" >'))).toBe(true);
  expect(readQuick(text)).toBeNull();
});

test('printed plans: it agrees with the package wherever it does not give up', () => {
  let quick = 0;
  fc.assert(
    fc.property(plan, (given) => {
      if (agree(toPlanFile(given))) quick++;
    }),
    { numRuns: 300, seed: 7 },
  );
  expect(quick).toBeGreaterThan(20);
});

test('random YAML: it agrees with the package wherever it does not give up', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    'k',
    'plan',
    ': ',
    ':',
    '\n',
    '\n',
    '\n  ',
    '\n    ',
    '\n- ',
    '\n  - ',
    '- ',
    '-',
    ' ',
    '  ',
    '#',
    ' # c',
    '"',
    "'",
    '"q"',
    "'q'",
    "''",
    '|',
    '|-',
    '>',
    '|\n',
    ': |\n  x\n',
    '\\n',
    '\\',
    '[',
    ']',
    '[1, a]',
    ',',
    '{',
    '}',
    '1',
    '007',
    '1.5',
    '0x1',
    'true',
    'null',
    'Null',
    '~',
    '&a',
    '*a',
    '!t',
    '?',
    '@',
    '%',
    '---',
    '...',
    '\t',
    '=',
    '<<',
    'é',
    '1e3',
    '.inf',
    '-1',
    '2001-01-01',
    '\u00a0',
    '\u2028',
  );
  let quick = 0;
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 24 }), (pieces) => {
      if (agree(pieces.join(''))) quick++;
      if (agree(`k: ${pieces.join('')}\n`)) quick++;
      if (agree(`plan:\n  - a: 1\n    b: ${pieces.join('')}\n  - c: d\n`)) quick++;
      if (agree(`plan:\n  - a: |\n      ${pieces.join('').replaceAll('\n', '\n      ')}\n  - c: d\n`))
        quick++;
    }),
    { numRuns: 6_000, seed: 8 },
  );
  expect(quick).toBeGreaterThan(1_000);
});
