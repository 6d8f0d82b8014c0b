import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { makeServer, serverIn, startServer, stopServer } from '../../test/support/postgres-server.ts';

/** As an installation has it: what is committed is on the disk. */
const durable = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', shared_buffers: '128MB' };

export interface Database {
  url: string;
  query<R>(sql: string, values?: unknown[]): Promise<R[]>;
  close(): Promise<void>;
}

/** One PostgreSQL for all that is measured, with a database for each. */
export interface Stage {
  folder: string;
  database(name: string): Promise<Database>;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'planwright-bench-')));
  const server = mkdtempSync(join(tmpdir(), 'pw-pg-'));
  makeServer(server);
  await startServer(server, process.pid, durable);
  const { url } = serverIn(server);
  return {
    folder,
    async database(name) {
      const root = new pg.Client({ connectionString: url });
      await root.connect();
      await root.query(`CREATE DATABASE ${name}`).finally(() => root.end());
      const own = url.replace('/postgres?', `/${name}?`);
      const client = new pg.Client({ connectionString: own });
      await client.connect();
      return {
        url: own,
        query: async (sql, values = []) => (await client.query(sql, values)).rows,
        close: () => client.end(),
      };
    },
    async close() {
      await stopServer(server, 'SIGQUIT');
      for (const one of [folder, server]) rmSync(one, { recursive: true, force: true });
    },
  };
}

/** Starts a program and resolves when it has said something. */
export async function started(args: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
  mkdirSync(options.cwd, { recursive: true });
  const child = spawn(process.execPath, [...args], { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const _line of createInterface({ input: child.stdout! })) break;
  child.stdout!.resume();
  return child;
}

export async function end(children: readonly ChildProcess[]): Promise<void> {
  await Promise.all(
    children.map(async (child) => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    }),
  );
}

/** Whoever counts shares the processor with those who are counted: of what takes seconds this is less than one in a hundred. */
const COUNT_MS = 20;

/** How many a second are done, from when the first is begun to when the last has ended: starting up is not counted. */
export async function rateOf(
  count: () => Promise<{ begun: number; done: number }>,
  all: number,
): Promise<number> {
  let begunAt: number | null = null;
  for (;;) {
    const { begun, done } = await count();
    const now = performance.now();
    if (begun > 0) begunAt ??= now;
    if (done >= all) return (all / (now - begunAt!)) * 1000;
    await sleep(COUNT_MS);
  }
}
