import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const found = new Map<string, string>();

/**
 * Where bash is, by the PATH of the base environment: a step that exports another PATH must not lose the next
 * step its shell. Null where there is none. Never throws.
 */
export function findBash(path: string | undefined): string | null {
  const folders = path ?? '/usr/local/bin:/usr/bin:/bin';
  const known = found.get(folders);
  if (known !== undefined) return known;
  for (const folder of folders.split(delimiter)) {
    const candidate = join(folder, 'bash');
    if (!folder.startsWith('/') || !isProgram(candidate)) continue;
    found.set(folders, candidate);
    return candidate;
  }
  return null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
