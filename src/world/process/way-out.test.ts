import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openWayOut } from './way-out.ts';

/** What a proxy answers to a wish to be connected, and what comes through it then. */
async function through(port: number, to: string, asks: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let said = '';
  socket.write(`CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\n`);
  for await (const bytes of socket) {
    const isFirst = said === '';
    said += bytes;
    if (isFirst && said.startsWith('HTTP/1.1 200')) socket.write(asks);
  }
  return said;
}

test('what is listed is reached, and nobody else, nor another port', async () => {
  const server = createServer((_, response) => response.end('the model')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const way = await openWayOut([`localhost:${port}`, 'api.example.org']);
  onTestFinished(() => way.close());
  const get = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  expect(await through(way.port, `localhost:${port}`, get)).toContain('the model');
  for (const other of [`127.0.0.1:${port}`, 'localhost:22', 'api.example.org:80', 'example.org:443', 'x'])
    expect(await through(way.port, other, get), other).toMatch(/^HTTP\/1\.1 40[03]/);
  const plain = await fetch(`http://127.0.0.1:${way.port}/`);
  expect(plain.status).toBe(403);
});
