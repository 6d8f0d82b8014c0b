import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '../app/errors.ts';

/** Where a worker tells how it is: it has no other door. */
export interface MetricsPort {
  /** `http://…/metrics` */
  url: string;
  close(): Promise<void>;
}

/** `[HOST:]PORT`, on this machine alone where no host is named. What it tells are numbers: nobody is asked who they are. */
export async function openMetricsPort(at: string, text: () => string): Promise<MetricsPort> {
  const [, host = '127.0.0.1', port = ''] = /^(?:(.+):)?(\d+)$/.exec(at) ?? [];
  if (port === '' || Number(port) > 65_535)
    throw new AppError(
      'usage',
      `--metrics takes a port, or an address and a port, as 10.0.0.7:9464; not ${at}`,
    );
  const server = createServer(({ method, url }, answer) => {
    const found = method === 'GET' && (url === '/metrics' || url === '/healthz');
    const type = url === '/metrics' ? 'text/plain; version=0.0.4; charset=utf-8' : 'application/json';
    answer.writeHead(found ? 200 : 404, { 'content-type': type, connection: 'close' });
    answer.end(found ? (url === '/metrics' ? text() : '{"ok":true}') : '');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new AppError('usage', `--metrics ${at}: nobody can listen there (${cause.message})`, { cause })),
    );
    server.listen(Number(port), host.replace(/^\[|\]$/g, ''), resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${bound}/metrics`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
