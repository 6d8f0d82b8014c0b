import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { count } from '../../core/contract/index.ts';
import { type AppOptions, openApp } from './app.ts';
import { debugLogPath } from './debug-log.ts';
import { AppError } from './errors.ts';
import { findPlaces, findWorkspace, type Places } from './places.ts';
import { checkpointsPlace } from './retention.ts';

export interface Finding {
  name: string;
  ok: boolean;
  /** Planwright cannot work without it; the others only do without something. */
  needed: boolean;
  detail: string;
}

/** Tries everything that Planwright relies on by using it. Never throws. */
export async function examine(options: AppOptions): Promise<Finding[]> {
  const env = options.env ?? process.env;
  return [
    node(),
    await program(env, 'bash', ['--version'], true, 'runs the steps'),
    await program(env, 'git', ['--version'], false, 'needed for checkpoints'),
    await program(
      env,
      'bwrap',
      ['--ro-bind', '/', '/', '--unshare-pid', 'true'],
      false,
      'needed for the sandbox',
    ),
    { name: 'folders', ok: true, needed: true, detail: Object.values(findPlaces(env)).join(', ') },
    await store(options),
    checkpoints(findPlaces(env)),
    ...(await servers(env, options.cwd ?? process.cwd())),
    { name: 'debug log', ok: true, needed: false, detail: debugLogDetail(findPlaces(env)) },
  ];
}

/** A conversation does without a server that does not answer. */
async function servers(env: NonNullable<AppOptions['env']>, cwd: string): Promise<Finding[]> {
  const { tryServers } = await import('./mcp.ts');
  const tried = await tryServers(findPlaces(env), env, findWorkspace(cwd));
  return tried === null ? [] : [{ name: 'tool servers', needed: false, ...tried }];
}

function node(): Finding {
  const major = Number(process.versions.node.split('.')[0]);
  return { name: 'node', ok: major >= 24, needed: true, detail: `${process.version}, 24 or later is needed` };
}

async function program(
  env: NonNullable<AppOptions['env']>,
  name: string,
  args: string[],
  needed: boolean,
  why: string,
): Promise<Finding> {
  try {
    const { stdout } = await promisify(execFile)(name, args, { env: { ...env }, timeout: 5000 });
    return { name, ok: true, needed, detail: stdout.split('\n')[0] || 'works' };
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return { name, ok: false, needed, detail: `${missing ? 'not found' : 'does not work here'}; ${why}` };
  }
}

const debugLogDetail = (places: Places): string =>
  `${debugLogPath(places)}: what models were asked and answered, at most 25 MB`;

function checkpoints(places: Places): Finding {
  const { folder, workspaces, bytes } = checkpointsPlace(places);
  const detail = `${folder}: of ${count(workspaces, 'folder')}, ${(bytes / 1e6).toFixed(1)} MB`;
  return { name: 'checkpoints', ok: true, needed: false, detail };
}

async function store(options: AppOptions): Promise<Finding> {
  const finding = (ok: boolean, detail: string): Finding => ({ name: 'store', ok, needed: true, detail });
  try {
    const app = await openApp(options);
    try {
      const { where, damage } = await app.checkStore();
      const runs = await app.runs.list({ limit: 1 });
      if (damage.length > 0) return finding(false, `damaged: ${damage[0]}`);
      return finding(true, `${where}: sound, ${runs.length > 0 ? 'holds runs' : 'no runs yet'}`);
    } finally {
      await app.close();
    }
  } catch (error) {
    if (error instanceof AppError) return finding(false, error.message);
    return finding(false, error instanceof Error ? error.message : String(error));
  }
}
