// Usage: npm test [-- VITEST ARGUMENTS]
//
// Sets the system up, runs every test, and ends with the line "N passed, N failed". With CI=true everything runs at
// full length and on the disk, and the programs of others that test/foreign runs against us are installed from its own
// lock file.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inMemory } from './in-memory.ts';
import { setupSystem } from './setup-system.js';
import { countTests, tally } from './tally.ts';

const isFullLength = process.env['CI'] === 'true';

function runVitest(args: string[]): { passed: number; failed: number } {
  const cache = join(import.meta.dirname, '../node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'test-'));
  const report = join(folder, 'report.json');
  try {
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json'];
    const command = [process.execPath, ...vitest, `--outputFile.json=${report}`, ...args];
    const [program = '', ...rest] = isFullLength ? command : inMemory(command);
    const ran = spawnSync(program, rest, { stdio: 'inherit' });
    return countTests(report, ran.status);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function setupForeign(): boolean {
  if (!isFullLength) return true;
  const args = ['ci', '--prefix', 'test/foreign', '--no-audit', '--no-fund', '--loglevel=error'];
  return spawnSync('npm', args, { stdio: ['ignore', 2, 2] }).status === 0;
}

const count = setupSystem() && setupForeign() ? runVitest(process.argv.slice(2)) : { passed: 0, failed: 1 };
process.stdout.write(`${tally(count)}\n`);
process.exitCode = count.failed === 0 ? 0 : 1;
