import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { setConfig } from '../../src/doors/app/config.ts';
import { findPlaces } from '../../src/doors/app/places.ts';
import { setTrust } from '../../src/doors/app/trust.ts';
import { eventually, type Running, start } from '../support/processes.ts';
import { BIN } from '../support/program.ts';
import {
  call,
  DECIDES,
  openStage,
  ownToken,
  planOf,
  protocolOf,
  type Seen,
  type Stage,
  type Way,
  ways,
} from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** A step that has begun when `NAME.begun` is there, and goes on until `NAME.go` is. */
const gate = (name: string) =>
  `touch ${name}.begun; until [ -e ${name}.go ]; do sleep 0.05; done; echo let through`;
const at = (name: string) => join(stage.workspace, name);
const begun = (name: string) => eventually(() => existsSync(at(`${name}.begun`)), `${name} has begun`);
const letGo = (name: string) => writeFileSync(at(`${name}.go`), '');

test.each(ways)(
  '%s: a long run is told as it goes, and another client watches and cancels it',
  async (way) => {
    const name = way.replaceAll(/\W/g, '');
    const client = await stage.connect(way);
    const { run } = await call<Seen>(client, 'run', { plan: planOf('true', gate(name), 'touch never') });
    const other = await stage.connect(way.startsWith('http') ? 'stdio, today' : 'http, before');
    await stage.agree(run);
    const told: { progress: number; message?: string | undefined }[] = [];
    const attended = call<Seen>(
      client,
      'attend_run',
      { run, waitSeconds: 600 },
      {
        onprogress: (progress: { progress: number; message?: string }) => void told.push(progress),
        timeout: 600_000,
      },
    );
    await begun(name);
    await eventually(() => told.some(({ message }) => message?.startsWith('Running step 2')), 'it is told');
    expect(told.map(({ progress }) => progress)).toEqual(
      told.map(({ progress }) => progress).toSorted((a, b) => a - b),
    );
    const seen = await call<Seen>(other, 'watch_run', { run, after: 0 });
    expect(seen).toMatchObject({ state: 'running', ended: false });
    expect(seen.steps.map(({ status }) => status)).toEqual(['done', 'running', 'pending']);
    await call<Seen>(other, 'cancel_run', { run, reason: 'enough' });
    expect(await attended).toMatchObject({ state: 'cancelled', ended: true });
    expect(existsSync(at('never'))).toBe(false);
  },
);

test('giving up a call gives up waiting, not the run', async () => {
  const client = await stage.connect('http, today');
  const { run } = await call<Seen>(client, 'run', { plan: planOf(gate('waiter')) });
  await stage.agree(run);
  const stop = new AbortController();
  const attended = call(client, 'attend_run', { run, waitSeconds: 600 }, { signal: stop.signal });
  await begun('waiter');
  stop.abort();
  await expect(attended).rejects.toThrow();
  letGo('waiter');
  expect(await call<Seen>(client, 'attend_run', { run, waitSeconds: 600 })).toMatchObject({ state: 'done' });
});

test('two clients ask for the same decision: one is taken', async () => {
  const answers = () => ({ action: 'accept' as const, content: { decision: 'all' } });
  const first = await stage.connect('http, today', { name: DECIDES, answers });
  const second = await stage.connect('stdio, before', { name: DECIDES, answers });
  const plain = await stage.connect('http, before');
  const { run } = await call<Seen>(plain, 'run', { plan: planOf('true') });
  const both = await Promise.all(
    [first, second].map((client) => call<Seen>(client, 'attend_run', { run, waitSeconds: 600 })),
  );
  expect(both.map(({ state }) => state)).toEqual(['done', 'done']);
  const events = await stage.app.streams.read(run, 0);
  expect(events.filter(({ event }) => event.type === 'plan-confirmed')).toHaveLength(1);
});

/** The program by pipes or over HTTP, with clients that come to it again where it was. */
interface Killed {
  begin(): Promise<void>;
  /** Where the client that there was can go on: itself. */
  connect(): Promise<Client>;
  kill(): Promise<void>;
}

describe('a server that is killed', () => {
  const answers = ({ params }: { params: { message: string } }) => ({
    action: 'accept' as const,
    content: { decision: params.message.startsWith('Was step') ? 'rerun' : 'all' },
  });
  const newClient = (way: Way) => {
    const client = new Client(
      { name: DECIDES, version: '1' },
      { ...protocolOf(way), capabilities: { elicitation: { form: {} } } },
    );
    client.setRequestHandler('elicitation/create', answers);
    return client;
  };

  function byPipes(way: Way, env: Record<string, string>): Killed {
    let pid = 0;
    return {
      begin: async () => {},
      async connect() {
        const client = newClient(way);
        const transport = new StdioClientTransport({
          command: process.execPath,
          args: [BIN, 'mcp'],
          cwd: stage.workspace,
          env,
          stderr: 'ignore',
        });
        await client.connect(transport);
        pid = transport.pid!;
        return client;
      },
      kill: async () => void process.kill(pid, 'SIGKILL'),
    };
  }

  function overHttp(way: Way, env: Record<string, string>): Killed {
    let serving: Running;
    let port = '0';
    let client: Client | null = null;
    onTestFinished(async () => {
      await client?.close();
      serving.child.kill();
      await serving.ended;
    });
    return {
      async begin() {
        const args = [BIN, 'serve', '--no-open', '--port', port];
        serving = start(process.execPath, args, {
          cwd: stage.workspace,
          env: { ...env, PLANWRIGHT_TOKEN: ownToken },
        });
        await serving.says('\n');
        ({ port } = new URL(serving.said().trim()));
      },
      async connect() {
        // What is kept between two calls is a session of before: it has ended with the process.
        if (client !== null && way === 'http, before') {
          await expect(call(client, 'list_waiting')).rejects.toThrow('Session not found');
          await client.close();
          client = null;
        }
        if (client !== null) return client;
        client = newClient(way);
        await client.connect(
          new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
            requestInit: { headers: { authorization: `Bearer ${ownToken}` } },
          }),
        );
        return client;
      },
      async kill() {
        serving.child.kill('SIGKILL');
        await serving.ended;
      },
    };
  }

  test.each(ways)(
    '%s: is started again, and the client goes on with the run: what was in flight is found out, what was done is not done twice',
    async (way) => {
      const name = way.replaceAll(/\W/g, '');
      // A home of its own: nobody else takes the run over.
      const env = { ...stage.env, PLANWRIGHT_HOME: join(stage.home, `alone-${name}`) };
      const places = findPlaces(env);
      await setTrust(places, stage.workspace, true);
      await setConfig(places, 'clients.decide', DECIDES);
      const killed = way.startsWith('http') ? overHttp(way, env) : byPipes(way, env);
      await killed.begin();
      const client = await killed.connect();
      const count = `count-${name}.txt`;
      const plan = planOf(`echo once >> ${count}`, gate(`killed-${name}`), `echo end >> ${count}`);
      const { run } = await call<Seen>(client, 'run', { plan });
      // A client of before waits on, over HTTP, for as long as it has patience.
      const patience = new AbortController();
      const options = { signal: patience.signal };
      const lost = expect(call(client, 'attend_run', { run, waitSeconds: 600 }, options)).rejects.toThrow();
      await begun(`killed-${name}`);
      await killed.kill();
      if (way === 'http, before') patience.abort();
      await lost;

      letGo(`killed-${name}`);
      await killed.begin();
      const again = await killed.connect();
      expect(await untilEnded(again, run)).toMatchObject({ state: 'done', stopReason: 'completed' });
      expect(readFileSync(at(count), 'utf8')).toBe('once\nend\n');
      await again.close();
    },
  );
});

async function untilEnded(client: Client, run: string): Promise<Seen> {
  for (;;) {
    const seen = await call<Seen>(client, 'attend_run', { run, waitSeconds: 60 });
    if (seen.ended) return seen;
  }
}
