// Usage: npm test [-- VITEST ARGUMENTS]
//
// Sets the system up, runs every test, and ends with the line "N passed, N failed". With CI=true everything runs at
// full length, and the programs of others that test/foreign runs against us are installed from its own lock file.

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

function setupForeign(): boolean {
  if (process.env['CI'] !== 'true') return true;
  const args = ['ci', '--prefix', 'test/foreign', '--no-audit', '--no-fund', '--loglevel=error'];
  return spawnSync('npm', args, { stdio: ['ignore', 2, 2] }).status === 0;
}

const count = setupSystem() && setupForeign() ? runVitest(process.argv.slice(2)) : { passed: 0, failed: 1 };
process.stdout.write(`${tally(count)}\n`);
process.exitCode = count.failed === 0 ? 0 : 1;
