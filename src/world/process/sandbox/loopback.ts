import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Programs } from './programs.ts';

/**
 * A way from the loopback of a sandbox to a few ports of this machine's, and to nothing else: the network stays shut.
 *
 *   inside: 127.0.0.1:PORT ─▶ relay ─▶ socket in a folder that is shown ─▶ outside: this process ─▶ localhost:PORT
 */
export interface Loopback {
  /** What bwrap is told besides. */
  options: string[];
  /** The command, behind the relay: it begins when the relay listens. */
  around(programs: Pick<Programs, 'sh' | 'env'>, command: string[]): string[];
  close(): void;
}

/** Where the sandbox has the sockets: in its own /run. */
const SHOWN = '/run/planwright-loopback';

/** Listens on each port inside, and says that it does by closing its output, in whose place nothing else may come. */
const relay = `
const { closeSync, openSync } = require('fs'), { connect, createServer } = require('net');
const ports = process.argv[1].split(',');
let left = ports.length;
const ready = () => { if (--left === 0) { closeSync(1); openSync('/dev/null', 'w'); } };
for (const port of ports) createServer({ allowHalfOpen: true }, (client) => {
  const server = connect({ path: '${SHOWN}/' + port, allowHalfOpen: true });
  client.on('error', () => server.destroy()); server.on('error', () => client.destroy());
  client.pipe(server); server.pipe(client);
}).on('error', ready).listen(Number(port), '127.0.0.1', ready);
`;

/** It has none of the command's descriptors and variables, and ends with the sandbox. */
const script = ': "$("$1" -i "$2" -e "$3" "$4" </dev/null 2>/dev/null 3>&- 4>&- &)"; shift 4; exec "$@"';

/** Opens the way to these ports. Rejects where the sockets cannot be made. */
export async function openLoopback(ports: readonly number[], node: string): Promise<Loopback> {
  const folder = mkdtempSync(join(tmpdir(), 'planwright-loopback-'));
  const open = new Set<Server | Socket>();
  const close = (): void => {
    for (const one of open) 'destroy' in one ? one.destroy() : one.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const port of ports) open.add(await listen(join(folder, String(port)), port, open));
  } catch (error) {
    close();
    throw error;
  }
  return {
    options: ['--ro-bind', folder, SHOWN],
    around: ({ sh, env }, command) => [
      ...[sh, '-c', script, 'sh', env, node, relay, ports.join(',')],
      ...command,
    ],
    close,
  };
}

function listen(path: string, port: number, open: Set<Server | Socket>): Promise<Server> {
  const keep = (socket: Socket): Socket => {
    open.add(socket);
    return socket.once('close', () => open.delete(socket));
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const service = keep(connect({ port, host: 'localhost', allowHalfOpen: true }));
    keep(client).on('error', () => service.destroy());
    service.on('error', () => client.destroy());
    client.pipe(service);
    service.pipe(client);
  });
  return new Promise((resolve, reject) => {
    // A run that is over does not wait for it.
    server.once('error', reject).listen(path, () => resolve(server.unref()));
  });
}
