import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileRecordings, openModels } from '../../src/world/models/index.ts';
import { startOpenAi, type WireServer } from '../wire/index.ts';
import { ask, fastClock, modelsAt, openLedger, patient, secretKey } from './support.ts';

let folder: string;
let server: WireServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'planwright-recordings-'));
  server = await startOpenAi({ text: 'recorded once' });
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.close();
});

const chain = 'openai-chat/m, compatible/n';
const recording = () =>
  modelsAt(server.url, chain, { recordings: createFileRecordings(folder, 'record') }).forRole('brain');
/** No key, no URL, and a network that must not be used. */
const replaying = () =>
  openModels({
    env: {},
    settings: () => ({
      chains: {
        brain: [
          { provider: 'openai-chat', model: 'm' },
          { provider: 'compatible', model: 'n' },
        ],
      },
      url: null,
      timeoutMs: 1000,
    }),
    keyFile: '/nowhere',
    clock: fastClock(),
    timeouts: patient,
    recordings: createFileRecordings(folder, 'replay'),
    fetch: () => Promise.reject(new Error('the network was used')),
  }).forRole('brain');

test('what was recorded is answered without key or network, and costs nothing', async () => {
  await recording().callRaw(ask(), openLedger());
  const ledger = openLedger();
  const answer = await replaying().callRaw(ask(), ledger);
  expect(answer).toMatchObject({ ok: true, text: 'recorded once', usd: 0, model: { model: 'm' } });
  expect(ledger.started).toMatchObject([{ reserved: { usd: 0, tokens: 0 } }]);
  expect(ledger.ended).toMatchObject([{ outcome: 'ok', replayed: true }]);
});

test('another question was never recorded, and that is said', async () => {
  await recording().callRaw(ask(), openLedger());
  const ledger = openLedger();
  const answer = await replaying().callRaw(ask('something else'), ledger);
  expect(answer).toMatchObject({ ok: false, why: 'error', message: expect.stringContaining('is recorded') });
  expect(ledger.hops).toHaveLength(2);
});

test('what is said aside is sent, and is not asked for again', async () => {
  await recording().callRaw({ ...ask(), aside: 'it rains' }, openLedger());
  expect(JSON.stringify(server.requests[0]!.body)).toContain('hello\\nit rains');
  expect(await replaying().callRaw({ ...ask(), aside: 'it shines' }, openLedger())).toMatchObject({
    ok: true,
  });
});

test('a failure is replayed as one, and the chain goes the same way', async () => {
  server.script = ({ body }) => (body['model'] === 'm' ? { status: 401 } : { text: 'from the second' });
  const told = [openLedger(), openLedger()] as const;
  await recording().callRaw(ask(), told[0]);
  const answer = await replaying().callRaw(ask(), told[1]);
  expect(answer).toMatchObject({ ok: true, text: 'from the second', model: { model: 'n' } });
  expect(told[1].hops).toEqual(told[0].hops);
});

test('a recording holds no question and no key, and is for its owner only', async () => {
  await recording().callRaw(ask('where is the treasure'), openLedger());
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files).toHaveLength(1);
  const path = join(files[0]!.parentPath, files[0]!.name);
  expect(statSync(path).mode & 0o077).toBe(0);
  expect(readFileSync(path, 'utf8')).not.toMatch(new RegExp(`treasure|${secretKey}`));
});
