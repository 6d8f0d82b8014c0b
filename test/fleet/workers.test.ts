import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bench, openBench, planOf } from '../support/cli.ts';
import { freshDatabase, hasPostgres } from '../support/postgres.ts';
import type { Running } from '../support/processes.ts';

describe.skipIf(!hasPostgres)('workers of a fleet', () => {
  let bench: Bench;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  const running: Running[] = [];
  beforeAll(async () => {
    bench = openBench({ here: true });
    database = await freshDatabase();
  });
  afterAll(async () => {
    for (const one of running) one.child.kill('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    await database.drop();
    bench.clean();
  });

  const worker = () => {
    const one = bench.start(['worker', '--json', '--concurrency', '1', '--database', database.url]);
    running.push(one);
    return one;
  };
  /** Leaves a run to whoever drives. */
  const leave = async (plan: string): Promise<string> => {
    bench.write('plan.json', plan);
    const { code, stdout, stderr } = await bench.run([
      'run',
      'plan.json',
      '--yes',
      '--detach',
      '--database',
      database.url,
    ]);
    expect(code, stderr).toBe(0);
    return stdout.trim();
  };
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const stateOf = async (id: string) => {
    const { stdout } = await bench.run(['runs', '--json', '--database', database.url]);
    return (JSON.parse(stdout) as { id: string; state: string }[]).find((row) => row.id === id)?.state;
  };
  /** A worker says of each run that it came to rest. */
  const rested = async (one: Running, id: string) => {
    await one.says(`"id":"${id}"`);
    return stateOf(id);
  };

  test('one that is told to end rests at a boundary, and another goes on from there; one that is killed is taken over', async () => {
    const [first, log] = [worker(), bench.path('log')];
    const waits = `echo one >> ${log}; while [ ! -e ${bench.path('go')} ]; do sleep 0.05; done`;
    const rests = await leave(planOf(waits, `echo two >> ${log}`));
    await until(() => existsSync(log));
    first.child.kill('SIGTERM');
    writeFileSync(bench.path('go'), '');
    expect((await first.ended).code).toBe(0);

    const second = worker();
    expect(await rested(second, rests)).toBe('done');
    expect(readFileSync(log, 'utf8')).toBe('one\ntwo\n');

    const begun = bench.path('begun');
    const lost = await leave(planOf(`echo begun >> ${begun}; sleep 600`, 'true'));
    await until(() => existsSync(begun));
    second.child.kill('SIGKILL');
    const third = worker();
    expect(await rested(third, lost)).toBe('paused');
    expect(readFileSync(begun, 'utf8')).toBe('begun\n');
    third.child.kill('SIGTERM');
    expect((await third.ended).code).toBe(0);
  });

  test('a journal of one machine goes to the database whole, and commands find it there', async () => {
    bench.write('plan.json', planOf('echo carried'));
    expect((await bench.run(['run', 'plan.json', '--yes'])).code).toBe(0);
    const { url, drop } = await freshDatabase();
    const moved = await bench.run([
      'migrate',
      '--from',
      'sqlite',
      '--to',
      'postgres',
      '--database',
      url,
      '--json',
    ]);
    expect(moved.code, moved.stderr).toBe(0);
    expect(JSON.parse(moved.stdout)).toMatchObject({ streams: 1, logs: 1, leftLogs: [] });
    // From now on the usual variable names it too.
    const { stdout } = await bench.run(['logs'], { DATABASE_URL: url });
    expect(stdout).toContain('carried');
    await drop();
  });
});
