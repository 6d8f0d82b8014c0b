import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import type { Bench } from '../support/cli.ts';

/** A server with a certificate of its own that lasts thirty days. */
export async function startTls(bench: Bench): Promise<{ port: number; end(): Promise<void> }> {
  const [key, cert] = [bench.path('key.pem'), bench.path('cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-days', '30', '-nodes', '-newkey', 'ec'];
  const curve = ['-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  execFileSync('openssl', ['req', '-x509', ...subject, ...curve, '-keyout', key, '-out', cert], {
    stdio: 'pipe',
  });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
    // The other side goes away as soon as it has seen the certificate.
    socket.on('error', () => {});
    socket.end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, end: () => new Promise((resolve) => void server.close(() => resolve())) };
}
