import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type McpServer, openMcp } from '../../src/world/mcp/index.ts';
import { eventually, start } from '../support/processes.ts';
import { isFullLength } from '../support/scale.ts';
import { fileIn } from './exchange.ts';

/**
 * A server that the protocol's own authors wrote to show all of it. At a desk test/mcp has servers of ours, written
 * against the protocol.
 */
const PROGRAM = '@modelcontextprotocol/server-everything/dist/index.js';

const redact = (text: string) => text.replaceAll('hunter2', '•••');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const open = (server: McpServer) => {
  const mcp = openMcp({ servers: [server], env: process.env, cwd: process.cwd(), owner: '' });
  onTestFinished(() => mcp.close());
  return mcp;
};

async function expectEverything(server: McpServer): Promise<void> {
  const mcp = open(server);
  const tools = await mcp.tools();
  expect(mcp.problems()).toEqual([]);
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['mcp__everything__echo', 'mcp__everything__get-sum']),
  );
  const echoed = await mcp.call('mcp__everything__echo', { message: 'hunter2 hello' }, { redact });
  expect(echoed).toEqual({ ok: true, text: 'Echo: ••• hello' });
  expect(await mcp.call('mcp__everything__get-sum', { a: 2, b: 3 }, { redact })).toMatchObject({
    ok: true,
    text: expect.stringContaining('5'),
  });
  // What does not fit its schema is the server's to refuse.
  expect(await mcp.call('mcp__everything__get-sum', { a: 'two' }, { redact })).toMatchObject({ ok: false });
}

describe.skipIf(!isFullLength)('a server of the Model Context Protocol that others wrote', () => {
  it('is used as a process', () =>
    expectEverything({
      kind: 'stdio',
      name: 'everything',
      command: process.execPath,
      args: [fileIn(PROGRAM), 'stdio'],
      env: {},
      cwd: null,
    }));

  it('is used over HTTP', async () => {
    const port = await freePort();
    const { child } = start(process.execPath, [fileIn(PROGRAM), 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const url = `http://127.0.0.1:${port}/mcp`;
    await eventually(
      () =>
        fetch(url)
          .then(() => true)
          .catch(() => false),
      'it listens',
    );
    await expectEverything({ kind: 'http', name: 'everything', url, headers: {} });
  });
});
