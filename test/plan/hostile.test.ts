import { describe, expect, test } from 'vitest';
import { parsePlanFile } from '../../src/core/plan/file/index.ts';

/** Files that are made to hurt: each must give a clear answer soon. */

const MB = 1024 * 1024;
const fill = (piece: string, size = 9.5 * MB) => piece.repeat(Math.floor(size / piece.length));
const step = '  - step: a\n    action: RUN_COMMAND ls\n';

const bomb = `goal: x\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
  .split('')
  .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[index]}`).join(',')}]`)
  .join('\n')}\nplan: *j\n`;

const hostile: [string, () => string | Uint8Array, string][] = [
  ['a plan over 10 MB', () => `goal: x\nplan:\n${fill(step, 10.5 * MB)}`, 'file-too-large'],
  ['far too many steps', () => `goal: x\nplan:\n${fill(step)}`, 'too-many-steps'],
  [
    'far too many steps, with an escape that needs the slow reader',
    () => `goal: "x\\x20"\nplan:\n${fill(step)}`,
    'too-complex',
  ],
  [
    'far too many steps in JSON',
    () => `{"goal":"x","plan":[${fill('{"step":1,"action":"STOP a"},')}{}]}`,
    'too-many-steps',
  ],
  [
    'far too many keys',
    () => Array.from({ length: 800_000 }, (_, i) => `k${i}: 1`).join('\n'),
    'unknown-key',
  ],
  [
    'far too many keys for the slow reader',
    () => `"k": 1\n${Array.from({ length: 200_000 }, (_, i) => `k${i}: 1`).join('\n')}`,
    'unknown-key',
  ],
  ['an alias bomb', () => bomb, 'unknown-key'],
  ['many aliases', () => `goal: &g x\nplan: [${fill('*g ,', MB)} *g]`, 'too-many-aliases'],
  ['deep flow lists', () => fill('['), 'too-complex'],
  ['deep flow maps', () => fill('{"a":', MB), 'too-complex'],
  ['deep flow lists in JSON', () => `{"goal":${fill('[', MB)}`, 'too-complex'],
  ['deep block lists', () => fill('- ', MB), 'too-complex'],
  [
    'deep block maps',
    () => Array.from({ length: 3_000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
    'too-complex',
  ],
  ['one endless line', () => fill('x'), 'wrong-type'],
  ['one endless quote', () => `goal: "${fill('x ')}`, 'invalid-yaml'],
  ['one endless plain scalar', () => `goal: ${fill('x\n  ', MB)}`, 'missing-key'],
  ['only dashes', () => fill('-'), 'wrong-type'],
  ['only colons', () => fill(': ', MB), 'invalid-yaml'],
  ['only question marks', () => fill('? ', MB), 'too-complex'],
  ['only hashes', () => fill('#\n'), 'too-complex'],
  ['only line breaks', () => fill('\n'), 'empty-file'],
  ['only anchors', () => fill('&a ', MB), 'too-many-aliases'],
  ['only tags', () => fill('!a ', MB), 'too-many-aliases'],
  ['only commas', () => `[${fill(',', MB)}`, 'too-complex'],
  ['only tabs', () => `a:\n${fill('\t', MB)}x: 1`, 'tab-indent'],
  ['many documents', () => fill('---\na\n', MB), 'invalid-yaml'],
  ['binary', () => new Uint8Array(9 * MB).map((_, i) => (i * 7919) & 255), 'not-text'],
];

describe('a hostile file gets a clear answer', () => {
  test.each(hostile)('%s', (_, make, code) => {
    const content = make();
    const started = performance.now();
    const result = parsePlanFile(content, { file: 'plan.yaml' });
    const elapsed = performance.now() - started;
    if (result.ok) throw new Error('accepted');
    expect(result.problems.map((problem) => problem.code)).toContain(code);
    expect(result.problems.length).toBeLessThanOrEqual(201);
    expect(elapsed).toBeLessThan(5_000);
  });

  test('a well formed plan of nearly 10 MB is accepted', () => {
    const script = '      echo one line of a long script\n'.repeat(30);
    const text = `goal: x\nplan:\n${fill(`  - step: a\n    run: |\n${script}`)}`;
    const started = performance.now();
    const result = parsePlanFile(text, { file: 'plan.yaml' });
    expect(result.ok && result.plan.steps.length).toBeGreaterThan(8_000);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
