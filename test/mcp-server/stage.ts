import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type App, openApp } from '../../src/doors/app/app.ts';
import { setConfig } from '../../src/doors/app/config.ts';
import { addToken } from '../../src/doors/app/passes.ts';
import { setTrust } from '../../src/doors/app/trust.ts';
import { type RunningServer, startServer } from '../../src/doors/server/index.ts';
import { BIN } from '../support/program.ts';
import { someone } from '../support/someone.ts';

/** By pipes and over HTTP, as clients of before speak, and those of today. */
export const ways = ['stdio, before', 'stdio, today', 'http, before', 'http, today'] as const;
export type Way = (typeof ways)[number];

export const protocolOf = (way: Way) => ({
  versionNegotiation: { mode: way.endsWith('today') ? { pin: '2026-07-28' } : ('legacy' as const) },
});

/** Of whoever may decide; clients have that of an operator, unless they are the deciding one. */
export const ownToken = 'a-token-of-the-owner-that-is-long-enough';
/** The name of the one client through which the person decides. */
export const DECIDES = 'the-deciding-one';
export const secret = 'hunter2-is-not-to-be-seen';

type Elicited = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string> };

export interface As {
  name?: string;
  /** What the person answers; null: the client cannot ask. */
  answers?: ((message: string) => Elicited) | null;
  /** Null: the client has none. */
  roots?: readonly string[] | null;
  capabilities?: Record<string, unknown>;
  /** The token that it sends. */
  shows?: string;
}

/** A home and a trusted folder, a server over HTTP in this process, and clients of any kind. */
export interface Stage {
  home: string;
  workspace: string;
  app: App;
  url: string;
  errors: unknown[];
  env: Record<string, string>;
  /** Of an operator. */
  token: string;
  connect(way: Way, as?: As): Promise<Client>;
  /** A person agrees, in Planwright. */
  agree(run: string): Promise<void>;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'planwright-mcps-')));
  const workspace = join(home, 'work');
  mkdirSync(workspace);
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    PLANWRIGHT_HOME: join(home, 'own'),
    // Nobody answers there: a test asks no model of the machine that it runs on.
    OLLAMA_HOST: 'http://127.0.0.1:9',
    MY_API_KEY: secret,
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
  };
  const app = await openApp({ env, cwd: workspace });
  await setTrust(app.places, workspace, true);
  await setConfig(app.places, 'clients.decide', DECIDES);
  const errors: unknown[] = [];
  const onError = (_: string, error: unknown) => void errors.push(error);
  const started = await startServer({ app, env, token: ownToken, version: '1.2.3', onError });
  if (!started.ok) throw new Error('another server is in the way');
  const server: RunningServer = started.server;
  const token = await addToken(await app.passes(), 'ana', 'operator');
  const clients = new Set<Client>();

  const transportOf = (way: Way, shows: string) =>
    way.startsWith('http')
      ? new StreamableHTTPClientTransport(new URL('/mcp', server.url), {
          requestInit: { headers: { authorization: `Bearer ${shows}` } },
        })
      : new StdioClientTransport({
          command: process.execPath,
          args: [BIN, 'mcp'],
          cwd: workspace,
          env,
          stderr: 'ignore',
        });

  return {
    ...{ home, workspace, app, url: server.url, errors, env, token },
    async connect(way, as = {}) {
      const { name = 'some-client', answers = null, roots = [workspace], capabilities = {}, shows } = as;
      const client = new Client(
        { name, version: '7.1' },
        {
          ...protocolOf(way),
          capabilities: {
            ...(answers === null ? {} : { elicitation: { form: {} } }),
            ...(roots === null ? {} : { roots: {} }),
            ...capabilities,
          },
        },
      );
      if (roots !== null)
        client.setRequestHandler('roots/list', () => ({
          roots: roots.map((root) => ({ uri: root.includes(':') ? root : pathToFileURL(root).href })),
        }));
      if (answers !== null)
        client.setRequestHandler('elicitation/create', ({ params }) => answers(params.message));
      await client.connect(transportOf(way, shows ?? (name === DECIDES ? ownToken : token)));
      clients.add(client);
      return client;
    },
    async agree(run) {
      const { plan } = await app.runs.state(run);
      const body = { type: 'plan-decided', revision: plan!.revision, decision: 'all' } as const;
      await app.runs.request(run, body, { by: someone });
    },
    async close() {
      await Promise.all([...clients].map((client) => client.close()));
      await server.close();
      await app.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

type Given = Record<string, unknown>;

/** What a tool answers; throws with what it says where that is an error. */
export async function call<T = Given>(
  client: Client,
  name: string,
  given: Given = {},
  options = {},
): Promise<T> {
  // The test has a limit; a client of its own accord gives up after a minute.
  const answer = await client.callTool({ name, arguments: given }, { timeout: 600_000, ...options });
  if (answer.isError) throw new Error((answer.content as { text: string }[])[0]!.text);
  return answer.structuredContent as T;
}

/** Whatever is asked, in order. */
export const planOf = (...commands: string[]): string =>
  JSON.stringify({
    goal: 'a plan of a client',
    plan: commands.map((command, at) => ({ step: `Step ${at + 1}`, action: `RUN_COMMAND ${command}` })),
  });

export interface Seen {
  run: string;
  state: string;
  stopReason: string | null;
  ended: boolean;
  last: number;
  steps: { id: string; status: string }[];
  question: {
    waitingFor: string;
    text: string;
    risk: string | null;
    decide: { command: string; page: string | null };
  } | null;
  events?: { seq: number; type: string; told: string }[];
  output?: { text: string; isCut: boolean } | null;
}
