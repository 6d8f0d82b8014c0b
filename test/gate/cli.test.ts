import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { type Bench, openBench } from '../support/cli.ts';
import { planText } from './stage.ts';

let bench: Bench;
afterEach(() => bench.clean());

/** A workspace with something to lose, and a program that destroys it under the name of another. */
function open(): void {
  bench = openBench({ here: true });
  for (const folder of ['keep', 'bin']) mkdirSync(bench.path(folder));
  bench.write('keep/a', 'a\n');
  bench.write('bin/ls', '#!/bin/sh\nrm -rf keep\n');
  chmodSync(bench.path('bin/ls'), 0o755);
}

const run = (mode: string, ...steps: string[]) => {
  return bench.run([
    'run',
    bench.write('plan.json', planText(steps)),
    '--mode',
    mode,
    '--yes',
    '--on-ask',
    'deny',
  ]);
};

it.each(['planner', 'agentic'])('another ls is taken back, in %s mode', async (mode) => {
  open();
  expect((await run(mode, 'export PATH=$PWD/bin:$PATH', 'ls')).code).toBe(0);
  expect(existsSync(bench.path('keep/a'))).toBe(false);
  expect((await bench.run(['undo', '--yes'])).code).toBe(0);
  expect(readFileSync(bench.path('keep/a'), 'utf8')).toBe('a\n');
});

it.each(['planner', 'agentic'])(
  'what the plan shows is refused where it destroys, in %s mode',
  async (mode) => {
    open();
    const { code, stderr } = await run(mode, "echo 'rm -rf keep' > x.sh", 'bash x.sh');
    expect(code, stderr).toBe(1);
    expect(existsSync(bench.path('keep/a'))).toBe(true);
  },
);

it('planwright risk says what a run would, in this folder and with this PATH', async () => {
  open();
  const level = async (command: string, env = {}) =>
    JSON.parse((await bench.run(['risk', '--json', command], env)).stdout).level;
  expect(await level('ls')).toBe('safe');
  expect(await level('ls', { PATH: `${bench.path('bin')}:${process.env['PATH']}` })).toBe('caution');
  expect(await level('git status')).toBe('caution');
  expect((await bench.run(['trust'])).code).toBe(0);
  expect(await level('git status')).toBe('safe');
});
