import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Bench, openBench, planOf } from '../support/cli.ts';

let bench: Bench;
beforeEach(() => {
  bench = openBench({ here: true });
});
afterEach(() => bench.clean());

const rows = async () => JSON.parse((await bench.run(['runs', '--json'])).stdout);
const log = () => readFileSync(bench.path('log'), 'utf8');

test('a failed step is edited and the run goes on; a plan file that changed is said, and can be taken', async () => {
  bench.write('plan.json', planOf('echo 1 >> log', 'exit 3', 'echo 3 >> log'));
  expect((await bench.run(['run', 'plan.json', '--yes'])).code).toBe(1);
  expect((await bench.run(['resume'])).stderr).not.toContain('has changed since');

  bench.write('plan.json', planOf('echo 1 >> log', 'echo two >> log; exit 4', 'echo three >> log'));
  const resumed = await bench.run(['resume']);
  expect(resumed).toMatchObject({ code: 1, stderr: expect.stringContaining('plan.json has changed since') });
  expect(log()).toBe('1\n');
  expect((await bench.run(['edit', '--plan', 'plan.json'])).code).toBe(1);
  expect(log()).toBe('1\ntwo\n');

  const nobody = await bench.run(['edit']);
  expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining('--action') });
  expect((await bench.run(['edit', '--step', '1', '--action', 'RUN_COMMAND true'])).stderr).toContain(
    'Refused',
  );
  const stayed = await bench.run(['edit', '--action', 'RUN_COMMAND echo 2 >> log', '--stay']);
  expect(stayed.code, stayed.stderr).toBe(0);
  expect((await rows())[0]).toMatchObject({ state: 'failed' });
  expect((await bench.run(['resume'])).code).toBe(0);
  expect(log()).toBe('1\ntwo\n2\nthree\n');
});

test('again runs a plan once more: whole, from the failed step, with other inputs; fork from any', async () => {
  bench.write(
    'plan.yaml',
    JSON.stringify({
      goal: 'g',
      inputs: [{ name: 'who', default: 'me' }],
      plan: ['echo hello {who} >> log', 'test -f ready', 'echo c >> log'].map((command, n) => ({
        step: 'abc'[n],
        action: `RUN_COMMAND ${command}`,
      })),
    }),
  );
  expect((await bench.run(['run', 'plan.yaml', '--yes'])).code).toBe(1);
  const [{ id }] = await rows();
  bench.write('ready', '');
  expect(await bench.run(['again', id, '--from-failed', '--yes'])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`This is run ${id} again, without 1 step of its plan.`),
  });
  expect(log()).toBe('hello me\nc\n');
  expect((await bench.run(['again', id, '--set', 'who=you', '--yes'])).code).toBe(0);
  expect(log()).toBe('hello me\nc\nhello you\nc\n');
  // The latest here has the other input.
  expect((await bench.run(['again', '--yes'])).code).toBe(0);
  expect(log()).toBe('hello me\nc\nhello you\nc\nhello you\nc\n');
  expect((await bench.run(['fork', '--from', 'c', '--yes'])).code).toBe(0);
  expect(log()).toMatch(/hello you\nc\nc\n$/);
  expect((await bench.run(['fork'])).code).toBe(2);
  expect((await bench.run(['again', '--from-failed'])).stderr).toContain('no step of this run has failed');
  const whole = JSON.parse((await bench.run(['show', '--events'])).stdout.split('\n')[0]!);
  expect(whole.parent.stepId).toBe('s3');
});
