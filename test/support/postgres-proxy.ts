import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The way from one process to the server: it can be cut without the server or anybody else noticing. */
export interface PostgresProxy {
  /** Of the same database, by this way. */
  url: string;
  /** Nothing gets through any more, and nobody is told: neither end is closed. */
  cut(): void;
  /** New connections get through again; those from before are closed. */
  heal(): void;
  close(): Promise<void>;
}

/** The address of the server is that of a socket in a folder. */
export async function openProxy(url: string): Promise<PostgresProxy> {
  const socketIn = (folder: string) => join(folder, '.s.PGSQL.5432');
  const folder = mkdtempSync(join(tmpdir(), 'pw-proxy-'));
  const through = new URL(url);
  const server = socketIn(through.searchParams.get('host')!);
  through.searchParams.set('host', folder);
  const pairs = new Set<[Socket, Socket | null]>();
  let isCut = false;
  const destroyAll = () => {
    for (const pair of pairs) for (const socket of pair) socket?.destroy();
    pairs.clear();
  };
  const proxy = createServer((client) => {
    const up = isCut ? null : connect(server);
    const pair: [Socket, Socket | null] = [client, up];
    pairs.add(pair);
    for (const socket of pair) socket?.on('error', () => {});
    if (up === null) return;
    client.on('data', (sent) => void (isCut || up.write(sent)));
    up.on('data', (answer) => void (isCut || client.write(answer)));
    client.on('close', () => up.destroy());
    up.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(socketIn(folder), resolve));
  return {
    url: through.href,
    cut() {
      isCut = true;
    },
    heal() {
      isCut = false;
      destroyAll();
    },
    async close() {
      destroyAll();
      await new Promise((resolve) => proxy.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
