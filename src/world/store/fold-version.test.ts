import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { foldSources } from './fold-version.ts';

const core = new URL('../../core/', import.meta.url);

test('a snapshot of any kind is thrown away when the fold of that kind has changed', () => {
  const sources = foldSources();
  const folding = globSync('**/*.ts', { cwd: core })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => new URL(file, core))
    .filter((file) => /^export (?:const|function) evolve/m.test(readFileSync(file, 'utf8')));
  expect(folding.length).toBeGreaterThan(7);
  expect(folding.filter((file) => !sources.has(file.href)).map(String)).toEqual([]);
});
