import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Bench, openBench, planOf } from '../support/cli.ts';
import { eventually } from '../support/processes.ts';

let bench: Bench;
beforeEach(() => {
  bench = openBench({ here: true });
});
afterEach(() => bench.clean());

const folder = (name: string) => {
  mkdirSync(bench.path(name), { recursive: true });
  return bench.path(name);
};
const rows = async (...args: string[]) =>
  JSON.parse((await bench.run(['runs', '--json', ...args])).stdout) as [{ id: string }, ...{ id: string }[]];
const run = async (where: string, ...commands: string[]) => {
  bench.write('plan.json', planOf(...commands));
  const ended = await bench.run(['run', 'plan.json', '--yes', '-C', where, '--on-ask', 'park']);
  return { ...ended, id: (await rows('-C', where))[0].id };
};

test('a missing run is never one of another folder, and a beginning of an id does not cross over', async () => {
  const [victim, other] = [folder('victim'), folder('other')];
  folder('victim/src/deep');
  // Each is a project of its own: nothing above them is theirs.
  for (const name of ['victim', 'other']) mkdirSync(bench.path(`${name}/.git`));
  const { id } = await run(victim, 'echo "worth keeping" > report.txt');
  const report = join(victim, 'report.txt');
  for (const args of [
    ['undo', '--yes'],
    ['undo', id.slice(0, 6), '--yes'],
    ['cancel'],
    ['resume'],
    ['show'],
  ]) {
    if (args[0] === 'show')
      expect((await bench.run([...args, '-C', other])).stderr).toContain('no run is in');
    expect((await bench.run([...args, '-C', other])).code, args.join(' ')).toBe(2);
  }
  expect(existsSync(report)).toBe(true);
  // What is only looked at may be named so, and it is said where it is; a number of a step is no name.
  const looked = await bench.run(['show', id.slice(0, 6), '-C', other]);
  expect(looked).toMatchObject({ code: 0, stderr: expect.stringContaining(`Run ${id} is of ${victim}.`) });
  expect((await bench.run(['show', id.slice(0, 3), '-C', victim])).stderr).toContain('too short');
  // From below, the folder above that has runs is meant, as git finds its root.
  expect(await rows('-C', join(victim, 'src/deep'))).toMatchObject([{ id }]);
  const undone = await bench.run(['undo', '--yes', '-C', join(victim, 'src/deep')]);
  expect(undone).toMatchObject({ code: 0, stderr: expect.stringContaining(`Run ${id} is of ${victim}.`) });
  expect(existsSync(report)).toBe(false);
});

test('undo without a name takes no undo back, and goes on with one that left conflicts', async () => {
  for (const name of ['a.txt', 'b.txt']) bench.write(name, 'one\n');
  bench.write(
    'plan.json',
    JSON.stringify({
      goal: 'g',
      plan: [
        {
          step: 'w',
          action: 'RUN_COMMAND echo two > a.txt; echo two > b.txt',
          undo: 'RUN_COMMAND echo once >> undone.log',
        },
      ],
    }),
  );
  await bench.run(['run', 'plan.json', '--yes']);
  const [{ id }] = await rows();
  bench.write('a.txt', 'mine\n');
  const first = await bench.run(['undo', '--yes']);
  expect(first.stderr).toContain(`planwright undo ${id} --overwrite PATH`);
  const second = await bench.run(['undo', '--yes', '--overwrite', 'a.txt']);
  expect(second.stderr).toContain('is an undo');
  expect(second.stderr).toContain(`Run ${id} was undone by`);
  const read = (name: string) => readFileSync(bench.path(name), 'utf8');
  expect([read('a.txt'), read('b.txt'), read('undone.log')]).toEqual(['one\n', 'one\n', 'once\n']);
});

test('cancel takes what works, resume what can go on; several are listed and nothing is done', async () => {
  const failing = await run(bench.workspace, 'echo 1 >> log; test -f ready', 'echo 2 >> log');
  await run(bench.workspace, 'true');
  bench.write('slow.json', planOf('touch started; sleep 600'));
  const working = bench.start(['run', 'slow.json', '--yes']);
  await eventually(() => existsSync(bench.path('started')), 'the step runs');
  const [{ id: slow }] = await rows();
  // Newer, and turned away by the one that works here: nobody drives it.
  expect((await run(bench.workspace, 'touch later')).code).toBe(3);
  expect((await bench.run(['cancel'])).stderr).toContain(`Cancelled: run ${slow}`);
  expect((await working.ended).code).toBe(1);

  const several = await bench.run(['resume']);
  expect(several.code).toBe(2);
  expect(several.stderr).toContain('2 runs could be meant');
  expect(several.stderr).toContain(failing.id);
  expect(existsSync(bench.path('later'))).toBe(false);
  await bench.run(['cancel', (await rows())[0].id]);
  bench.write('ready', '');
  expect((await bench.run(['resume'])).code).toBe(0);
  expect(readFileSync(bench.path('log'), 'utf8')).toBe('1\n1\n2\n');
  expect((await bench.run(['resume'])).stderr).toContain('can go on');
});

test('approve without a name approves nothing of another folder', async () => {
  const [here, there] = [folder('here'), folder('there')];
  for (const name of ['here', 'there']) mkdirSync(bench.path(`${name}/.git`));
  bench.write('there/keep', '');
  await run(there, 'rm -rf keep');
  const ended = await bench.run(['approve', '-C', here]);
  expect(ended.code).toBe(2);
  expect(existsSync(bench.path('there/keep'))).toBe(true);
  expect((await bench.run(['approve', '-C', there])).code).toBe(0);
  expect(existsSync(bench.path('there/keep'))).toBe(false);
});
