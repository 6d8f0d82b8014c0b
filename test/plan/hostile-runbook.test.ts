import { describe, expect, test } from 'vitest';
import { parseRunbook } from '../../src/core/plan/runbook/index.ts';
import { expectLinear } from '../support/growth.ts';
import { howLong } from '../support/scale.ts';

/** Pages that are made to hurt: each gives an answer soon, and never throws. */

const SIZE = howLong(256 * 1024);

type Fill = (piece: string, size?: number) => string;
/** Each as long as it is asked to be: `fill` gives that part of what it would be. */
const pages: [name: string, make: (fill: Fill, share: number) => string][] = [
  ['open brackets', (fill) => fill('[')],
  ['open links', (fill) => fill('[a](')],
  ['stars', (fill) => fill('*a ')],
  ['underscores', (fill) => fill('_a_')],
  ['backticks', (fill) => fill('`a``b')],
  ['open tags', (fill) => fill('<a ')],
  ['open comments', (fill) => fill('<!-- ')],
  ['our comments', (fill) => fill('<!-- planwright: a -->\n\n')],
  ['quotes', (fill) => fill('> a\n')],
  ['deep quotes', (fill) => fill('>', 4_000)],
  [
    'deep lists',
    (_fill, share) =>
      Array.from({ length: 600 * share }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n'),
  ],
  ['one long fence', (fill) => `\`\`\`sh\n${fill('echo x\n')}`],
  ['many fences', (fill) => fill('```sh\nls\n```\n\n', SIZE / 4)],
  ['a long session', (fill) => `\`\`\`console\n${fill('$ ls\nout\n', SIZE / 8)}\`\`\``],
  ['a session that never closes', (fill) => `\`\`\`console\n$ echo "\n${fill('out\n')}\`\`\``],
  [
    'many sessions that never close',
    (fill) => `\`\`\`console\n${fill(`$ echo "\n${'out\n'.repeat(400)}`)}\`\`\``,
  ],
  ['long attributes', (fill) => `\`\`\`sh {${fill('a=b ')}}\nls\n\`\`\``],
  ['a long heading', (fill) => `# ${fill('a *b* [c](d) ')}\n\`\`\`sh\nls\n\`\`\``],
  ['definitions', (fill) => fill('[a]: b\n', SIZE / 4)],
  ['broken front matter', (fill) => `---\n${fill('a: [', SIZE / 4)}\n---\n`],
];

describe('a hostile page gets an answer', () => {
  test.each(pages)('%s', async (_, make) => {
    const parse = (share: number) => {
      const fill: Fill = (piece, size = SIZE) => piece.repeat(Math.floor((size * share) / piece.length));
      return parseRunbook(make(fill, share), { file: 'page.md' });
    };
    const result = await expectLinear(80, (size) => parse(size / 80));
    expect(result.ok || result.problems.length > 0).toBe(true);
  });
});
