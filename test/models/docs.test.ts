import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CallOutcome } from '../../src/core/contract/index.ts';
import { providers } from '../../src/world/models/providers/catalogue.ts';

const page = readFileSync(new URL('../../docs/models.md', import.meta.url), 'utf8');
const tables = page.match(/(?:^\|.*\n)+/gm) ?? [];
const cells = (table = ''): string[][] =>
  table
    .trim()
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    );

test('the page names every provider, what finds it and what is used of it', () => {
  const documented = cells(tables[0]).map(([name, , , models]) => [name, models]);
  const actual = Object.entries(providers).map(([name, { models }]) => [
    name,
    models === null ? 'what the server has' : `${models.brain} (${models.fast})`,
  ]);
  expect(documented).toEqual(actual);
  for (const [name, foundBy, url] of cells(tables[0])) {
    const facts = providers[name!]!;
    if (facts.isFound)
      for (const variable of facts.keyVariables.filter(() => facts.needsKey))
        expect(foundBy).toContain(variable);
    if (facts.urlVariable !== null) expect(url).toBe(facts.urlVariable);
  }
});

test('the page names every way in which a call ends', () => {
  const endings = tables.find((table) => table.includes('rate-limited'));
  const documented = cells(endings).map(([, outcome]) => outcome);
  expect(documented.toSorted()).toEqual(CallOutcome.options.filter((outcome) => outcome !== 'ok').toSorted());
});
