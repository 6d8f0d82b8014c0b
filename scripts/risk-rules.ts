import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { riskRulesPage } from '../src/core/risk/index.ts';

/** Writes docs/risk-rules.md from the rules; `--check` only says whether it is up to date. */
const file = fileURLToPath(new URL('../docs/risk-rules.md', import.meta.url));
const page = riskRulesPage();
if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== page) {
    console.error('docs/risk-rules.md is out of date: run node scripts/risk-rules.ts');
    process.exitCode = 1;
  }
} else writeFileSync(file, page);
