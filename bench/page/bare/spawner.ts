// A server that answers at once, and starts one `bash -c true` after the other meanwhile: what nobody can do better in one process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((_, answer) => answer.end('{}')).listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
for (;;) await once(spawn('bash', ['-c', 'true']), 'close');
