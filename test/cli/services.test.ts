import { existsSync, mkdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, openBench } from '../support/cli.ts';
import { eventually } from '../support/processes.ts';

let bench: Bench;
beforeEach(() => {
  bench = openBench({ here: true });
});
afterEach(async () => {
  await bench.run(['services', 'stop']);
  bench.clean();
});

const steps = (...actions: string[]) =>
  JSON.stringify({ goal: 'serve', plan: actions.map((action, n) => ({ step: `Step ${n + 1}`, action })) });
const listed = async (...more: string[]) =>
  JSON.parse((await bench.run(['services', '--json', ...more])).stdout);
const serve = `${process.execPath} -e "require('node:net').createServer().listen(0, () => console.log('up'))"`;
const site = `START site KEEP ${serve}`;

describe('a service that is kept', () => {
  it('is listed with its port, its log is read, and it is stopped after its run has ended', async () => {
    bench.write('plan.yaml', steps(site));
    const ran = await bench.run(['run', 'plan.yaml', '--yes']);
    const [service] = await listed();
    expect(service).toMatchObject({ name: 'site', keep: true, alive: true, runEnded: true });
    expect(ran.stderr).toContain(`until planwright services stop ${service.run}`);
    // As everywhere, a folder below is part of the one that has runs.
    mkdirSync(bench.path('below'));
    expect(await listed('-C', bench.path('below'))).toHaveLength(1);
    await eventually(async () => (await listed())[0].ports.length === 1, 'it listens');
    expect((await bench.run(['services'])).stdout).toMatch(/site {2}running · port \d+ · /);
    expect(await bench.run(['services', 'log', 'site'])).toMatchObject({ code: 0, stdout: 'up\n' });
    expect((await bench.run(['gc', '--keep-days', '0', '--keep-runs', '0'])).stdout).toBe('');
    expect(await bench.run(['services', 'stop', 'other'])).toMatchObject({ code: 2 });
    expect(await bench.run(['services', 'stop', service.run])).toMatchObject({ code: 0 });
    expect(await listed()).toEqual([]);
    expect((await bench.run(['show', '--events'])).stdout).toContain('services-stopped');
    expect(await bench.run(['services', 'stop', 'site'])).toMatchObject({ code: 2 });
  });

  it('is ended by a cancel of its run, which says so once', async () => {
    bench.write('plan.yaml', steps(site));
    await bench.run(['run', 'plan.yaml', '--yes']);
    expect(await listed()).toHaveLength(1);
    expect((await bench.run(['cancel'])).code).toBe(0);
    expect(await listed()).toEqual([]);
    expect((await bench.run(['cancel'])).code).toBe(2);
  });
});

describe('a service that is gone', () => {
  it('is started again where steps are left that may need it', async () => {
    const wait = 'touch waiting; until test -f go; do sleep 0.02; done';
    bench.write('plan.yaml', steps(`START site ${serve}`, `RUN_COMMAND ${wait}`, 'STOP site'));
    const killed = bench.start(['run', 'plan.yaml']);
    await eventually(() => existsSync(bench.path('waiting')), 'the step runs');
    killed.child.kill('SIGKILL');
    await killed.ended;
    const events = (await bench.run(['show', '--events'])).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { group } = events.find(({ type }) => type === 'process-spawned');
    process.kill(-group.pgid, 'SIGKILL');
    bench.write('go', '');
    const resumed = await bench.run(['resume', '--on-interrupt', 'rerun']);
    expect(resumed).toMatchObject({ code: 0, stderr: expect.stringContaining('its service site is gone') });
    const after = JSON.parse((await bench.run(['show', '--json'])).stdout);
    expect(after).toMatchObject({ state: 'done', stepsDone: 3, services: [] });
    expect(after.steps[0]).toMatchObject({ status: 'done', attempts: 2 });
  });
});
