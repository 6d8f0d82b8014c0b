import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, openBench, planOf } from '../support/cli.ts';
import { eventually, processesOf, start } from '../support/processes.ts';
import { BIN } from '../support/program.ts';

let bench: Bench;
beforeEach(() => {
  bench = openBench({ here: true });
});
afterEach(() => bench.clean());

const rows = async () => JSON.parse((await bench.run(['runs', '--json'])).stdout);
const asked = (times: number) => async () =>
  (await bench.run(['show', '--events'])).stdout.split('pause-requested').length > times;

describe('a process that is told to end', () => {
  it('rests its run, ends the step that does not, and the run can be resumed', async () => {
    bench.write('plan.yaml', planOf('test -f go || { touch started; sleep 600; }', 'echo two'));
    const ended = bench.start(['run', 'plan.yaml']);
    await eventually(() => existsSync(bench.path('started')), 'the step runs');
    ended.child.kill('SIGTERM');
    await eventually(asked(1), 'it is asked');
    // Without a second one the step would have its grace.
    ended.child.kill('SIGHUP');
    expect(await ended.ended).toMatchObject({ code: 130, stderr: expect.stringContaining('will rest') });
    const [run] = await rows();
    expect(run).toMatchObject({ state: 'paused', stopReason: 'paused', stepsDone: 0 });
    expect(processesOf(run.id)).toEqual([]);
    bench.write('go', '');
    expect(await bench.run(['resume'])).toMatchObject({ code: 0, stdout: 'two\n' });
  });

  it('and only watches leaves the run to its driver', async () => {
    bench.write('plan.yaml', planOf('touch started; until test -f go; do sleep 0.02; done'));
    const driver = bench.start(['run', 'plan.yaml']);
    await eventually(() => existsSync(bench.path('started')), 'the step runs');
    const watcher = bench.start(['resume', '--json']);
    await watcher.says('resume-requested');
    watcher.child.kill('SIGTERM');
    expect(await watcher.ended).toMatchObject({ code: 130, stderr: expect.stringContaining('goes on') });
    expect(await rows()).toMatchObject([{ state: 'running' }]);
    bench.write('go', '');
    expect((await driver.ended).code).toBe(0);
  });
});

describe('a run whose process was killed', () => {
  it('is listed and shown as one that nobody drives, and its time stands still', async () => {
    bench.write('plan.yaml', planOf('touch started; sleep 600'));
    const killed = bench.start(['run', 'plan.yaml']);
    await eventually(() => existsSync(bench.path('started')), 'the step runs');
    expect((await rows())[0].undrivenSince).toBeUndefined();
    killed.child.kill('SIGKILL');
    await killed.ended;
    const [run] = await rows();
    expect(run).toMatchObject({ state: 'running', undrivenSince: expect.any(Number) });
    expect((await bench.run(['runs'])).stdout).toContain('running, no driver');
    const shown = async () => (await bench.run(['show'])).stdout;
    const first = await shown();
    expect(first).toContain('Running step 1 of 1: no driver for');
    const took = (text: string) => /Took +(.+)/.exec(text)?.[1];
    expect(took(await shown())).toBe(took(first));
    // Nothing more comes: whoever follows it is not kept waiting.
    expect((await bench.run(['logs', '-f'])).code).toBe(0);
    await bench.run(['cancel']);
    expect(processesOf(run.id)).toEqual([]);
  });
});

describe('a reader that has gone', () => {
  const piped = (command: string) =>
    start('bash', ['-c', `${command}; echo "${'$'}{PIPESTATUS[0]}"`], {
      cwd: bench.workspace,
      env: { ...process.env, CI: '', PLANWRIGHT_HOME: bench.home, PW: `${process.execPath} ${BIN}` },
    }).ended;

  it('stops no run, and nothing is said of it', async () => {
    const many = ['echo one', 'echo two', 'seq 1 20000', 'touch last'];
    bench.write('plan.yaml', planOf(...many));
    const plain = await piped('$PW run plan.yaml --yes | head -1');
    expect(plain).toMatchObject({ stdout: 'one\n0\n', stderr: expect.not.stringMatching(/EPIPE|node:/) });
    const json = await piped('$PW run plan.yaml --yes --json | head -1');
    expect(json).toMatchObject({ stdout: expect.stringMatching(/\n0\n$/), stderr: '' });
    expect(await rows()).toMatchObject([{ state: 'done' }, { state: 'done' }]);
    for (const command of ['logs', 'logs -f', 'config list', 'help', 'show --events']) {
      const { stdout, stderr } = await piped(`$PW ${command} | head -1`);
      expect(stdout, command).toMatch(/\n0\n$/);
      expect(stderr, command).not.toMatch(/EPIPE|node:/);
    }
  });
});
