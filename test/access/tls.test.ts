import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bench, openBench } from '../support/cli.ts';
import { freshDatabase, hasPostgres } from '../support/postgres.ts';

/** Asked first by whoever wants TLS; answered by one letter, and then both begin with it. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * PostgreSQL as it is behind TLS, with the real one behind it: that one has no TLS on the socket that tests reach it by. Whoever
 * does not ask for it is hung up on.
 */
function encrypting(socketPath: string, key: string, cert: string): Server {
  return createServer((plain) => {
    plain.on('error', () => {});
    plain.once('data', (first) => {
      if (!first.equals(SSL_REQUEST)) return plain.destroy();
      plain.write('S');
      const secure = new TLSSocket(plain, { isServer: true, key, cert });
      const database = connect(socketPath);
      for (const [one, other] of [
        [secure, database],
        [database, secure],
      ] as const)
        one.on('error', () => other.destroy()).on('close', () => other.destroy());
      secure.pipe(database).pipe(secure);
    });
  });
}

describe.skipIf(!hasPostgres)('a database behind TLS', () => {
  let bench: Bench;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let server: Server;
  let folder: string;
  let port: number;

  beforeAll(async () => {
    bench = openBench({ here: true });
    database = await freshDatabase();
    folder = mkdtempSync(join(tmpdir(), 'planwright-tls-'));
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name)) as [string, string];
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    execFileSync('openssl', ['req', '-x509', ...made, ...names, '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    });
    const socket = join(new URL(database.url).searchParams.get('host')!, '.s.PGSQL.5432');
    server = encrypting(socket, readFileSync(key, 'utf8'), readFileSync(cert, 'utf8'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(async () => {
    server?.close();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
    bench.clean();
  });
  const runs = (host: string, query: string) => {
    const { username, pathname } = new URL(database.url);
    return bench.run([
      'runs',
      '--json',
      '--database',
      `postgres://${username}@${host}:${port}${pathname}?${query}`,
    ]);
  };
  const trusted = () => `sslrootcert=${encodeURIComponent(join(folder, 'cert.pem'))}`;

  test('is used where its certificate is trusted, and bears its name; else it is told why not', async () => {
    expect(await runs('localhost', `sslmode=verify-full&${trusted()}`)).toMatchObject({
      code: 0,
      stdout: '[]\n',
    });
    const unknown = await runs('localhost', 'sslmode=verify-full');
    expect(unknown.code).not.toBe(0);
    expect(unknown.stderr).toMatch(
      /^planwright: PostgreSQL at localhost\S* was not talked to: .*sslrootcert=FILE/,
    );
    const misnamed = await runs('127.0.0.1', `sslmode=verify-full&${trusted()}`);
    expect(misnamed.code).not.toBe(0);
    expect(misnamed.stderr).toContain('was not talked to');
  });
});
