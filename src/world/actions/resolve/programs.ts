import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Program } from '../../../core/risk/index.ts';
import type { RealPaths } from './real-paths.ts';

/** Below these lie the programs of the system. Who may write there is asked besides. */
const systemFolders =
  /^\/(?:bin|sbin|lib|lib32|lib64|libx32|usr|opt|snap|nix\/store|gnu\/store|System|Library|run\/current-system)(?:\/|$)/;

/** What bash looks through where PATH is not set. */
const defaultPath = '/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin';

const system: Program = { is: 'system' };
const missing: Program = { is: 'missing' };

/**
 * Finds the file that bash would start for a name, as PATH says now, and proves that file: it lies in a folder of the
 * system, links followed, and nobody but root can have written it or can put another in its place. Never throws.
 */
export function findProgram(
  path: string | undefined,
  cwd: string,
  workspace: string,
  real: RealPaths,
): (name: string) => Program {
  const folders = new Set((path ?? defaultPath).split(':'));
  const known = new Map<string, Program>();
  const proven = new Map<string, boolean>();

  /** It and all folders around it belong to root, and nobody else may write there. */
  const isProven = (place: string): boolean => {
    let found = proven.get(place);
    if (found === undefined) {
      found = real.ask(() => isRootsOnly(place)) && (place === dirname(place) || isProven(dirname(place)));
      proven.set(place, found);
    }
    return found;
  };
  const isSystems = (folder: string, file: string): boolean => {
    const [at, to] = [real.find(folder, true).path, real.find(file, true).path];
    return [at, to].every((one) => systemFolders.test(one) && !isBelow(one, workspace) && isProven(one));
  };
  const mayRun = (file: string): boolean => real.ask(() => isRunnable(file));
  const look = (name: string): Program => {
    if (name.includes('/')) {
      const file = name.startsWith('/') ? name : `${cwd}/${name}`;
      if (!mayRun(file)) return missing;
      return isSystems(dirname(file), file) ? system : { is: 'other', path: real.find(file, true).path };
    }
    for (const folder of folders) {
      // What a relative folder holds changes with every `cd`.
      const file = `${folder.startsWith('/') ? folder : `${cwd}/${folder || '.'}`}/${name}`;
      if (mayRun(file))
        return folder.startsWith('/') && isSystems(folder, file)
          ? system
          : { is: 'other', path: real.find(file, true).path };
      if (!folder.startsWith('/')) return { is: 'other', path: file };
    }
    return missing;
  };
  return (name) => {
    let found = known.get(name);
    if (!found) known.set(name, (found = look(name)));
    return found;
  };
}

export const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);

function isRunnable(file: string): boolean {
  try {
    // Asked so, nothing is thrown for what is not there, which is most of a PATH.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isRootsOnly(path: string): boolean {
  try {
    const { uid, gid, mode } = statSync(path);
    const own = process.getuid?.() ?? 0;
    const byGroup = (mode & 0o020) !== 0 && own !== 0 && (process.getgroups?.() ?? []).includes(gid);
    return uid === 0 && (mode & 0o002) === 0 && !byGroup;
  } catch {
    return false;
  }
}
