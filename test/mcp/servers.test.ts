import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Mcp, type McpServer, openMcp } from '../../src/world/mcp/index.ts';
import { eventually } from '../support/processes.ts';
import { bundled } from '../support/program.ts';

const FIXTURE = bundled(import.meta.dirname, 'fixture.ts');

let folder: string;
let opened: Mcp[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'planwright-mcp-'));
});
afterEach(async () => {
  await Promise.all(opened.map((mcp) => mcp.close()));
  opened = [];
  rmSync(folder, { recursive: true, force: true });
});

const logged = (): string[] => readFileSync(join(folder, 'log'), 'utf8').trim().split('\n');
const starts = () => logged().filter((line) => line.startsWith('start')).length;
const calls = () => logged().filter((line) => line.startsWith('call'));

const redact = (text: string) => text.replaceAll('hunter2', '•••');

function open(how: string, more: { callMs?: number; startMs?: number; servers?: McpServer[] } = {}): Mcp {
  const own: McpServer = {
    kind: 'stdio',
    name: 'own',
    command: process.execPath,
    args: [FIXTURE, how, join(folder, 'log')],
    env: {},
    cwd: null,
  };
  const mcp = openMcp({
    servers: [own],
    env: { ...process.env, SECRET_TOKEN: 'hunter2' },
    cwd: folder,
    owner: 'chat-1',
    ...more,
  });
  opened.push(mcp);
  return mcp;
}

const alive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

describe('a server that is a process', () => {
  test('offers what can be offered, is marked as ours, and gets no secret: neither inherited nor as an argument', async () => {
    const mcp = open('good');
    const tools = await mcp.tools();
    expect(tools.map(({ name }) => name)).toEqual(
      ['echo', 'die', 'hang', 'flood', 'odd', 'fail', 'lie'].map((tool) => `mcp__own__${tool}`),
    );
    expect(tools.find(({ tool }) => tool === 'lie')!.means).toHaveLength(2000);
    expect(await mcp.call('mcp__own__echo', { say: 'hunter2 sends this' }, { redact })).toEqual({
      ok: true,
      text: '••• sends this',
    });
    expect(logged()).toEqual([
      expect.stringMatching(/^start \d+ chat-1 $/),
      'call echo {"say":"••• sends this"}',
    ]);
  });

  test('fails, lies about its schema, and is asked for what it has not: said, and it goes on', async () => {
    const mcp = open('chatty');
    expect(await mcp.call('mcp__own__fail', {}, { redact })).toEqual({ ok: false, text: 'it did not work' });
    expect(await mcp.call('mcp__own__lie', {}, { redact })).toEqual({ ok: true, text: '{"m":1}' });
    expect(await mcp.call('mcp__own__odd', {}, { redact })).toMatchObject({ ok: false });
    expect(await mcp.call('mcp__own__nothing', {}, { redact })).toMatchObject({ ok: false });
    expect(await mcp.call('mcp__other__echo', {}, { redact })).toMatchObject({ ok: false });
    expect(await mcp.call('echo', {}, { redact })).toMatchObject({ ok: false });
    expect(starts()).toBe(1);
  });

  test('dies in a call: the call is not sent again, the server is started once more, and then left alone', async () => {
    const mcp = open('good');
    expect(await mcp.call('mcp__own__die', {}, { redact })).toMatchObject({ ok: false });
    expect(await mcp.call('mcp__own__echo', { say: 'again' }, { redact })).toEqual({
      ok: true,
      text: 'again',
    });
    expect(await mcp.call('mcp__own__die', {}, { redact })).toMatchObject({ ok: false });
    expect(await mcp.call('mcp__own__echo', { say: 'no' }, { redact })).toMatchObject({
      ok: false,
      text: 'own has ended twice and is not started again',
    });
    expect(mcp.problems()).toHaveLength(1);
    expect([starts(), calls()]).toEqual([2, ['call die {}', 'call echo {"say":"again"}', 'call die {}']]);
  });

  test('sends a message without end: the connection is ended, not filled', async () => {
    const mcp = open('good');
    expect(await mcp.call('mcp__own__flood', {}, { redact })).toMatchObject({ ok: false });
    expect(await mcp.call('mcp__own__echo', { say: 'there' }, { redact })).toEqual({
      ok: true,
      text: 'there',
    });
  });

  test('never comes back: the call ends by its time or by whoever made it', async () => {
    const mcp = open('good', { callMs: 300 });
    expect(await mcp.call('mcp__own__hang', {}, { redact })).toMatchObject({ ok: false });
    const patient = open('good');
    await patient.tools();
    const stop = new AbortController();
    const called = patient.call('mcp__own__hang', {}, { redact, signal: stop.signal });
    await eventually(() => calls().length === 2, 'both calls');
    stop.abort();
    expect(await called).toMatchObject({ ok: false });
  });

  test('does not begin: what it said is told, and the others are there', async () => {
    const mcp = open('broken');
    expect(await mcp.tools()).toEqual([]);
    expect(mcp.problems()[0]).toMatch(/^own does not answer: .*\(no licence key\)$/);
    const mute = open('mute', { startMs: 300 });
    expect(await mute.tools()).toEqual([]);
    expect(mute.problems()).toHaveLength(1);
    const none = open('x', {
      servers: [{ kind: 'stdio', name: 'none', command: join(folder, 'none'), args: [], env: {}, cwd: null }],
    });
    expect(await none.tools()).toEqual([]);
    expect(none.problems()[0]).toContain('ENOENT');
  });

  test('ends with the connection, with all that it started, however stubborn', async () => {
    for (const how of ['child', 'stubborn']) {
      const mcp = open(how);
      await mcp.tools();
      await mcp.close();
    }
    const pids = logged().flatMap((line) => /^(?:start|child) (\d+)/.exec(line)?.[1] ?? []);
    expect(pids).toHaveLength(3);
    await eventually(() => !pids.some((pid) => alive(Number(pid))), 'all of them are gone');
    expect(existsSync(folder)).toBe(true);
  });
});

describe('a server over HTTP', () => {
  let server: Server;
  let seen: { path: string; authorization: string | undefined }[] = [];
  beforeEach(async () => {
    seen = [];
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        seen.push({ path: request.url!, authorization: request.headers.authorization });
        if (request.url === '/away') return response.writeHead(302, { location: '/mcp' }).end();
        if (request.method !== 'POST') return response.writeHead(405).end();
        const { id, method, params } = JSON.parse(body);
        if (id === undefined) return response.writeHead(202).end();
        const results: Record<string, object> = {
          initialize: {
            protocolVersion: params?.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 'http', version: '1' },
          },
          'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
          'tools/call': { content: [{ type: 'text', text: params?.arguments?.say }] },
        };
        const result = results[method];
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => void server.close());

  const at = (path: string): McpServer => ({
    kind: 'http',
    name: 'far',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    headers: { authorization: 'Bearer mine' },
  });

  test('is called with its own headers', async () => {
    const mcp = open('x', { servers: [at('/mcp')] });
    expect(await mcp.call('mcp__far__echo', { say: 'hello' }, { redact })).toEqual({
      ok: true,
      text: 'hello',
    });
    expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer mine']));
  });

  test('that leads elsewhere is not followed', async () => {
    const mcp = open('x', { servers: [at('/away')] });
    expect(await mcp.tools()).toEqual([]);
    expect(new Set(seen.map(({ path }) => path))).toEqual(new Set(['/away']));
  });
});
