import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Shell } from '../../core/contract/index.ts';

const found = new Map<string, string>();

/**
 * Where the shell is, by the PATH of the base environment: a step that exports another PATH must not lose the next
 * step its shell. Null where there is none. Never throws.
 */
export const findShell = (shell: Shell, path: string | undefined): string | null => findProgram(shell, path);

/** Where a program is, by a PATH. Null where there is none. Never throws. */
export function findProgram(name: string, path: string | undefined): string | null {
  const folders = path ?? '/usr/local/bin:/usr/bin:/bin';
  const key = `${name} ${folders}`;
  const known = found.get(key);
  if (known !== undefined) return known;
  for (const folder of folders.split(delimiter)) {
    const candidate = join(folder, name);
    if (!folder.startsWith('/') || !isProgram(candidate)) continue;
    found.set(key, candidate);
    return candidate;
  }
  return null;
}

/** A file that may be executed. Never throws. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
