import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Links resolved; as it was given where it is not there. Not async: a trip to the thread pool costs more. */
export function realDirectory(cwd: string): string {
  try {
    return realpathSync.native(cwd);
  } catch {
    return cwd;
  }
}

/** What only a shell could resolve: patterns, homes, variables, and the risk room's sign for "not known". */
const onlyAShellKnows = /[*?[\]{}$`~\u{FFFC}\0]/u;

/**
 * Where a path really is, seen from this directory: links resolved as far as it exists. What only a shell could
 * resolve stays as it was written.
 */
export function realPath(path: string, cwd: string): string {
  if (onlyAShellKnows.test(path)) return path;
  return realAsFarAsItExists(resolve(cwd, path));
}

function realAsFarAsItExists(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realAsFarAsItExists(above), basename(path));
  }
}
