// Usage: npm run check
//
// Format and lint, types, arrows, unused code. They share nothing, so they run at once; each one's output is
// shown whole, and only where it failed. Ends with the line "N passed, N failed".

import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { tally } from './tally.ts';

interface Check {
  name: string;
  /** What to do about a failure. */
  advice: string;
  args: string[];
}

const checks: Check[] = [
  {
    name: 'format and lint',
    advice: 'npx biome check --write',
    args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  },
  {
    name: 'types',
    advice: 'src/ is checked with erasable syntax only',
    args: ['node_modules/typescript-native/bin/tsc', '-p', '.'],
  },
  {
    name: 'types of the page',
    advice: 'web/ is checked for browsers, with web/tsconfig.json',
    args: ['node_modules/typescript-native/bin/tsc', '-p', 'web'],
  },
  { name: 'arrows', advice: 'ARCHITECTURE.md says who may import whom', args: ['scripts/arrows.ts'] },
  {
    name: 'unused code',
    advice: 'remove it, or give knip.json an exception with its reason',
    args: ['node_modules/knip/bin/knip.js', '--treat-config-hints-as-errors'],
  },
];

interface Outcome {
  check: Check;
  ok: boolean;
  output: string;
  ms: number;
}

/** Never rejects: a check that cannot be started has failed. */
function perform(check: Check): Promise<Outcome> {
  const start = performance.now();
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    const end = (ok: boolean): void =>
      resolve({ check, ok, output: Buffer.concat(chunks).toString(), ms: performance.now() - start });
    const child = spawn(process.execPath, check.args, { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', (error) => {
      chunks.push(Buffer.from(error.message));
      end(false);
    });
    child.on('close', (code) => end(code === 0));
  });
}

const outcomes = await Promise.all(checks.map(perform));
for (const { check, output } of outcomes.filter(({ ok }) => !ok)) {
  process.stdout.write(`── ${check.name} ──\n${output.trim()}\n\n`);
}
for (const { check, ok, ms } of outcomes) {
  const line = `${ok ? '✓' : '✗'} ${check.name.padEnd(16)} ${(ms / 1000).toFixed(1)} s`;
  process.stdout.write(ok ? `${line}\n` : `${line}  → ${check.advice}\n`);
}
const failed = outcomes.filter(({ ok }) => !ok).length;
process.stdout.write(`${tally({ passed: outcomes.length - failed, failed })}\n`);
process.exitCode = failed === 0 ? 0 : 1;
