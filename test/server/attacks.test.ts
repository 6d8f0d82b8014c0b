import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/processes.ts';
import { type Served, serve, source, tempFolder, token } from './support.ts';

interface Raw {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends just these headers and this path, which `fetch` would put right. */
const raw = (
  { server }: Served,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(
      { host: '127.0.0.1', port: server.port, path, method, headers, agent: false },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          if (answer.headers['content-type']?.startsWith('text/event-stream')) sent.destroy();
        });
        answer.on('close', () => resolve({ status: answer.statusCode!, headers: answer.headers, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

const bearer = { authorization: `Bearer ${token}` };
const codeOf = ({ status, text }: Raw) => [
  status,
  (JSON.parse(text) as { error: { code: string } }).error.code,
];

const codeFrom = async ({ server }: Served) => new URL(await server.addressOnce()).searchParams.get('token')!;

/** A cookie as the page gets it. */
async function signIn(served: Served): Promise<string> {
  const answer = await raw(served, `/runs/abc?token=${await codeFrom(served)}&tab=story`);
  expect(answer).toMatchObject({ status: 302, headers: { location: '/runs/abc?tab=story' } });
  return String(answer.headers['set-cookie']);
}

describe('who may call', () => {
  it('nobody without the token, or with a guess at it', async () => {
    const served = await serve();
    for (const headers of [
      {},
      { authorization: 'Bearer ' },
      { authorization: `Bearer ${token.slice(0, -1)}` },
      { authorization: `Bearer ${token}x` },
      { authorization: `Basic ${token}` },
      { cookie: `planwright-${served.app.storeName()}=${token}` },
      { cookie: `planwright-${served.app.storeName()}=` },
    ]) {
      for (const path of ['/api/runs', '/api/stream', '/api/openapi.json', '/api/nowhere']) {
        expect(codeOf(await raw(served, path, { headers }))).toEqual([401, 'no-access']);
      }
    }
    for (const given of ['guess', token])
      expect(codeOf(await raw(served, `/?token=${given}`))).toEqual([401, 'no-access']);
    expect((await raw(served, `/api/runs?token=${token}`)).status).toBe(401);
    expect((await raw(served, '/healthz')).status).toBe(200);
    expect((await raw(served, '/readyz')).status).toBe(200);
  });

  it('the address is exchanged for a cookie that scripts and other sites do not get', async () => {
    const served = await serve();
    const cookie = await signIn(served);
    const attributes = cookie.split('; ').slice(1).toSorted();
    expect(attributes).toEqual([
      'HttpOnly',
      expect.stringMatching(/^Max-Age=\d+$/),
      'Path=/',
      'SameSite=Strict',
    ]);
    expect(cookie).not.toContain(token);
    const headers = { cookie: `other=1; ${cookie.split(';')[0]}` };
    expect((await raw(served, '/api/runs', { headers })).status).toBe(200);
  });

  it('who signs out is let in no more, and their streams end; others stay', async () => {
    const served = await serve();
    const comeIn = async () => (await signIn(served)).split(';')[0]!;
    const [left, other] = [await comeIn(), await comeIn()];
    const opened = (cookie: string) => raw(served, '/api/runs', { headers: { cookie } });
    const stream = fetch(`${served.url}/api/stream`, { headers: { cookie: left } }).then((answer) =>
      answer.text(),
    );
    await eventually(() => served.server.streams.count() === 1, 'the stream is open');
    const answer = await raw(served, '/api/sign-out', {
      method: 'POST',
      headers: { cookie: left, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(answer.status).toBe(200);
    expect(String(answer.headers['set-cookie'])).toMatch(/^planwright-[\w-]{8}=; Max-Age=0/);
    expect((await opened(left)).status).toBe(401);
    expect((await opened(other)).status).toBe(200);
    // It ends: nothing more is told to whoever has left.
    expect(await stream).toContain('retry');
  });

  it('an address for a browser works once', async () => {
    const served = await serve();
    const path = (await served.server.addressOnce()).slice(served.url.length);
    expect((await raw(served, path)).status).toBe(302);
    expect((await raw(served, path)).status).toBe(401);
  });

  it('the exchange leads nowhere else', async () => {
    const served = await serve();
    for (const path of ['//evil.example/', '/\\evil.example/', '///evil.example', '/%2f/evil.example']) {
      const { headers } = await raw(served, `${path}?token=${await codeFrom(served)}`);
      const led = new URL(String(headers['location'] ?? '/'), served.url);
      expect({ path, host: led.host }).toEqual({ path, host: new URL(served.url).host });
    }
  });
});

describe('pages of others', () => {
  it('cannot make their own name point here', async () => {
    const served = await serve({ allowedHosts: ['box.example'] });
    const { port } = served.server;
    const answers = async (host: string) =>
      (await raw(served, '/api/runs', { headers: { ...bearer, host } })).status;
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost',
      'localhost:1',
      '127.0.0.1.evil.example',
      `localhost.:${port}`,
      '0.0.0.0',
      `10.0.0.1:${port}`,
    ]) {
      expect({ host, status: await answers(host) }).toMatchObject({
        host,
        status: expect.toBeOneOf([400, 421]),
      });
    }
    for (const host of [
      `localhost:${port}`,
      `127.0.0.1:${port}`,
      `[::1]:${port}`,
      'box.example',
      'box.example:8443',
      `LOCALHOST:${port}`,
    ]) {
      expect({ host, status: await answers(host) }).toEqual({ host, status: 200 });
    }
    const page = await raw(served, '/', { headers: { host: 'evil.example' } });
    expect(codeOf(page)).toEqual([421, 'wrong-host']);
  });

  it('are refused whatever they send along', async () => {
    const served = await serve();
    const cookie = (await signIn(served)).split(';')[0]!;
    const own = `http://127.0.0.1:${served.server.port}`;
    const body = JSON.stringify({ source: source('true') });
    const json = { 'content-type': 'application/json' };
    const send = async (headers: Record<string, string>, path = '/api/runs', method = 'POST') =>
      (
        await raw(served, path, {
          method,
          headers: { cookie, ...json, ...headers },
          ...(method === 'POST' ? { body } : {}),
        })
      ).status;
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:1' },
      { origin: `http://localhost:${served.server.port}` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      expect({ headers, status: await send(headers) }).toEqual({ headers, status: 403 });
      expect(await send(headers, '/api/stream', 'GET')).toBe(403);
      expect(await send(headers, '/api/runs', 'GET')).toBe(403);
    }
    expect(await send({ 'content-type': 'text/plain' })).toBe(415);
    expect(await send({ 'content-type': 'application/x-www-form-urlencoded' })).toBe(415);
    expect(await send({ origin: own, 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await send({ origin: own }, '/api/stream', 'GET')).toBe(200);
    expect((await served.client.listRuns()).runs).toHaveLength(1);
  });

  it('cannot frame, sniff or script ours; every answer says so', async () => {
    const served = await serve();
    for (const path of ['/', '/api/runs', '/healthz', '/assets/none.js', '/api/none']) {
      const { headers } = await raw(served, path);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': expect.stringMatching(
          /default-src 'none'; script-src 'self';.*frame-ancestors 'none'/,
        ),
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(String((await raw(served, '/')).headers['content-security-policy'])).not.toMatch(
      /script-src[^;]*unsafe/,
    );
    const preflight = await raw(served, '/api/runs', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example' },
    });
    expect(preflight.status).toBe(403);
  });
});

describe('files of the web app', () => {
  function webFolder(): string {
    const root = tempFolder('web');
    const folder = join(root, 'dist');
    mkdirSync(join(folder, 'assets'), { recursive: true });
    writeFileSync(join(root, 'secret.txt'), 'a secret');
    writeFileSync(join(folder, 'index.html'), '<!doctype html>the page');
    writeFileSync(join(folder, 'assets', 'app-1a2b.js'), 'code()');
    writeFileSync(join(folder, 'assets', 'app-1a2b.js.br'), 'packed');
    symlinkSync(join(root, 'secret.txt'), join(folder, 'assets', 'link.txt'));
    return folder;
  }

  it('are served from their folder and from nowhere else', async () => {
    const served = await serve({ webFolder: webFolder() });
    for (const path of [
      '/../secret.txt',
      '/assets/../../secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
      '/..%5csecret.txt',
      '/assets/link.txt',
      '//etc/passwd',
      '/assets/..%00/secret.txt',
      '/%',
      '/%c0%ae%c0%ae/secret.txt',
      '/assets/',
    ]) {
      const { text } = await raw(served, path);
      expect({ path, text }).not.toMatchObject({ text: expect.stringMatching(/a secret|root:/) });
    }
    expect((await raw(served, '/assets/none.js')).status).toBe(404);
  });

  it('the page answers for every address of the app; hashed files are kept for ever', async () => {
    const served = await serve({ webFolder: webFolder() });
    for (const path of ['/', '/runs/abc', '/settings/models']) {
      const { status, text, headers } = await raw(served, path);
      expect({ path, status, text }).toEqual({ path, status: 200, text: '<!doctype html>the page' });
      expect(headers).toMatchObject({
        'cache-control': 'no-cache',
        'content-type': 'text/html; charset=utf-8',
      });
    }
    const script = await raw(served, '/assets/app-1a2b.js');
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const packed = await raw(served, '/assets/app-1a2b.js', { headers: { 'accept-encoding': 'gzip, br' } });
    expect(packed).toMatchObject({ text: 'packed', headers: { 'content-encoding': 'br' } });
  });

  it('where it has not been built, the page says how', async () => {
    const served = await serve({ webFolder: join(tempFolder('empty'), 'dist') });
    expect(await raw(served, '/')).toMatchObject({
      status: 503,
      text: expect.stringContaining('npm run build'),
    });
  });
});

describe('bodies', () => {
  it('too large, too deep, malformed or not JSON are refused with a sentence', async () => {
    const { post, client, errors } = await serve();
    const answer = async (body: string, headers = {}) => {
      const response = await post('/api/plans/validate', body, headers);
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      expect(error.message).toMatch(/\w+ \w+/);
      return [response.status, error.code];
    };
    expect(await answer(JSON.stringify({ text: 'x'.repeat(1024 * 1024), kind: 'plan' }))).toEqual([
      413,
      'too-large',
    ]);
    expect(await answer('{"text": ')).toEqual([400, 'malformed']);
    expect(await answer('')).toEqual([400, 'malformed']);
    expect(await answer('[]')).toEqual([400, 'invalid']);
    expect(await answer('null')).toEqual([400, 'invalid']);
    expect(await answer(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toEqual([400, 'too-deep']);
    expect(await answer('{"__proto__": {"a": 1}, "text": "x", "kind": "plan"}')).toEqual([400, 'invalid']);
    expect(await answer('{}', { 'content-type': 'text/html' })).toEqual([415, 'not-json']);
    expect((await client.listRuns()).runs).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('that never end are cut off at the limit, whatever their length claims', async () => {
    const served = await serve();
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(32));
        if (sent > 64 * 1024 * 1024) controller.close();
      },
    });
    const headers = { 'content-type': 'application/json' };
    const answer = await served
      .fetch('/api/plans/validate', { method: 'POST', body: endless, headers, duplex: 'half' } as RequestInit)
      .then(
        ({ status }) => status,
        () => 'cut off',
      );
    expect(answer).toBeOneOf([413, 'cut off']);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    expect((await served.fetch('/api/runs')).status).toBe(200);
  });
});

describe('connections that say nothing', () => {
  it('a thousand of them keep nobody from being served, and are closed', async () => {
    const served = await serve({ headersTimeoutMs: 1500 });
    const sockets: Socket[] = [];
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    let closed = 0;
    await Promise.all(
      Array.from(
        { length: 1000 },
        (_, n) =>
          new Promise<void>((resolve, reject) => {
            const socket = connect(served.server.port, '127.0.0.1', () => {
              socket.write(n % 2 === 0 ? 'GET /api/runs HTTP/1.1\r\nHost: x\r\nX-Slow: ' : 'G');
              resolve();
            });
            socket.resume();
            socket.once('error', reject);
            socket.on('close', () => closed++);
            sockets.push(socket);
          }),
      ),
    );
    expect((await served.fetch('/api/runs')).status).toBe(200);
    expect(await served.client.createRun({ source: source('true') })).toMatchObject({ problems: [] });
    for (const socket of sockets) socket.removeAllListeners('error').on('error', () => {});
    await eventually(() => closed === 1000, 'all half-open connections are closed');
  });
});

it('secrets leave by no route', async () => {
  const secret = 'hunter2-hunter2-hunter2';
  const { client, workspace, fetch } = await serve({ secret });
  const { id } = await client.createRun({
    source: {
      text: `goal: say ${secret}\nplan:\n  - {step: show ${secret}, action: 'RUN_COMMAND echo "$MY_API_KEY"; exit 3'}\n`,
      kind: 'plan',
    },
    agreed: true,
  });
  for await (const { event } of client.watchRun(id)) if (event.type === 'run-paused') break;
  const started = await client.createRun({
    source: {
      text: `goal: a service\nplan:\n  - {step: log, action: 'START noise printf "%s\\n" "$MY_API_KEY" && sleep 60', expects: stdout contains secret}\n`,
      kind: 'plan',
    },
  });
  const texts = [
    JSON.stringify(await client.getRun(id)),
    JSON.stringify(await client.listRuns()),
    JSON.stringify(await client.search({ q: 'say' })),
    JSON.stringify(await client.getEvents(id)),
    JSON.stringify(await client.previewRun(started.id)),
    JSON.stringify(await client.waiting()),
    JSON.stringify(await client.getConfig({ workspace })),
    new TextDecoder().decode((await client.output(id, 's1', 0)).bytes),
    await (await fetch(`/api/runs/${id}/steps/s1/attempts/0/output?download=1`)).text(),
  ];
  for (const text of texts) expect(text).not.toContain(secret);
  expect(texts[0]).toContain('[secret]');
});
