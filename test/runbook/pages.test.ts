import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shellText } from '../../src/core/contract/index.ts';
import { parseRunbook, settleWays } from '../../src/core/plan/runbook/index.ts';

/**
 * Pages shaped like public ones, in words of our own, and what each line of them becomes on a machine with a few programs:
 * `LINE run|tty|start TEXT`, `LINE out WHY`. Beside each page, `NAME.becomes`; its first line is the goal.
 */
const folder = join(import.meta.dirname, 'pages');
const names = readdirSync(folder).flatMap((name) => (name.endsWith('.md') ? [name.slice(0, -3)] : []));
const here = new Set('npm npx node curl wget apt apt-get pip python3 git docker make cmake'.split(' '));
const facts = {
  exists: () => false,
  kind: () => null,
  realpath: () => null,
  system: () => 'linux',
  commandExists: (name: string) => here.has(name),
};

async function becomes(name: string): Promise<string> {
  const read = parseRunbook(readFileSync(join(folder, `${name}.md`)), { file: `${name}.md` });
  const page = await settleWays(read, facts);
  if (!page.ok) return page.problems.map(({ message }) => message).join('\n');
  const steps = page.plan.steps.map(({ action, expects, source, interactive }): [number, string] => {
    const how = action.kind === 'start' ? 'start' : interactive === true ? 'tty' : 'run';
    const text = (shellText(action) ?? '').replaceAll('\n', ' ⏎ ');
    return [source?.line ?? 0, `${how} ${text}${expects === undefined ? '' : ` until ${expects}`}`];
  });
  const left = page.warnings.map(({ message, source }): [number, string] => [
    source?.line ?? 0,
    message.replace(/^Left out: (.*)\.$/, 'out $1'),
  ]);
  const lines = [...steps, ...left].sort(([a], [b]) => a - b).map(([line, text]) => `${line} ${text}`);
  return `${[page.plan.goal, ...lines].join('\n')}\n`;
}

test('there are pages', () => {
  expect(names.length).toBeGreaterThanOrEqual(20);
});

test.each(names)('%s', async (name) => {
  expect(await becomes(name)).toBe(readFileSync(join(folder, `${name}.becomes`), 'utf8'));
});
