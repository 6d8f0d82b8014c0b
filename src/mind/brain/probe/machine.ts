import { constants } from 'node:fs';
import { access, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Listener } from './probe.ts';

/** Where Debian's command-not-found keeps its index. */
const INDEX = '/var/lib/command-not-found/commands.db';

const may = (file: string, mode: number): Promise<boolean> =>
  access(file, mode).then(
    () => true,
    () => false,
  );

export async function findProgram(name: string, path: string): Promise<string | false> {
  for (const folder of path.split(':').filter((part) => part !== '')) {
    const file = join(folder, name);
    if (await may(file, constants.X_OK)) return file;
  }
  return false;
}

export async function listPrograms(path: string, limit: number): Promise<string[]> {
  const names = new Set<string>();
  for (const folder of path.split(':').filter((part) => part !== '')) {
    for (const name of await readdir(folder).catch(() => [])) if (names.size < limit) names.add(name);
  }
  return [...names].sort();
}

/** Packages that provide a program, by the index where it is installed; null without one. */
export async function packagesProviding(program: string, index = INDEX): Promise<string[] | null> {
  if (!(await may(index, constants.R_OK))) return null;
  try {
    const database = new DatabaseSync(index, { readOnly: true });
    try {
      const rows = database
        .prepare(
          'SELECT DISTINCT packages.name AS name FROM commands JOIN packages ON packages.pkgID = commands.pkgID WHERE commands.command = ? ORDER BY packages.priority DESC, packages.name LIMIT 10',
        )
        .all(program);
      return rows.map((row) => String(row['name']));
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

/** A connection that is over and only waits to be forgotten: who begins to listen is not kept from it. */
const TIME_WAIT = '06';

/**
 * Who has the port, by /proc: no connection is made. A listener, or the near end of somebody's connection: nobody else may
 * listen there either. Null where /proc cannot be read.
 */
export async function whoListens(port: number): Promise<Listener | 'free' | null> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => null)),
  );
  if (tables[0] === null) return null;
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = tables.flatMap((table) =>
    (table ?? '').split('\n').flatMap((line) => {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      return local?.endsWith(`:${wanted}`) === true && state !== TIME_WAIT && inode !== undefined
        ? [inode]
        : [];
    }),
  );
  if (inodes.length === 0) return 'free';
  return (await ownerOf(new Set(inodes.map((inode) => `socket:[${inode}]`)))) ?? { pid: null, command: null };
}

async function ownerOf(sockets: ReadonlySet<string>): Promise<Listener | null> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '');
      if (!sockets.has(target)) continue;
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
      const command = line?.replace(/\0+$/, '').replaceAll('\0', ' ') ?? null;
      return { pid: Number(pid), command, ...(await groupOf(pid)) };
    }
  }
  return null;
}

/** The name of a process may hold blanks and brackets: what is known of it begins behind the last one. */
async function groupOf(pid: string): Promise<{ group?: number }> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const group = Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[2]);
  return Number.isInteger(group) && group > 0 ? { group } : {};
}

/** Unit files where systemd looks for them. */
export async function listUnits(): Promise<string[] | null> {
  const folders = [
    '/etc/systemd/system',
    '/run/systemd/system',
    '/usr/lib/systemd/system',
    '/lib/systemd/system',
  ];
  const found = await Promise.all(folders.map((folder) => readdir(folder).catch(() => null)));
  if (found.every((names) => names === null)) return null;
  return [...new Set(found.flatMap((names) => names ?? []))]
    .filter((name) => /\.(?:service|socket|timer)$/.test(name))
    .sort();
}
