import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { App } from '../app/app.ts';
import { AppError } from '../app/errors.ts';
import type { Meter } from '../app/metrics.ts';
import type { Env } from '../app/places.ts';
import type { ProxyRules, RunningServer, StartedServer } from '../server/index.ts';
import { type Context, note } from './context.ts';
import { versionOf } from './version.ts';

export interface PageOptions {
  /** What steps are run in. */
  env: Env;
  token?: string | undefined;
  proxy?: ProxyRules | undefined;
  meter?: Meter;
  host?: string;
  /** Left out: the usual one, or any that is free. */
  port?: number | undefined;
  allowedHosts?: readonly string[];
}

const USUAL_PORT = 4747;

/** Starts to serve the page and the API over this app, or says who does already. */
export async function servePage(context: Context, app: App, options: PageOptions): Promise<StartedServer> {
  const { startServer } = await import('../server/index.ts');
  buildPage();
  const { env, token, proxy, meter, host, allowedHosts, port } = options;
  const start = (at: number) =>
    startServer({
      app,
      env,
      port: at,
      token,
      proxy,
      meter,
      version: versionOf(),
      onError: (what, error) => note(context, `${what}: ${error instanceof Error ? error.message : error}`),
      ...(host === undefined ? {} : { host }),
      ...(allowedHosts === undefined ? {} : { allowedHosts }),
    });
  return startAt(start, port, context);
}

/** The port that was named, or else the usual one where it is free, so that an open page finds us again. */
async function startAt(
  start: (port: number) => Promise<StartedServer>,
  named: number | undefined,
  context: Context,
): Promise<StartedServer> {
  try {
    return await start(named ?? USUAL_PORT);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const port = named ?? USUAL_PORT;
    if (code === 'EADDRINUSE' && named === undefined) {
      note(context, `Port ${port} is taken by another program; any other will do.`);
      return start(0);
    }
    if (code === 'EADDRINUSE') throw new AppError('usage', `port ${port} is taken by another program`);
    if (code === 'EACCES')
      throw new AppError('usage', `you may not listen on port ${port}; take one above 1023`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new AppError('usage', 'this machine has no such address; --host takes one of its own');
    }
    throw error;
  }
}

/**
 * In a checkout the page is built where it is missing or older than its sources; an installed package has it. Where
 * that fails the server says so on the page itself.
 */
function buildPage(): void {
  const builder = fileURLToPath(new URL('../../../scripts/build-web.ts', import.meta.url));
  if (existsSync(builder)) spawnSync(process.execPath, [builder, '--if-needed'], { stdio: ['ignore', 2, 2] });
}

const ends = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves with the first signal that asks this process to end. */
export const firstSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals) => {
      for (const name of ends) process.off(name, onSignal);
      resolve(signal);
    };
    for (const name of ends) process.on(name, onSignal);
  });

/** Resolves when somebody's page follows a stream, or when it took too long: then whoever is there has seen the address. */
export async function untilLooked(
  { count }: RunningServer['streams'],
  limitMs: number,
  wait: (ms: number) => Promise<unknown> = setTimeout,
): Promise<'looked' | 'alone'> {
  for (let waited = 0; waited < limitMs; waited += LOOK_EVERY_MS) {
    if (count() > 0) return 'looked';
    await wait(LOOK_EVERY_MS);
  }
  return count() > 0 ? 'looked' : 'alone';
}

const LOOK_EVERY_MS = 100;
