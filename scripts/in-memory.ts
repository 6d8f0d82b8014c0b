import { spawnSync } from 'node:child_process';
import { freemem, homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const ENOUGH = 6 * 2 ** 30;
const alone = ['unshare', '--mount', '--propagation', 'private'];
const mounted = 'mount -t tmpfs -o mode=1777 tmpfs "$0" && exec "$@"';

const run = ([program = '', ...args]: string[]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** What begins with two dots leads out of the folder. */
const isWithin = (path: string, folder: string): boolean => !relative(folder, path).startsWith('..');

/**
 * The command with temporary files that are kept in memory: on a disk tests wait for it half of their time, because the
 * program has all that it writes synced. The folder is where it always is; what lies in it is seen by the command and what it
 * starts alone, and is gone with the last of them. Whoever may not mount, or has too little memory, or works in that folder,
 * has the command as it was.
 */
export function inMemory(command: string[]): string[] {
  const folder = tmpdir();
  const needed = [join(import.meta.dirname, '..'), process.execPath, homedir()];
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || freemem() < ENOUGH) return command;
  if (needed.some((path) => isWithin(path, folder))) return command;
  const within = (started: string[]) => [...alone, 'sh', '-c', mounted, folder, ...started];
  return run(within(['true'])) ? within(command) : command;
}
