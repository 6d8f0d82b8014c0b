import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/**
 * A way out of a sandbox to a few hosts, and to nobody else: a proxy on this machine's loopback that connects to what is
 * listed and refuses the rest. What goes through it is encrypted end to end, and read by nobody.
 */
export interface WayOut {
  port: number;
  close(): Promise<void>;
}

/** `hosts`: names, with `:PORT` where that is not 443. Rejects where nothing can be listened on. */
export async function openWayOut(hosts: readonly string[]): Promise<WayOut> {
  const open = new Set<Socket>();
  const listed = new Set(hosts.map((host) => (host.includes(':') ? host : `${host}:443`).toLowerCase()));
  const server = createServer((_, response) => response.writeHead(403).end());
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  server.on('connection', keep);
  server.on('connect', ({ url = '' }, inside: Socket, head: Buffer) => {
    const at = url.lastIndexOf(':');
    const [host, port] = [url.slice(0, at).replace(/^\[|\]$/g, ''), Number(url.slice(at + 1))];
    if (!listed.has(url.toLowerCase()) || !Number.isInteger(port)) {
      inside.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const outside = connect(port, host, () => {
      inside.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      outside.write(head);
      inside.pipe(outside).pipe(inside);
    });
    keep(outside);
    outside.on('close', () => inside.destroy());
    inside.on('close', () => outside.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
