import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Client, createClient, type RunRow } from '../../src/core/contract/index.ts';
import { type App, openApp } from '../../src/doors/app/app.ts';
import { createMeter } from '../../src/doors/app/metrics.ts';
import type { Drivable } from '../../src/doors/app/streams.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../src/doors/server/index.ts';

export const token = 'a-token-that-is-long-enough-for-tests';

/** A server in this process, on a port of its own, with a home and a workspace that go with the test. */
export interface Served {
  home: string;
  workspace: string;
  app: App;
  server: RunningServer;
  url: string;
  client: Client;
  /** What nobody foresaw: a test that expects none looks. */
  errors: unknown[];
  fetch(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  stop(): Promise<void>;
}

export function tempFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `planwright-${name}-`)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

type Options = Partial<Omit<ServerOptions, 'env'>> & {
  drivables?: readonly Drivable[];
  home?: string;
  workspace?: string;
  secret?: string;
  /** What a test adds to the environment. */
  variables?: Record<string, string>;
};

export async function serve(options: Options = {}): Promise<Served> {
  const {
    home = tempFolder('home'),
    workspace = tempFolder('work'),
    secret,
    variables = {},
    drivables = [],
    ...rest
  } = options;
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    PLANWRIGHT_HOME: home,
    // Nobody answers there: a test asks no model of the machine that it runs on.
    OLLAMA_HOST: 'http://127.0.0.1:9',
    ...variables,
    ...(secret === undefined ? {} : { MY_API_KEY: secret }),
  };
  const meter = createMeter();
  const app = await openApp({ env, cwd: workspace, drivables, around: meter.around });
  const errors: unknown[] = [];
  const started = await startServer({
    app,
    env,
    token,
    meter,
    version: '1.2.3',
    onError: (_what, error) => void errors.push(error),
    ...rest,
  });
  if (!started.ok) throw new Error('another server is in the way');
  const { server } = started;
  let isStopped = false;
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    await server.close();
    await app.close();
  };
  onTestFinished(stop);
  const authorization = `Bearer ${token}`;
  const call: Served['fetch'] = (path, init = {}) =>
    fetch(server.url + path, { ...init, headers: { authorization, ...(init.headers as object) } });
  return {
    home,
    workspace,
    app,
    server,
    url: server.url,
    client: createClient({ baseUrl: server.url, fetch, token }),
    errors,
    fetch: call,
    post: (path, body, headers = {}) =>
      call(path, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    stop,
  };
}

/** The text of a plan whose steps are these commands. */
export const planText = (...commands: string[]): string =>
  JSON.stringify({
    goal: 'a plan',
    plan: commands.map((command, n) => ({ step: `Step ${n + 1}`, action: `RUN_COMMAND ${command}` })),
  });

export const source = (...commands: string[]) => ({ text: planText(...commands), kind: 'plan' as const });

/** The row of a run once it is in one of these states. */
export async function untilState(client: Client, id: string, ...states: RunRow['state'][]): Promise<RunRow> {
  const stop = new AbortController();
  try {
    // Watching first, looking second: what happens in between is told by the one or the other.
    const changes = client.watchRows({ signal: stop.signal, after: '0' });
    for await (const { row } of changes)
      if (row.kind === 'run' && row.id === id && states.includes(row.state)) return row;
    throw new Error('the stream ended');
  } finally {
    stop.abort();
  }
}
