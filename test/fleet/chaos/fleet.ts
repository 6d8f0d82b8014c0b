import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '../../../src/core/contract/index.ts';
import { makeServer, serverIn, startServer, stopServer } from '../../support/postgres-server.ts';
import { type Running, start } from '../../support/processes.ts';
import { BIN } from '../../support/program.ts';

const token = 'a-token-that-is-long-enough-for-tests';

/** What is committed is on the disk: a server that crashes loses none of it. */
const durable = { synchronous_commit: 'on' };

interface Member {
  name: string;
  role: 'worker' | 'server';
  running: Running;
  /** Of a server, once it listens. */
  url: Promise<string> | null;
}

/** A PostgreSQL of its own, with workers and servers as processes; each of them may be killed, and comes back. */
export interface Fleet {
  folder: string;
  url: string;
  members: readonly Member[];
  /** Over whichever server answers: what one does not, another is asked. */
  client: Client;
  /** SIGKILL, and another in its place; the pid of the dead one. */
  kill(member: Member): Promise<number>;
  restartPostgres(how: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  close(): Promise<void>;
}

export async function openFleet(workers: number, servers: number, concurrency: number): Promise<Fleet> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pw-fleet-')));
  const database = mkdtempSync(join(tmpdir(), 'pw-pg-'));
  makeServer(database);
  await startServer(database, process.pid, durable);
  const { url } = serverIn(database);

  const { CI: _ci, FORCE_COLOR: _color, ...inherited } = process.env;
  const env = (home: string) => ({
    ...inherited,
    PLANWRIGHT_HOME: join(folder, home),
    PLANWRIGHT_DATABASE_URL: url,
    PLANWRIGHT_CONCURRENCY: String(concurrency),
    PLANWRIGHT_CHECKPOINTS: 'off',
    PLANWRIGHT_TOKEN: token,
    OLLAMA_HOST: 'http://127.0.0.1:9',
  });
  const begin = (member: Pick<Member, 'name' | 'role'>): Member => {
    const { name, role } = member;
    const home = role === 'worker' ? 'workers' : name;
    const args = role === 'worker' ? ['worker', '--json'] : ['serve', '--no-open', '--port', '0'];
    const running = start(process.execPath, [BIN, ...args], { cwd: folder, env: env(home) });
    const said = role === 'worker' ? null : running.says('\n').then(() => addressOf(running));
    said?.catch(() => {});
    return { ...member, running, url: said };
  };
  const named = (role: Member['role'], count: number) =>
    Array.from({ length: count }, (_, n) => begin({ role, name: `${role}-${n + 1}` }));
  const members = [...named('worker', workers), ...named('server', servers)];

  let turn = 0;
  const balanced: typeof fetch = async (input, init) => {
    for (;;) {
      const serving = members.filter(({ role }) => role === 'server');
      const member = serving[turn++ % serving.length]!;
      try {
        const at = await member.url!;
        const answer = await fetch(String(input).replace('http://fleet', at), init);
        // Its database is away: it says so, and another may fare better.
        if (answer.status < 500) return answer;
        await answer.body?.cancel();
      } catch (error) {
        if (init?.signal?.aborted) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  return {
    folder,
    url,
    members,
    client: createClient({ baseUrl: 'http://fleet', fetch: balanced, token }),
    async kill(member) {
      const { pid } = member.running.child;
      member.running.child.kill('SIGKILL');
      await member.running.ended;
      Object.assign(member, begin(member));
      return pid!;
    },
    async restartPostgres(how) {
      await stopServer(database, how);
      await startServer(database, process.pid, durable);
    },
    async close() {
      for (const { running } of members) running.child.kill('SIGKILL');
      await Promise.all(members.map(({ running }) => running.ended));
      await stopServer(database, 'SIGQUIT');
      for (const one of [folder, database]) rmSync(one, { recursive: true, force: true });
    },
  };
}

const addressOf = ({ said }: Running): string => new URL(said().trim().split('\n')[0]!).origin;
