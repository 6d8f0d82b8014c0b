import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { fetchLimits, fetchPlan } from './fetch-plan.ts';

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

async function serving(answer: RequestListener): Promise<string> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server!.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const page = '# T\n\n```sh\ntrue\n```\n';

test('a text is fetched once, with its hash, and with nothing that says who asks', async () => {
  const asked: IncomingMessage[] = [];
  const at = await serving((request, response) => {
    asked.push(request);
    response.end(page);
  });
  const fetched = await fetchPlan(`${at}/page.md?signature=quiet#part`);
  expect(fetched).toMatchObject({ address: `${at}/page.md`, text: page, kind: 'runbook' });
  expect(fetched.sha256).toBe(createHash('sha256').update(page).digest('hex'));
  expect(asked.map(({ url }) => url)).toEqual(['/page.md?signature=quiet']);
  for (const name of ['authorization', 'cookie', 'referer']) expect(asked[0]!.headers[name]).toBeUndefined();
});

test.each([
  ['plan.yaml', 'text/plain', 'goal: g', 'plan'],
  ['raw', 'text/plain', page, 'runbook'],
  ['raw', 'text/markdown; charset=utf-8', '# T', 'runbook'],
])('%s of type %s is read as what it is', async (name, type, text, kind) => {
  const at = await serving((_, response) => void response.setHeader('content-type', type).end(text));
  expect((await fetchPlan(`${at}/${name}`)).kind).toBe(kind);
});

test('what leads elsewhere on the same host is followed, and no further', async () => {
  const at = await serving(({ url, headers }, response) => {
    const leads: Record<string, string> = {
      '/near': '/page.md',
      '/far': `http://localhost:${headers.host!.split(':')[1]}/page.md`,
      '/down': 'ftp://127.0.0.1/x',
      '/round': '/round',
    };
    const to = leads[url!];
    if (to === undefined) response.end(page);
    else response.writeHead(302, { location: to }).end();
  });
  expect((await fetchPlan(`${at}/near`)).address).toBe(`${at}/page.md`);
  await expect(fetchPlan(`${at}/far`)).rejects.toThrow(/leads to another host, http:\/\/localhost:/);
  await expect(fetchPlan(`${at}/down`)).rejects.toThrow('another host');
  await expect(fetchPlan(`${at}/round`)).rejects.toThrow('without end');
});

test.each([
  ['http://example.org/page.md', 'is not https'],
  ['http://127.0.0.1.example.org/page.md', 'is not https'],
  ['https://ada:quiet@example.org/page.md', 'a name and a password'],
  ['https://', 'no address'],
])('%s is not asked at all', async (address, why) => {
  const said = await fetchPlan(address).catch((error: Error) => error.message);
  expect(said).toContain(why);
  expect(said).not.toContain('quiet');
});

test.each([
  ['a web page', { 'content-type': 'text/html' }, '<p>', 'is a web page'],
  ['no text', {}, Buffer.from([0xff, 0xfe, 0]), 'is no text in UTF-8'],
  ['too much', {}, 'x'.repeat(2000), 'larger than'],
  ['too much, packed', { 'content-encoding': 'gzip' }, 'packed', 'larger than'],
])('%s is refused', async (_what, headers, body, why) => {
  const { gzipSync } = await import('node:zlib');
  const sent = body === 'packed' ? gzipSync('x'.repeat(2000)) : body;
  const at = await serving((_, response) => void response.writeHead(200, headers).end(sent));
  await expect(fetchPlan(at, { ...fetchLimits, bytes: 1000 })).rejects.toThrow(why);
});

test('what is not there, never answers or never ends is said', async () => {
  const at = await serving(({ url }, response) => {
    if (url === '/missing') response.writeHead(404).end();
    if (url === '/endless') response.write('# T\n');
  });
  await expect(fetchPlan(`${at}/missing`)).rejects.toThrow('answered with 404');
  const soon = { ...fetchLimits, ms: 100 };
  await expect(fetchPlan(`${at}/silent`, soon)).rejects.toThrow('did not answer within 0.1 s');
  await expect(fetchPlan(`${at}/endless`, soon)).rejects.toThrow('did not answer within 0.1 s');
  server!.close();
  server!.closeAllConnections();
  await expect(fetchPlan(`${at}/gone`)).rejects.toThrow(/cannot be fetched: \S/);
});
