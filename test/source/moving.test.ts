import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventOf, RunEvent } from '../../src/core/contract/index.ts';
import { type Bench, openBench } from '../support/cli.ts';
import { freshDatabase, hasPostgres } from '../support/postgres.ts';
import type { Running } from '../support/processes.ts';

/** Two machines, as far as anybody can tell: each has its name, its home and its cache. */
describe.skipIf(!hasPostgres)('runs of a git source on a fleet', () => {
  let bench: Bench;
  let folder: string;
  let origin: string;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let journal: pg.Client;
  const workers = new Map<string, Running>();
  const path = (name: string) => join(folder, name);
  // Who is not heard of for half of it ends what it does: on a busy machine that is not to be a second.
  const settings = { PLANWRIGHT_SOURCE_PROTOCOLS: 'file', PLANWRIGHT_LEASE: '10' };
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, encoding: 'utf8' });

  beforeAll(async () => {
    bench = openBench({ here: true });
    folder = mkdtempSync(join(tmpdir(), 'planwright-moving-'));
    origin = path('app.git');
    git(folder, 'init', '-q', '--bare', '-b', 'main', origin);
    git(folder, 'init', '-q', '-b', 'main', 'work');
    writeFileSync(path('work/tracked.txt'), 'as agreed\n');
    git(path('work'), 'add', '-A');
    git(path('work'), 'commit', '-q', '-m', 'one');
    git(path('work'), 'push', '-q', origin, 'main');
    database = await freshDatabase();
    journal = new pg.Client({ connectionString: database.url });
    await journal.connect();
  });
  afterAll(async () => {
    for (const { child } of workers.values()) child.kill('SIGKILL');
    await Promise.all([...workers.values()].map(({ ended }) => ended));
    await journal.end();
    await database.drop();
    bench.clean();
    rmSync(folder, { recursive: true, force: true });
  });

  const startWorker = (host: string) => {
    const env = { ...settings, PLANWRIGHT_HOST: host, PLANWRIGHT_HOME: path(`home-${host}`) };
    workers.set(
      host,
      bench.start(['worker', '--json', '--concurrency', '1', '--database', database.url], env),
    );
  };
  const lose = async (host: string) => {
    const worker = workers.get(host)!;
    worker.child.kill('SIGKILL');
    await worker.ended;
    workers.delete(host);
  };
  const leave = async (steps: object[], ...flags: string[]): Promise<string> => {
    bench.write('plan.json', JSON.stringify({ goal: 'a plan', plan: steps }));
    const args = ['run', 'plan.json', '--yes', '--detach', '--source', `${origin}#main`];
    const { code, stdout, stderr } = await bench.run(
      [...args, ...flags, '--database', database.url],
      settings,
    );
    expect(code, stderr).toBe(0);
    return stdout.trim();
  };
  const eventsOf = async (run: string): Promise<RunEvent[]> => {
    const sql = `SELECT e.body FROM planwright.events e JOIN planwright.streams s ON s.id = e.stream
      WHERE s.name = $1 ORDER BY e.seq`;
    return (await journal.query<{ body: string }>(sql, [run])).rows.map(({ body }) => JSON.parse(body));
  };
  /** Waits for it; what there is instead is told where it does not come. */
  const event = async <T extends RunEvent['type']>(run: string, type: T): Promise<EventOf<T>> => {
    for (let looks = 0; ; looks += 1) {
      const events = await eventsOf(run);
      const found = events.findLast((one): one is EventOf<T> => one.type === type);
      if (found !== undefined) return found;
      if (looks > 1000) throw new Error(`no ${type}: ${events.map((one) => one.type).join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const hostsOf = async (run: string) =>
    (await eventsOf(run)).flatMap((one) => (one.type === 'place-taken' ? [one.place.host] : []));

  test('whose machine is lost between two attempts goes on elsewhere with all that it had; one that was in the middle of a step asks', async () => {
    startWorker('one');
    startWorker('two');
    const moved = await leave([
      {
        step: 'Make',
        action: 'RUN_COMMAND echo made > made.txt && mkdir empty && export WHERE="$PWD" && cd empty',
      },
      {
        step: 'Wait',
        action: `RUN_COMMAND test -e ${path('flag')}`,
        retry: { times: 10, delay: '15s' },
      },
      {
        step: 'Tell',
        action: 'RUN_COMMAND cat ../made.txt ../tracked.txt && test "$PWD" = "$WHERE/empty"',
      },
    ]);
    await event(moved, 'step-retried');
    const [first = ''] = await hostsOf(moved);
    const second = first === 'one' ? 'two' : 'one';
    await lose(first);
    writeFileSync(path('flag'), '');
    // What is agreed on is the commit, whatever becomes of the branch.
    writeFileSync(path('work/tracked.txt'), 'changed since\n');
    git(path('work'), 'commit', '-qam', 'two');
    git(path('work'), 'push', '-q', origin, 'main');
    expect(await event(moved, 'run-finished')).toMatchObject({ outcome: 'done', reason: 'completed' });
    expect(await hostsOf(moved)).toEqual([first, second]);
    expect((await event(moved, 'step-completed')).result.stdoutTail).toBe('made\nas agreed\n');

    // Whatever was said beforehand, it may still run there.
    const lost = await leave(
      [
        {
          step: 'Long',
          action: `RUN_COMMAND while [ ! -e ${path('end')} ]; do sleep 0.2; done`,
        },
      ],
      ...['--on-ask', 'park', '--on-interrupt', 'rerun'],
    );
    await event(lost, 'process-spawned');
    await lose(second);
    startWorker(first);
    await event(lost, 'interrupt-asked');
    expect(await event(lost, 'step-interrupted')).toMatchObject({ finding: 'unknown', host: second });
    expect(await hostsOf(lost)).toEqual([second, first]);
    expect((await eventsOf(lost)).filter(({ type }) => type === 'step-started')).toHaveLength(1);
    writeFileSync(path('end'), '');
  });
});
