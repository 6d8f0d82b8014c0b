import { describe, expect, test } from 'vitest';
import { parsePlanFile } from '../../src/core/plan/file/index.ts';
import { expectLinear } from '../support/growth.ts';
import { howLong } from '../support/scale.ts';

/** Files that are made to hurt: each must give a clear answer soon. */

const MB = 1024 * 1024;
type Fill = (piece: string, size?: number) => string;
const filling =
  (share: number): Fill =>
  (piece, size = 9.5 * MB) =>
    piece.repeat(Math.floor((size * share) / piece.length));
const step = '  - step: a\n    action: RUN_COMMAND ls\n';

const bomb = `goal: x\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
  .split('')
  .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[index]}`).join(',')}]`)
  .join('\n')}\nplan: *j\n`;

/** Each as long as it is asked to be; some are what they are for their length, and are no shorter at a desk than so many eightieths. */
const hostile: [
  name: string,
  make: (fill: Fill, share: number) => string | Uint8Array,
  code: string,
  atLeast?: number,
][] = [
  ['a plan over 10 MB', (fill) => `goal: x\nplan:\n${fill(step, 10.5 * MB)}`, 'file-too-large', 80],
  ['far too many steps', (fill) => `goal: x\nplan:\n${fill(step)}`, 'too-many-steps'],
  [
    'far too many steps, with an escape that needs the slow reader',
    (fill) => `goal: "x\\x20"\nplan:\n${fill(step)}`,
    'too-complex',
    40,
  ],
  [
    'far too many steps in JSON',
    (fill) => `{"goal":"x","plan":[${fill('{"step":1,"action":"STOP a"},')}{}]}`,
    'too-many-steps',
  ],
  [
    'far too many keys',
    (_fill, share) => Array.from({ length: 800_000 * share }, (_, i) => `k${i}: 1`).join('\n'),
    'unknown-key',
  ],
  [
    'far too many keys for the slow reader',
    (_fill, share) => `"k": 1\n${Array.from({ length: 200_000 * share }, (_, i) => `k${i}: 1`).join('\n')}`,
    'unknown-key',
  ],
  ['an alias bomb', () => bomb, 'unknown-key'],
  ['many aliases', (fill) => `goal: &g x\nplan: [${fill('*g ,', MB)} *g]`, 'too-many-aliases'],
  ['deep flow lists', (fill) => fill('['), 'too-complex'],
  ['deep flow maps', (fill) => fill('{"a":', MB), 'too-complex'],
  ['deep flow lists in JSON', (fill) => `{"goal":${fill('[', MB)}`, 'too-complex'],
  ['deep block lists', (fill) => fill('- ', MB), 'too-complex'],
  [
    'deep block maps',
    (_fill, share) => Array.from({ length: 3_000 * share }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
    'too-complex',
  ],
  ['one endless line', (fill) => fill('x'), 'wrong-type'],
  ['one endless quote', (fill) => `goal: "${fill('x ')}`, 'invalid-yaml'],
  ['one endless plain scalar', (fill) => `goal: ${fill('x\n  ', MB)}`, 'missing-key'],
  ['only dashes', (fill) => fill('-'), 'wrong-type'],
  ['only colons', (fill) => fill(': ', MB), 'invalid-yaml'],
  ['only question marks', (fill) => fill('? ', MB), 'too-complex'],
  ['only hashes', (fill) => fill('#\n'), 'too-complex', 14],
  ['only line breaks', (fill) => fill('\n'), 'empty-file'],
  ['only anchors', (fill) => fill('&a ', MB), 'too-many-aliases'],
  ['only tags', (fill) => fill('!a ', MB), 'too-many-aliases'],
  ['only commas', (fill) => `[${fill(',', MB)}`, 'too-complex', 14],
  ['only tabs', (fill) => `a:\n${fill('\t', MB)}x: 1`, 'tab-indent'],
  ['many documents', (fill) => fill('---\na\n', MB), 'invalid-yaml'],
  ['binary', (_fill, share) => new Uint8Array(9 * MB * share).map((_, i) => (i * 7919) & 255), 'not-text'],
];

const parse = (content: string | Uint8Array) => parsePlanFile(content, { file: 'plan.yaml' });

describe('a hostile file gets a clear answer', () => {
  test.each(hostile)('%s', async (_, make, code, atLeast = 0) => {
    const result = await expectLinear(Math.max(atLeast, howLong(80)), (size) =>
      parse(make(filling(size / 80), size / 80)),
    );
    if (result.ok) throw new Error('accepted');
    expect(result.problems.map((problem) => problem.code)).toContain(code);
    expect(result.problems.length).toBeLessThanOrEqual(201);
  });

  test('a well formed plan of nearly 10 MB is accepted', async () => {
    const script = '      echo one line of a long script\n'.repeat(30);
    const text = (share: number) => `goal: x\nplan:\n${filling(share)(`  - step: a\n    run: |\n${script}`)}`;
    const result = await expectLinear(80, (size) => parse(text(size / 80)));
    expect(result.ok && result.plan.steps.length).toBeGreaterThan(8_000);
  });
});
