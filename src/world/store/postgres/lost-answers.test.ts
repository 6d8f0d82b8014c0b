import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type FreshSchema, freshSchema, hasPostgres } from '../../../../test/support/postgres.ts';
import { type ToyEvent, toyKind } from '../../../../test/support/toy-kind.ts';
import { kindsOf } from '../../../core/stream/index.ts';
import { awaits, driver, ended } from '../test-support.ts';
import { openPostgres, type PostgresOptions } from './store.ts';

let fresh: FreshSchema;
let dir: string;

beforeEach(async () => {
  fresh = await freshSchema();
  dir = mkdtempSync(join(tmpdir(), 'planwright-pg-'));
  onTestFinished(async () => {
    await fresh.drop();
    rmSync(dir, { recursive: true, force: true });
  });
});

async function open(more: Partial<PostgresOptions> = {}) {
  const { url, schema } = fresh;
  const store = await openPostgres<ToyEvent>({
    ...{ url, schema, dir, driver: driver(1), kinds: kindsOf(toyKind), connections: 2, patienceMs: 10_000 },
    ...more,
  });
  onTestFinished(() => store.close());
  return store;
}

/** Between the program and the server: the answer to what is sent with this word is lost once, with its connection. */
async function losingAnswers(url: string) {
  const server = join(new URL(url).searchParams.get('host')!, '.s.PGSQL.5432');
  const sockets = new Set<Socket>();
  let word: string | null = null;
  let lost = 0;
  const proxy = createServer((client) => {
    const up = connect(server);
    let isLosing = false;
    for (const socket of [client, up]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => (socket === client ? up : client).destroy());
    }
    client.on('data', (sent) => {
      if (word !== null && sent.includes(word)) {
        isLosing = true;
        word = null;
      }
      up.write(sent);
    });
    up.on('data', (answer) => {
      if (!isLosing) return void client.write(answer);
      lost++;
      client.destroy();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(join(dir, '.s.PGSQL.5432'), resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const through = new URL(url);
  through.searchParams.set('host', dir);
  return { url: through.href, lose: (next: string) => void (word = next), lost: () => lost };
}

const begun = (name: string): ToyEvent => ({ v: 1, type: 'toy-begun', at: 1, target: 1, name });

describe.skipIf(!hasPostgres)('with a server', () => {
  /** A free stream is taken in one statement; where it is counted how many are at work, in a transaction. */
  const takings = [
    { lost: 'INSERT INTO claims', atOnce: undefined },
    { lost: 'COMMIT', atOnce: { kind: 'toy', most: 5 } },
  ];
  test.each(takings)(
    'a claim whose answer ($lost) was lost is had, and held by nobody who does not know of it',
    async ({ lost, atOnce }) => {
      const proxy = await losingAnswers(fresh.url);
      const store = await open({ url: proxy.url });
      await store.begin('s', { kind: 'toy', id: 'a', events: [begun('x')] });
      proxy.lose(lost);
      const first = await store.claim('s', atOnce);
      expect(proxy.lost()).toBe(1);
      expect(first.ok && first.claim.epoch).toBe(1);
      const again = await store.claim('s');
      expect(again).toMatchObject({ ok: false, why: 'claimed' });
    },
  );

  test('others hear of an append, though nobody was told that it was written', async () => {
    const proxy = await losingAnswers(fresh.url);
    const store = await open({ url: proxy.url });
    const heard: string[] = [];
    const listener = new pg.Client({ connectionString: fresh.url });
    listener.on('notification', ({ payload }) => void heard.push(payload ?? ''));
    await listener.connect();
    onTestFinished(() => listener.end());
    await listener.query(`LISTEN "planwright ${fresh.schema}"`);
    const hears = (said: string) => vi.waitUntil(() => heard.includes(said), { timeout: 60_000 });
    await store.begin('s', { kind: 'toy', id: 'a', events: [begun('x')] });
    await hears('1 s');
    proxy.lose('COMMIT');
    const written = await store.append('s', { id: 'b', events: [begun('y')] });
    expect([proxy.lost(), written]).toEqual([1, { ok: true, seq: 2, repeated: true }]);
    // What is said afterwards comes afterwards.
    await store.begin('t', { kind: 'toy', id: 'c', events: [begun('z')] });
    await hears('1 t');
    expect(heard).toEqual(['1 s', '2 s', '1 t']);
  });

  test('and so they do of the streams that were told of an end with it', async () => {
    const proxy = await losingAnswers(fresh.url);
    const store = await open({ url: proxy.url });
    const heard: string[] = [];
    const listener = new pg.Client({ connectionString: fresh.url });
    listener.on('notification', ({ payload }) => void heard.push(payload ?? ''));
    await listener.connect();
    onTestFinished(() => listener.end());
    await listener.query(`LISTEN "planwright ${fresh.schema}"`);
    for (const name of ['parent', 'child'])
      await store.begin(name, { kind: 'toy', id: 'a', events: [begun(name)] });
    await store.append('parent', { id: 'w', events: [awaits(2, 'child')] });
    proxy.lose('COMMIT');
    expect(await store.append('child', { id: 'e', events: [ended(3)] })).toMatchObject({ repeated: true });
    await store.begin('t', { kind: 'toy', id: 'c', events: [begun('z')] });
    await vi.waitUntil(() => heard.includes('1 t'), { timeout: 60_000 });
    expect(heard).toEqual(expect.arrayContaining(['2 child', '3 parent']));
  });

  test('what a step printed is written once, though nobody was told that it was', async () => {
    const proxy = await losingAnswers(fresh.url);
    const store = await open({ url: proxy.url });
    for (const isLost of [true, false]) {
      const writer = await store.output.writer('s', 'step', isLost ? 0 : 1);
      if (isLost) proxy.lose('INSERT INTO logs');
      const written = [writer.write(Buffer.from('out\n')), writer.write(Buffer.from('bad\n'), 'stderr')];
      await Promise.all([...written, writer.end()]);
      const log = ['s', 'step', isLost ? 0 : 1] as const;
      const { bytes, isEnded, size } = await store.output.read(...log, 0, 100);
      expect({ text: Buffer.from(bytes).toString(), isEnded, size }).toEqual({
        text: 'out\nbad\n',
        isEnded: true,
        size: 8,
      });
      expect(await store.output.errors(...log)).toEqual([[4, 8]]);
    }
    expect(proxy.lost()).toBe(1);
  });

  test('nor is it taken for written where the log had as much in it before', async () => {
    const proxy = await losingAnswers(fresh.url);
    const store = await open({ url: proxy.url });
    for (const one of [await open(), store]) {
      const writer = await one.output.writer('s', 'step', 0);
      if (one === store) proxy.lose('OVERRIDING SYSTEM VALUE');
      await writer.write(Buffer.from('out\n'));
      await writer.end();
    }
    expect(proxy.lost()).toBe(1);
    const { bytes } = await store.output.read('s', 'step', 0, 0, 100);
    expect(Buffer.from(bytes).toString()).toBe('out\nout\n');
  });

  test.each(takings)(
    'where the answer ($lost) was lost and the server stayed away, the same process can claim it later',
    async ({ lost, atOnce }) => {
      const proxy = await losingAnswers(fresh.url);
      const store = await open({ url: proxy.url, patienceMs: 0 });
      await store.begin('s', { kind: 'toy', id: 'a', events: [begun('x')] });
      proxy.lose(lost);
      await expect(store.claim('s', atOnce)).rejects.toMatchObject({ code: 'store-unreachable' });
      const claimed = await store.claim('s');
      expect(claimed.ok && claimed.claim.epoch).toBe(2);
    },
  );

  test('a zero or half a surrogate pair in what people ask for, or name an append, is no error', async () => {
    const store = await open();
    const odd = 'a\0b\ud800';
    expect(await store.row(odd)).toBeNull();
    expect(await store.kindOf(odd)).toBeNull();
    expect(await store.find(odd, 3)).toEqual([]);
    expect(await store.list({ text: odd, workspace: odd })).toEqual([]);
    expect(await store.withPrefix(odd)).toEqual([]);
    expect(await store.alike([`long ${odd}`], { kind: 'toy', workspace: '/', limit: 1 })).toEqual([]);
    await store.keepFix({ id: 'i', scope: 's', key: odd, general: odd });
    expect(await store.fixes({ key: odd })).toHaveLength(1);
    await store.begin('s', { kind: 'toy', id: odd, events: [begun(odd)] });
    // So many that the ids move to a table of their own.
    for (let at = 0; at < 60; at++)
      await store.append('s', { id: `${odd} ${'x'.repeat(30)} ${at}`, events: [begun('y')] });
    const repeated = await store.append('s', { id: odd, events: [begun('z')] });
    expect(repeated).toMatchObject({ ok: true, seq: 1, repeated: true });
    expect((await store.read('s', 0, 1))[0]?.event).toEqual(begun(odd));
  });

  test('a cursor that somebody made up tells nothing, and is replaced', async () => {
    const store = await open();
    const now = await store.cursor();
    const [name] = now.split('/');
    for (const from of [
      '99999999999999999999:1:',
      '5:1:',
      '1:5:9,2',
      '1:5:3,,4',
      '0:1:',
      '1:9:2,2',
      '1:5:5',
    ]) {
      const bad = `${name}/${from}`;
      expect(await store.changedSince(bad, 3), from).toEqual({ cursor: bad, streams: [] });
      expect(await store.cursor(bad), from).not.toBe(bad);
    }
    expect(await store.cursor(now)).toBe(now);
  });

  test('whoever has a schema of its own needs no right on the database', async () => {
    const role = `r${fresh.schema}`;
    await fresh.query(`CREATE ROLE ${role} LOGIN`);
    await fresh.query(`CREATE SCHEMA ${fresh.schema} AUTHORIZATION ${role}`);
    onTestFinished(async () => void (await fresh.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)));
    const url = new URL(fresh.url);
    url.username = role;
    const store = await open({ url: url.href });
    expect(await store.list()).toEqual([]);
    await store.close();
  });

  test('an address that cannot be read is said, without what is in it', async () => {
    const failed: unknown = await open({ url: 'postgres://u:se/cret@h:1/x' }).catch((error) => error);
    expect(failed).toMatchObject({ code: 'store-io' });
    expect(JSON.stringify(failed) + String(failed) + String((failed as Error).cause)).not.toContain('cret');
  });
});
