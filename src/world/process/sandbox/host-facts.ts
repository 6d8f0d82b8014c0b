import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { realPath } from './survey.ts';

/** What holds outside the sandbox, to tell what would have failed there too. None of these throws. */

export const isRoot = (): boolean => process.getuid?.() === 0;

export const hostHasNetwork = (): boolean =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal));

/** Whether this process itself could not write there: not to the file, where there is one, nor make it. */
export function hostRefusesWrite(path: string, folder: string): boolean {
  try {
    accessSync(existsSync(path) ? path : folder, constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

/** The path with all links resolved in what of it is there, and the folder that a write to it changes. */
export function resolveTarget(path: string): { path: string; folder: string } {
  let there = path;
  while (!existsSync(there) && there !== '/') there = dirname(there);
  const real = realPath(there) ?? there;
  return { path: join(real, relative(there, path)), folder: isFolder(real) ? real : dirname(real) };
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Whether somebody on this machine listens on the port. */
export function hostHears(port: number): boolean {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  const listening = new RegExp(`^\\s*\\d+: [0-9A-F]+:${wanted} [0-9A-F]+:0000 0A `, 'm');
  return ['/proc/net/tcp', '/proc/net/tcp6'].some((file) => {
    try {
      return listening.test(readFileSync(file, 'utf8'));
    } catch {
      return false;
    }
  });
}
