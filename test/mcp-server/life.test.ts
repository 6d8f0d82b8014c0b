import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/processes.ts';
import { BIN } from '../support/program.ts';
import { call, DECIDES, openStage, planOf, type Seen, type Stage, ways } from './stage.ts';

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

describe('a server that is killed', () => {
  test('is started again, and the client goes on with the run: what was in flight is found out, what was done is not done twice', async () => {
    // A home of its own: nobody else takes the run over.
    const env = { ...stage.env, PLANWRIGHT_HOME: join(stage.home, 'alone') };
    const { findPlaces, setConfig, setTrust } = await import('../../src/doors/app/index.ts');
    const places = findPlaces(env);
    await setTrust(places, stage.workspace, true);
    await setConfig(places, 'clients.decide', DECIDES);
    const answers = ({ params }: { params: { message: string } }) => ({
      action: 'accept' as const,
      content: { decision: params.message.startsWith('Was step') ? 'rerun' : 'all' },
    });
    const connect = async () => {
      const client = new Client(
        { name: DECIDES, version: '1' },
        { capabilities: { elicitation: { form: {} } } },
      );
      client.setRequestHandler('elicitation/create', answers);
      const how = {
        command: process.execPath,
        args: [BIN, 'mcp'],
        cwd: stage.workspace,
        env,
        stderr: 'ignore' as const,
      };
      const transport = new StdioClientTransport(how);
      await client.connect(transport);
      return { client, pid: transport.pid! };
    };
    const before = await connect();
    const plan = planOf('echo once >> count.txt', gate('killed'), 'echo end >> count.txt');
    const { run } = await call<Seen>(before.client, 'run', { plan });
    const lost = call(before.client, 'attend_run', { run, waitSeconds: 600 }, { timeout: 600_000 });
    await begun('killed');
    process.kill(before.pid, 'SIGKILL');
    await expect(lost).rejects.toThrow();

    letGo('killed');
    const after = await connect();
    const seen = await untilEnded(after.client, run);
    expect(seen).toMatchObject({ state: 'done', stopReason: 'completed' });
    expect(readFileSync(at('count.txt'), 'utf8')).toBe('once\nend\n');
    await after.client.close();
  });
});

async function untilEnded(client: Client, run: string): Promise<Seen> {
  for (;;) {
    const seen = await call<Seen>(client, 'attend_run', { run, waitSeconds: 60 }, { timeout: 600_000 });
    if (seen.ended) return seen;
  }
}
