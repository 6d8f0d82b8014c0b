import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { riskRulesPage } from '../../scripts/risk-rules.ts';
import { catalogue } from '../../src/core/risk/testing/catalogue.ts';

test('docs/risk-rules.md is what the rules say', () => {
  const written = readFileSync(new URL('../../docs/risk-rules.md', import.meta.url), 'utf8');
  expect(written, 'run node scripts/risk-rules.ts').toBe(riskRulesPage());
});

test('every rule is on the page', () => {
  const page = riskRulesPage();
  for (const { rules } of catalogue) for (const rule of rules) expect(page).toContain(`\`${rule.id}\``);
});
