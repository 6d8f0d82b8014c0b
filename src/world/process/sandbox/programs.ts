import { join } from 'node:path';
import { isProgram } from '../find-shell.ts';

/**
 * Where the system keeps its programs. Not the PATH of anybody: what makes the sandbox runs outside of it, and a
 * workspace may have put its own folders on the PATH.
 */
const folders = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];

const names = ['bwrap', 'sh', 'env', 'unshare', 'mount', 'mkdir'] as const;
export type Programs = Record<(typeof names)[number], string>;

/** What a sandbox is made with, or the name of the first that is missing. */
export function findPrograms(): Programs | string {
  const found: Partial<Programs> = {};
  for (const name of names) {
    const path = folders.map((folder) => join(folder, name)).find(isProgram);
    if (path === undefined) return name;
    found[name] = path;
  }
  return found as Programs;
}
