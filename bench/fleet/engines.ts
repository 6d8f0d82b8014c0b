import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { PgBoss } from 'pg-boss';
import { defaultOptions, type Plan } from '../../src/core/contract/index.ts';
import { openApp } from '../../src/doors/app/app.ts';
import { ownerAt } from '../../src/doors/app/asker.ts';
import { type Database, end, type Stage, started } from './stage.ts';

/** What a step does: nothing, in the process that drives it; or a shell that does nothing. */
export type Work = 'nothing' | 'spawn';

/** How many have been begun, and how many of these have ended. */
export interface Count {
  begun: number;
  done: number;
}

/** Something that does many things of ten steps on a PostgreSQL, in processes that share them. */
export interface Engine {
  enqueue(count: number): Promise<void>;
  /** One more process. */
  work(): Promise<ChildProcess>;
  count(): Promise<Count>;
  close(): Promise<void>;
}

/** What it is compared with does all that there is at once. What meets in one worker is written together, so that places count. */
const PLACES = '32';

const countBy = async (at: Database, sql: string): Promise<Count> => (await at.query<Count>(sql))[0]!;

const bare = join(import.meta.dirname, 'bare');

export const planOf = (work: Work): Plan => ({
  goal: 'ten steps',
  shell: 'bash',
  revision: 0,
  steps: Array.from({ length: 10 }, (_, n) => ({
    id: `s${n}`,
    title: `Step ${n}`,
    action:
      work === 'spawn'
        ? { kind: 'run-command', command: 'true' }
        : { kind: 'list-files', pattern: '*.none', as: `list${n}` },
  })),
});

export async function planwright(stage: Stage, at: Database, bin: string, work: Work): Promise<Engine> {
  const env = {
    ...process.env,
    PLANWRIGHT_HOME: join(stage.folder, 'home'),
    PLANWRIGHT_DATABASE_URL: at.url,
    OLLAMA_HOST: 'http://127.0.0.1:9',
  };
  const app = await openApp({ env, cwd: stage.folder, leavesDriving: true });
  let made = 0;
  return {
    async enqueue(count) {
      const one = async () => {
        const workspace = join(stage.folder, `${work}-${made++}`);
        mkdirSync(workspace);
        await app.runs.create({
          plan: planOf(work),
          workspace: realpathSync(workspace),
          options: defaultOptions,
          agreed: ownerAt('terminal'),
        });
      };
      for (let n = 0; n < count; n += 1) await one();
    },
    async work() {
      const args = [bin, 'worker', '--json', '--concurrency', PLACES];
      return spawn(process.execPath, args, {
        cwd: stage.folder,
        env,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    },
    count: () =>
      countBy(
        at,
        `SELECT count(*) FILTER (WHERE l.ended_at IS NOT NULL)::int AS done,
           count(*) FILTER (WHERE s.epoch > 0)::int AS begun
         FROM planwright.streams s JOIN planwright.listing l ON l.stream = s.id`,
      ),
    close: () => app.close(),
  };
}

/** It is not limited in how many it does at a time, and looks ten times as often as it would by itself. */
export async function dbos(stage: Stage, at: Database, work: Work): Promise<Engine> {
  if (!existsSync(join(bare, 'node_modules'))) {
    const { status } = spawnSync('npm', ['ci', '--prefix', bare, '--no-audit', '--no-fund'], {
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error('DBOS could not be installed');
  }
  const program = join(bare, 'dbos.js');
  const begin = () => started([program, 'work', at.url, work], { cwd: stage.folder });
  // The first makes its tables.
  await end([await begin()]);
  return {
    async enqueue(count) {
      execFileSync(process.execPath, [program, 'enqueue', at.url, String(count)], { stdio: 'inherit' });
    },
    work: begin,
    count: () =>
      countBy(
        at,
        `SELECT count(*) FILTER (WHERE status = 'SUCCESS')::int AS done,
           count(*) FILTER (WHERE status <> 'ENQUEUED')::int AS begun FROM dbos.workflow_status`,
      ),
    close: async () => {},
  };
}

/** One job, where the others have ten steps and a journal of them. */
export async function boss(stage: Stage, at: Database): Promise<Engine & { send(): Promise<unknown> }> {
  const sender = new PgBoss({ connectionString: at.url, schema: 'bare', supervise: false, schedule: false });
  await sender.start();
  if ((await sender.getQueue('jobs')) === null) await sender.createQueue('jobs', { notify: true });
  return {
    async enqueue(count) {
      await sender.insert(
        'jobs',
        Array.from({ length: count }, () => ({ data: {} })),
      );
    },
    send: () => sender.send('jobs', {}),
    work: () => started([join(bare, 'boss.ts'), at.url], { cwd: stage.folder }),
    count: () =>
      countBy(
        at,
        `SELECT count(*) FILTER (WHERE state = 'completed')::int AS done,
           count(*) FILTER (WHERE state >= 'active')::int AS begun FROM bare.job WHERE name = 'jobs'`,
      ),
    close: () => sender.stop({ graceful: false, close: true }),
  };
}
