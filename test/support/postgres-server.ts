import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Debian has several versions beside each other, none of them on the PATH. */
const [bin = null] = globSync('/usr/lib/postgresql/*/bin').toSorted().reverse();

/** Where it must be there, a test that wants it fails without it. */
export const hasPostgres = bin !== null || process.env['CI'] === 'true';

/** Where things are in the folder of a server. */
export const serverIn = (folder: string) => ({
  data: join(folder, 'data'),
  /** There while it runs; its first line is its pid. */
  started: join(folder, 'data/postmaster.pid'),
  log: join(folder, 'log'),
  /** The socket is in the folder too: no port is needed, and nobody else can reach it. */
  url: `postgres://planwright@localhost/postgres?host=${encodeURIComponent(folder)}`,
});

/** PostgreSQL refuses to run as root. */
function somebody(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (what: string) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** What is written there does not outlive the tests: nothing is synced. */
const settings = {
  listen_addresses: '',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '200',
  shared_buffers: '32MB',
  max_wal_size: '256MB',
  autovacuum_naptime: '10min',
  log_min_messages: 'fatal',
};

/** Makes a server in the folder, as its own user. */
export function makeServer(folder: string): void {
  const { data } = serverIn(folder);
  const who = somebody();
  if (who.uid !== undefined) chownSync(folder, who.uid, who.gid!);
  chmodSync(folder, 0o711);
  const args = ['-D', data, '-U', 'planwright', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  execFileSync(join(bin!, 'initdb'), args, { ...who, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
}

/**
 * Starts it and resolves when it answers. A guard ends it with the process `owner`, should that one not come to it: it is
 * told so by the end of a pipe where `owner` is this process, and looks for it otherwise.
 */
export async function startServer(
  folder: string,
  owner: number,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { data } = serverIn(folder);
  const options = Object.entries({ ...settings, ...more }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const postgres = [join(bin!, 'postgres'), '-D', data, '-k', folder, ...options];
  const guarded = `owner=$1; shift; "$@" & pg=$!; trap 'kill -QUIT $pg' TERM
    while kill -0 $pg 2>/dev/null; do [ -d /proc/$owner ] || kill -QUIT $pg; sleep 1; done`;
  spawn('bash', ['-c', guarded, 'guard', String(owner), ...postgres], {
    ...somebody(),
    cwd: folder,
    detached: true,
    stdio: 'ignore',
  }).unref();
  const isReady = () => {
    try {
      execFileSync(join(bin!, 'pg_isready'), ['-q', '-h', folder], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  while (!isReady()) await sleep(50);
}

/** SIGINT: whoever is connected is cut off in order; SIGQUIT: as in a crash. Resolves when it has ended. */
export async function stopServer(folder: string, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  const { started } = serverIn(folder);
  process.kill(Number(readFileSync(started, 'utf8').split('\n')[0]), signal);
  while (existsSync(started)) await sleep(20);
}

/** The one server of the folder: whoever comes first starts it, and the others wait for that. */
export async function sharedServer(folder: string, owner: number): Promise<string> {
  const [beginning, ready, failed] = ['beginning', 'ready', 'failed'].map((name) => join(folder, name));
  try {
    mkdirSync(beginning!);
  } catch {
    while (!existsSync(ready!)) {
      if (existsSync(failed!)) throw new Error(`PostgreSQL could not be started in ${folder}`);
      await sleep(50);
    }
    return serverIn(folder).url;
  }
  try {
    makeServer(folder);
    await startServer(folder, owner);
    writeFileSync(ready!, '');
    return serverIn(folder).url;
  } catch (error) {
    writeFileSync(failed!, '');
    throw error;
  }
}
