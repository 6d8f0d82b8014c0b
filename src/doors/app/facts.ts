import { accessSync, constants, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import type { WorkspaceFacts } from '../../core/plan/validate/index.ts';
import type { Env } from './places.ts';

/** What validation may know about a workspace: only looks, never throws. */
export function workspaceFacts(workspace: string, env: Env): WorkspaceFacts {
  const at = (path: string) => resolve(workspace, path);
  return {
    exists: (path) => statOf(at(path)) !== null,
    kind: (path) => kindOf(statOf(at(path))),
    realpath: (path) => realPath(at(path)),
    system: () => SYSTEMS[process.platform] ?? null,
    commandExists: (name) =>
      (env['PATH'] ?? '').split(delimiter).some((folder) => isExecutable(join(folder, name))),
  };
}

const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux',
  darwin: 'macos',
  win32: 'windows',
  freebsd: 'bsd',
  openbsd: 'bsd',
};

function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

function kindOf(stat: Stats | null): 'file' | 'dir' | 'other' | null {
  if (stat === null) return null;
  if (stat.isFile()) return 'file';
  return stat.isDirectory() ? 'dir' : 'other';
}

/** With all links resolved; of what is not there yet, the nearest parent that is. */
function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    if (parent === path) return null;
    const real = realPath(parent);
    return real === null ? null : join(real, basename(path));
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return kindOf(statOf(path)) === 'file';
  } catch {
    return false;
  }
}
