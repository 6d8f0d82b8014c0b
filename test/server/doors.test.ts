import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, createClient, fold, type NumberedEvent } from '../../src/core/contract/index.ts';
import { type Bench, openBench, planOf } from '../support/cli.ts';
import { eventually, type Running } from '../support/processes.ts';
import { source, untilState } from './support.ts';

let bench: Bench;
const started: Running[] = [];
beforeEach(() => {
  bench = openBench({ here: true });
});
afterEach(async () => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL');
  bench.clean();
});

const token = 'a-token-that-is-long-enough-for-doors';

interface Serving {
  running: Running;
  address: string;
  url: string;
  port: string;
  client: Client;
}

/** The real program, serving; resolves when it has printed where. */
async function startServe(args: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Serving> {
  const running = bench.start(['serve', '--no-open', '--port', '0', ...args], {
    PLANWRIGHT_TOKEN: token,
    ...env,
  });
  started.push(running);
  let line = '';
  running.child.stdout!.on('data', (chunk: Buffer) => {
    line += chunk.toString();
  });
  await running.says('\n');
  const address = line.trim();
  const { origin, port } = new URL(address);
  return { running, address, url: origin, port, client: createClient({ baseUrl: origin, fetch, token }) };
}

const eventsOf = async (client: Client, id: string, isLast: (event: NumberedEvent) => boolean) => {
  const seen: NumberedEvent[] = [];
  for await (const event of client.watchRun(id)) {
    seen.push(event);
    if (isLast(event)) break;
  }
  return seen;
};
const isFinished = ({ event }: NumberedEvent) => event.type === 'run-finished';

describe('one store, many doors', () => {
  it('a run of a terminal appears live, and stays with the process that started it', async () => {
    const { client } = await startServe();
    bench.write('plan.yaml', planOf('while ! test -f go; do sleep 0.1; done', 'echo two'));
    const terminal = bench.start(['run', 'plan.yaml', '--yes']);
    started.push(terminal);
    let id = '';
    for await (const { row } of client.watchRows({ after: '0' })) {
      id = row.id;
      if (row.kind === 'run' && row.state === 'running' && row.currentStep === 'Step 1') break;
    }
    writeFileSync(bench.path('go'), '');
    const events = await eventsOf(client, id, isFinished);
    const pids = events.flatMap(({ event }) => (event.type === 'driver-claimed' ? [event.driver.pid] : []));
    expect(pids).toEqual([terminal.child.pid]);
    expect(await terminal.ended).toMatchObject({ code: 0 });
  });

  it('a run of the page is shown, decided and cancelled in a terminal, and the server goes on with it', async () => {
    const { client, running } = await startServe();
    writeFileSync(bench.path('old.txt'), '');
    const { id } = await client.createRun({ source: source('rm -rf old.txt', 'echo after'), agreed: true });
    await untilState(client, id, 'waiting');
    expect(JSON.parse((await bench.run(['waiting', '--json'])).stdout)).toMatchObject([{ run: id }]);
    expect(await bench.run(['approve', id])).toMatchObject({ code: 0 });
    await untilState(client, id, 'done');
    expect(existsSync(bench.path('old.txt'))).toBe(false);
    const events = await eventsOf(client, id, isFinished);
    expect(events.some(({ event }) => event.type === 'approval-decided' && event.by.door === 'library')).toBe(
      true,
    );
    expect(running.child.exitCode).toBe(null);
  });

  it('a run that nobody drives is taken up: its driver was killed, or its time came while nobody was there', async () => {
    bench.write('plan.yaml', planOf('while ! test -f go; do sleep 0.1; done', 'echo two'));
    const killed = bench.start(['run', 'plan.yaml', '--yes', '--on-interrupt', 'rerun']);
    await eventually(async () => {
      const rows = JSON.parse((await bench.run(['runs', '--json'])).stdout) as {
        currentStep: string | null;
      }[];
      return rows[0]?.currentStep === 'Step 1';
    }, 'the run begins');
    killed.child.kill('SIGKILL');
    await killed.ended;
    writeFileSync(bench.path('go'), '');
    const { client } = await startServe();
    const { runs } = await client.listRuns();
    expect(await untilState(client, runs[0]!.id, 'done')).toMatchObject({ stepsDone: 2 });
  });
});

describe('a second serve', () => {
  it('finds the first, prints its address and opens it by one that works once', async () => {
    const first = await startServe();
    const opened = bench.path('opened');
    const browser = bench.path('browser.sh');
    writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`);
    chmodSync(browser, 0o755);
    const second = await bench.start(['serve'], { BROWSER: browser }).ended;
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining(`${first.url}/?token=`) });
    expect(second.stderr).toContain(`${first.running.child.pid}`);
    await eventually(() => existsSync(opened), 'the browser is opened');
    const once = readFileSync(opened, 'utf8');
    expect(once).not.toBe(first.address);
    expect((await fetch(once, { redirect: 'manual' })).status).toBe(302);
    expect((await fetch(once, { redirect: 'manual' })).status).toBe(401);
  });

  it('with --json says where it is as one line of JSON, first or second', async () => {
    const first = bench.start(['serve', '--no-open', '--port', '0', '--json']);
    let said = '';
    first.child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    await eventually(() => said.trimEnd().endsWith('}'), 'a line of JSON');
    const told = JSON.parse(said);
    expect(told).toEqual({
      address: expect.stringContaining(`${told.url}/?token=`),
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      pid: first.child.pid,
      isNew: true,
    });
    expect((await fetch(told.address, { redirect: 'manual' })).status).toBe(302);
    const second = await bench.run(['serve', '--no-open', '--json']);
    expect(JSON.parse(second.stdout)).toMatchObject({ url: told.url, pid: told.pid, isNew: false });
    first.child.kill('SIGTERM');
    await first.ended;
  });

  it('takes the place of one that was killed, and has addresses of its own', async () => {
    const first = await startServe();
    first.running.child.kill('SIGKILL');
    await first.running.ended;
    const second = await startServe();
    expect(new URL(second.address).search).not.toBe(new URL(first.address).search);
    expect((await second.client.listRuns()).runs).toEqual([]);
  });

  it('keeps what it wrote about itself to its owner', async () => {
    const { address } = await startServe();
    const { headers } = await fetch(address, { redirect: 'manual' });
    const cookie = /=([^;]+)/.exec(headers.get('set-cookie')!)![1]!;
    for (const name of ['server.json', 'planwright.db', 'planwright.db-wal']) {
      const path = join(bench.home, 'data', name);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      const text = readFileSync(path, 'utf8');
      for (const secret of [token, cookie, new URL(address).searchParams.get('token')!])
        expect(text).not.toContain(secret);
    }
  });
});

describe('ending', () => {
  it('on SIGTERM a run rests at an event boundary, streams end, and the next server goes on', async () => {
    const first = await startServe();
    const { client } = first;
    const { id } = await client.createRun({
      source: source('while ! test -f go; do sleep 0.1; done', 'echo two >> log'),
      agreed: true,
    });
    const seen: NumberedEvent[] = [];
    const stop = new AbortController();
    let isCutOff = false;
    const { port } = first;
    const watching = (async () => {
      const options = {
        signal: stop.signal,
        onConnection: (state: string) => {
          isCutOff ||= state === 'lost';
        },
      };
      for await (const event of createClient({ baseUrl: first.url, fetch, token }).watchRun(id, options)) {
        seen.push(event);
        if (isFinished(event)) return;
      }
    })();
    await eventually(() => seen.some(({ event }) => event.type === 'process-spawned'), 'the step runs');
    first.running.child.kill('SIGTERM');
    await eventually(() => isCutOff, 'streams end');
    expect(first.running.child.exitCode).toBe(null);
    writeFileSync(bench.path('go'), '');
    expect(await first.running.ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('one run will rest'),
    });
    expect(existsSync(join(bench.home, 'data', 'server.json'))).toBe(false);
    const second = await startServe(['--port', port]);
    await watching;
    stop.abort();
    const { state } = await second.client.getRun(id);
    expect(state).toMatchObject({ status: 'done', steps: [{ attempts: 1 }, { attempts: 1 }] });
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, at) => at + 1));
    expect([...fold(seen).steps]).toEqual(state.steps);
    expect(readFileSync(bench.path('log'), 'utf8')).toBe('two\n');
  });

  it('after kill -9 the next server finds out what became of the step, and the page needs no new token', async () => {
    const first = await startServe();
    const { headers } = await fetch(first.address, { redirect: 'manual' });
    const cookie = headers.get('set-cookie')!.split(';')[0]!;
    const { id } = await first.client.createRun({
      source: source('echo began >> log; while ! test -f go; do sleep 0.1; done', 'echo two >> log'),
      agreed: true,
      options: { onInterrupt: 'ask' },
    });
    await eventually(() => existsSync(bench.path('log')), 'the step runs');
    first.running.child.kill('SIGKILL');
    await first.running.ended;
    writeFileSync(bench.path('go'), '');
    const { client, url } = await startServe(['--port', first.port]);
    expect((await fetch(`${url}/api/runs`, { headers: { cookie } })).status).toBe(200);
    await untilState(client, id, 'waiting');
    const { waiting } = await client.waiting();
    expect(waiting).toMatchObject([{ waitingFor: 'interrupt', stepId: 's1' }]);
    await client.request(id, { type: 'interrupt-decided', stepId: 's1', attemptIndex: 0, decision: 'done' });
    await untilState(client, id, 'done');
    expect(readFileSync(bench.path('log'), 'utf8')).toBe('began\ntwo\n');
  });
});

describe('where it listens', () => {
  it('beyond this machine only with a token of the user, and it says what that means', async () => {
    const refused = await bench.run(['serve', '--host', '0.0.0.0', '--no-open']);
    expect(refused).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/run commands as you.*PLANWRIGHT_TOKEN/),
    });
    const short = await bench.run(['serve', '--no-open'], { PLANWRIGHT_TOKEN: 'short' });
    expect(short).toMatchObject({ code: 2, stderr: expect.stringContaining('16 characters') });
    const own = 'a-token-of-my-own-choosing';
    const served = await startServe(['--host', '0.0.0.0'], { PLANWRIGHT_TOKEN: own });
    const client = createClient({ baseUrl: served.url, fetch, token: own });
    const { id } = await client.createRun({
      source: source('echo "<$PLANWRIGHT_TOKEN>"'),
      agreed: true,
    });
    await untilState(client, id, 'done');
    expect(new TextDecoder().decode((await client.output(id, 's1', 0)).bytes)).toBe('<>\n');
    await expect(served.client.listRuns()).rejects.toThrow('token');
    const other = await bench.start(['serve', '--no-open']).ended;
    expect(other).toMatchObject({ code: 0, stdout: expect.stringContaining(`${served.url}/?token=`) });
  });

  it('a port that is taken is said to be', async () => {
    const { port } = await startServe();
    const elsewhere = { PLANWRIGHT_HOME: join(bench.home, 'other') };
    const second = await bench.run(['serve', '--no-open', '--port', port], elsewhere);
    expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining(`port ${port} is taken`) });
    expect(await bench.run(['serve', '--port', 'x'])).toMatchObject({ code: 2 });
    expect(
      await bench.run(['serve', '--host', '203.0.113.7', '--no-open'], {
        PLANWRIGHT_TOKEN: 'x'.repeat(16),
        ...elsewhere,
      }),
    ).toMatchObject({ code: 2 });
  });
});

it('no other command loads the server', async () => {
  const preload = bench.path('preload.mjs');
  writeFileSync(
    preload,
    `import { registerHooks } from 'node:module';
     registerHooks({ resolve(name, context, next) { process.stderr.write('loads ' + name + '\\n'); return next(name, context); } });`,
  );
  const loads = async (...args: string[]) =>
    (await bench.start(args, { NODE_OPTIONS: `--import ${preload}` }).ended).stderr
      .split('\n')
      .filter((line) => /loads (hono|@hono)/.test(line));
  expect(await loads('runs')).toEqual([]);
  expect(await loads('serve', '--help')).toEqual([]);
  expect(await loads('serve', '--no-open', '--host', '203.0.113.7')).not.toEqual([]);
});
