import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { putUp } from './notice.ts';

/** A server of this process, by its notice. */
async function serving(instance: string, answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { pid: process.pid, url: `http://127.0.0.1:${port}`, instance };
}

test('who comes while an old notice is being looked at is not pushed aside', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'planwright-notice-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'server.json');
  const there = await serving('there', (_, response) => {
    response.setHeader('planwright-instance', 'there').end();
  });
  // Somebody else has its port by now; before that is known, another server puts its own notice up.
  const old = await serving('old', (_, response) => {
    writeFileSync(file, JSON.stringify(there));
    response.end();
  });
  writeFileSync(file, JSON.stringify(old));
  const late = { pid: process.pid, url: 'http://127.0.0.1:1', instance: 'late' };
  expect(await putUp(folder, late)).toEqual(there);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(there);
});
