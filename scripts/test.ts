// Usage: npm test [-- VITEST ARGUMENTS]
//
// Sets the system up, runs every test, and ends with the line "N passed, N failed".

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setupSystem } from './setup-system.js';
import { countTests, tally } from './tally.ts';

function runVitest(args: string[]): { passed: number; failed: number } {
  const folder = mkdtempSync(join(tmpdir(), 'planwright-test-'));
  const report = join(folder, 'report.json');
  try {
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json'];
    const ran = spawnSync(process.execPath, [...vitest, `--outputFile.json=${report}`, ...args], {
      stdio: 'inherit',
    });
    return countTests(report, ran.status);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const count = setupSystem() ? runVitest(process.argv.slice(2)) : { passed: 0, failed: 1 };
process.stdout.write(`${tally(count)}\n`);
process.exitCode = count.failed === 0 ? 0 : 1;
