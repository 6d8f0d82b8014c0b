import { existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { AppError } from './errors.ts';

/** Where things are kept. PLANWRIGHT_HOME puts all of it into one folder; otherwise the XDG folders hold. */
export interface Places {
  /** Journal and output logs. */
  data: string;
  /** Clones of others' repositories, and the folders of runs that come from them. */
  cache: string;
  userConfig: string;
  trust: string;
  /** The user's own rules. */
  rules: string;
  /** The user's own MCP servers. */
  mcp: string;
  /** Keys of model providers, for their owner's eyes only. */
  keys: string;
}

export type Env = Readonly<Record<string, string | undefined>>;

/** Where `--database` puts what it was given, for this process alone. */
export const DATABASE_VARIABLE = 'PLANWRIGHT_DATABASE_URL';

/** Names the file in which a process finds what it was not to be started with. */
export const HANDED_VARIABLE = 'PLANWRIGHT_HANDED';

export function findPlaces(env: Env): Places {
  const home = env['PLANWRIGHT_HOME'];
  const configFolder = home || xdg(env, 'XDG_CONFIG_HOME', '.config');
  return {
    data: home ? join(home, 'data') : xdg(env, 'XDG_DATA_HOME', join('.local', 'share')),
    cache: home ? join(home, 'cache') : xdg(env, 'XDG_CACHE_HOME', '.cache'),
    userConfig: join(configFolder, 'config.yaml'),
    trust: join(configFolder, 'trusted.json'),
    rules: join(configFolder, 'rules.yaml'),
    mcp: join(configFolder, 'mcp.json'),
    keys: join(configFolder, 'keys.json'),
  };
}

export const homeOf = (env: Env): string => env['HOME'] || homedir();

/** XDG: a path that is not absolute is to be ignored. */
function xdg(env: Env, name: string, fallback: string): string {
  const set = env[name];
  return join(set?.startsWith('/') ? set : join(homeOf(env), fallback), 'planwright');
}

export const workspaceConfig = (workspace: string): string => join(workspace, '.planwright', 'config.yaml');

/** The real path of the folder that a run may touch. Throws an AppError where there is none, and for what is no folder. */
export function findWorkspace(cwd: string, named = '.'): string {
  let folder: string;
  try {
    folder = realpathSync(resolve(cwd, named));
  } catch (cause) {
    throw new AppError('workspace-missing', `there is no folder ${named}`, { cause });
  }
  if (statSync(folder).isDirectory()) return folder;
  throw new AppError('workspace-missing', `${named} is a file: a run works in a folder`);
}

/**
 * A folder and those above it that could be the same project, the nearest first: up to where git would find its root, and
 * never the person's home, nor what is above it.
 */
export function foldersAbove(folder: string, home: string): string[] {
  const found = [folder];
  for (let at = folder; !existsSync(join(at, '.git')); ) {
    at = dirname(at);
    if (at === dirname(at) || at === home || home.startsWith(`${at}/`)) break;
    found.push(at);
  }
  return found;
}
