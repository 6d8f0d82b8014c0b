import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { initialRunState, StopReason } from '../../src/core/contract/index.ts';
import { exitCodes } from '../../src/doors/app/errors.ts';
import { exitCodeOf } from '../../src/doors/app/outcome.ts';

const root = join(import.meta.dirname, '../..');
const page = (path: string) => readFileSync(join(root, path), 'utf8');

/** The rows of the first table of a page, without its head. */
function firstTable(path: string): string[][] {
  const rows = /(?:^\|.*\n)+/m.exec(page(path))?.[0].trim().split('\n') ?? [];
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const pages = ['*.md', 'docs/**/*.md'].flatMap((pattern) => globSync(pattern, { cwd: root }));

test('every stop reason is documented, with the exit code that follows from it', () => {
  const documented = firstTable('docs/stop-reasons.md').map(([reason, code]) => [reason, code]);
  const actual = StopReason.options.map((stopReason) => {
    const code = exitCodeOf('paused', { ...initialRunState, stopReason });
    return [`\`${stopReason}\``, String(code)];
  });
  expect(documented).toEqual(actual);
});

test('every exit code is documented', () => {
  const documented = firstTable('docs/exit-codes.md').map(([code]) => Number(code));
  expect(documented).toEqual(Object.values(exitCodes));
});

test('the rules for working here fit on a page or two', () => {
  expect(page('AGENTS.md').split('\n').length).toBeLessThanOrEqual(120);
});

test('every link from one document to another leads somewhere', () => {
  const links = pages.flatMap((path) =>
    [...page(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map((match) =>
      join(path, '..', match[1]!),
    ),
  );
  expect(links.length).toBeGreaterThan(5);
  const there = new Set(globSync('{*,docs/**,examples/**,src/**,bench/**,deploy/**}', { cwd: root }));
  expect(links.map((link) => link.replace(/\/$/, '')).filter((link) => !there.has(link))).toEqual([]);
});

test('every npm script that the rules name exists', () => {
  const { scripts } = JSON.parse(page('package.json'));
  const named = [...page('AGENTS.md').matchAll(/`npm (?:run )?([a-z]+)/g)].map((match) => match[1]!);
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((name) => !(name in scripts) && name !== 'ci')).toEqual([]);
});

test('nobody is told to fetch planwright by a name on a registry, which may be anybody’s', () => {
  const told = globSync(
    ['README.md', 'docs/*.md', 'deploy/*', 'bin/*', 'action.yml', 'examples/**/*', 'scripts/*'],
    {
      cwd: root,
      exclude: ['docs/risk-rules.md'],
      withFileTypes: true,
    },
  )
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  expect(told).toEqual(expect.arrayContaining(['README.md', 'deploy/Dockerfile', 'docs/guard.md']));
  const fetches =
    /\b(?:npx|bunx|npm (?:i|install|exec|add)|(?:pnpm|yarn|bun) (?:dlx|add|x))\b[^\n]*?[ "']planwright(?=[@\s"'`]|$)/m;
  for (const path of told) expect(fetches.exec(page(path))?.[0] ?? null, path).toBeNull();
});
