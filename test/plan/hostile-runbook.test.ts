import { describe, expect, test } from 'vitest';
import { parseRunbook } from '../../src/core/plan/runbook/index.ts';

/** Pages that are made to hurt: each gives an answer soon, and never throws. */

const SIZE = 256 * 1024;
const fill = (piece: string, size = SIZE) => piece.repeat(Math.floor(size / piece.length));

const pages: [string, string][] = [
  ['open brackets', fill('[')],
  ['open links', fill('[a](')],
  ['stars', fill('*a ')],
  ['underscores', fill('_a_')],
  ['backticks', fill('`a``b')],
  ['open tags', fill('<a ')],
  ['open comments', fill('<!-- ')],
  ['our comments', fill('<!-- planwright: a -->\n\n')],
  ['quotes', fill('> a\n')],
  ['deep quotes', fill('>', 4_000)],
  ['deep lists', Array.from({ length: 600 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n')],
  ['one long fence', `\`\`\`sh\n${fill('echo x\n')}`],
  ['many fences', fill('```sh\nls\n```\n\n', SIZE / 4)],
  ['a long session', `\`\`\`console\n${fill('$ ls\nout\n', SIZE / 8)}\`\`\``],
  ['a session that never closes', `\`\`\`console\n$ echo "\n${fill('out\n')}\`\`\``],
  ['many sessions that never close', `\`\`\`console\n${fill(`$ echo "\n${'out\n'.repeat(400)}`)}\`\`\``],
  ['long attributes', `\`\`\`sh {${fill('a=b ')}}\nls\n\`\`\``],
  ['a long heading', `# ${fill('a *b* [c](d) ')}\n\`\`\`sh\nls\n\`\`\``],
  ['definitions', fill('[a]: b\n', SIZE / 4)],
  ['broken front matter', `---\n${fill('a: [', SIZE / 4)}\n---\n`],
];

describe('a hostile page gets an answer', () => {
  test.each(pages)('%s', (_, text) => {
    const started = performance.now();
    const result = parseRunbook(text, { file: 'page.md' });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(result.ok || result.problems.length > 0).toBe(true);
  });
});
