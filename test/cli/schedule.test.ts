import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Bench, openBench, planOf } from '../support/cli.ts';

let bench: Bench;
beforeEach(() => {
  bench = openBench({ here: true });
});
afterEach(() => bench.clean());

it('a schedule is added, listed, shown, run, paused, agreed to and removed', async () => {
  bench.write('plan.yaml', planOf('echo one'));
  const say = async (...words: string[]) => {
    const { code, stdout, stderr } = await bench.run(['schedule', ...words]);
    return { code, said: stdout + stderr, stdout };
  };
  const times = ['--cron', '0 3 * * *', '--tz', 'Europe/Berlin', '--name', 'nightly'];
  const added = await say('add', 'plan.yaml', ...times);
  expect(added).toMatchObject({
    code: 0,
    said: expect.stringMatching(/active +0 3 \* \* \* .*nightly: next/),
  });
  const id = added.stdout.trim().split('\n')[0]!;
  expect((await say('show', 'nightly')).said).toMatch(/on ask wait, missed times: once/);
  const run = JSON.parse((await say('run', 'nightly', '--json')).stdout).run;
  expect((await bench.run(['resume', run])).code).toBe(0);
  expect((await say()).said).toContain(`last ${run} done`);
  expect((await say('pause', id.slice(0, 5))).code).toBe(0);
  expect((await say('pause', 'nightly')).said).toContain('it is paused already');

  bench.write('plan.yaml', planOf('echo two'));
  expect(await say('run', 'nightly')).toMatchObject({
    code: 2,
    said: expect.stringContaining('is not what was agreed to any more'),
  });
  const waiting = await bench.run(['waiting']);
  expect(waiting.stdout).toContain(`planwright schedule agree ${id}`);
  expect((await say('agree', 'nightly', '--yes')).code).toBe(0);
  expect((await say('resume', 'nightly')).code).toBe(0);
  expect((await say('remove', 'nightly')).code).toBe(0);
  expect((await say('list')).said).toContain('There are no schedules yet');
  expect((await say('add', 'plan.yaml')).said).toContain('takes a plan file and --cron');
});
