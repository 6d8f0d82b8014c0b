import { describe, expect, it, onTestFinished } from 'vitest';
import { type FreshSchema, freshSchema, hasPostgres } from '../../../../test/support/postgres.ts';
import { type ToyEvent, toyKind } from '../../../../test/support/toy-kind.ts';
import { kindsOf } from '../../../core/stream/index.ts';
import {
  awaits,
  begin,
  begun,
  driver,
  ended,
  fact,
  fakeLiveness,
  note,
  openTestStore,
  type ToyStore,
  tempDir,
} from '../test-support.ts';
import { importStore } from './importing.ts';
import { openPostgres, type PostgresOptions } from './store.ts';
import { readAll } from './streams.ts';

const liveness = fakeLiveness();

async function server(): Promise<FreshSchema> {
  const fresh = await freshSchema();
  onTestFinished(() => fresh.drop());
  return fresh;
}

async function open(at: FreshSchema, more: Partial<PostgresOptions> = {}): Promise<ToyStore> {
  const { url, schema } = at;
  const options = { url, schema, dir: tempDir(), driver: driver(1), kinds: kindsOf(toyKind), liveness };
  const store = await openPostgres<ToyEvent>({ ...options, connections: 4, ...more });
  onTestFinished(() => store.close());
  return store;
}

/** Ends every connection of the store, as a restart of the server does. */
const cutOff = (at: FreshSchema) =>
  at.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'planwright ' || $1 || '%'`,
    [at.schema],
  );

describe.skipIf(!hasPostgres)('a store on PostgreSQL', () => {
  it('writes every append once, whenever its connections break', async () => {
    const at = await server();
    const store = await open(at);
    await begin(store);
    const appends = Array.from({ length: 30 }, (_, n) => n);
    for (const n of appends) {
      const append = store.append('run', { id: `n${n}`, events: [note(n)] });
      const [written] = await Promise.all([append, n % 3 === 0 ? cutOff(at) : null]);
      expect(written).toMatchObject({ ok: true, seq: n + 2 });
    }
    const events = await store.read('run', 1);
    expect(events.map(({ event }) => (event as { n: number }).n)).toEqual(appends);
    expect(await store.check()).toEqual([]);
  });

  it('keeps what its address asks of a session, and what it needs itself', async () => {
    const at = await server();
    const asking = (options: string) => {
      const url = new URL(at.url);
      url.searchParams.set('options', options);
      return { ...at, url: url.href };
    };
    const said: unknown[] = [];
    const store = await open(asking('-c search_path=pg_catalog -c work_mem=7MB'), {
      enqueue: async (tx) =>
        void said.push(
          ...(await tx.query(`SELECT current_setting('work_mem') AS theirs, current_schema() AS ours,
            current_setting('idle_in_transaction_session_timeout') AS patience`)),
        ),
    });
    await begin(store);
    expect(said).toEqual([{ theirs: '7MB', ours: at.schema, patience: '20s' }]);
  });

  it('gives one of two folders that overlap, asked for at once; and nobody waits for the folder beside', async () => {
    const at = await server();
    const taken = async (pid: number) => {
      const store = await open(at, { driver: driver(pid) });
      await begin(store, `run-${pid}`);
      const result = await store.claim(`run-${pid}`);
      if (!result.ok) throw new Error('it is taken');
      const { claim } = result;
      return (path: string) => claim.hold({ host: 'here', path });
    };
    const [outer, inner, beside] = [await taken(1), await taken(2), await taken(3)];
    for (let n = 0; n < 10; n += 1) {
      const held = await Promise.all([outer(`/w/${n}`), inner(`/w/${n}/in/it`)]);
      expect(held.filter(({ ok }) => ok)).toHaveLength(1);
    }
    // Somebody is at it, and does not get on.
    await at.query('BEGIN');
    await at.query('SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))', [
      `planwright ${at.schema}`,
      'here /w/held',
    ]);
    expect(await beside('/w/beside')).toEqual({ ok: true });
    await at.query('COMMIT');
  });

  it('has whoever takes the root of all folders wait for those who take one of them', async () => {
    const at = await server();
    const store = await open(at);
    const taken = async (stream: string) => {
      await begin(store, stream);
      const result = await store.claim(stream);
      if (!result.ok) throw new Error('it is taken');
      return result.claim;
    };
    const [inner, outer] = [await taken('inner'), await taken('outer')];
    const lock = [`planwright ${at.schema}`, 'here /w'];
    await at.query('BEGIN');
    await at.query('SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))', lock);
    const areWaiting = async (count: number) => {
      const sql = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND classid::bigint = (hashtext($1)::bigint & 4294967295)`;
      while ((await at.query(sql, lock.slice(0, 1))).length < count);
      return 'waits';
    };
    const one = inner.hold({ host: 'here', path: '/w/in' });
    await areWaiting(1);
    const two = outer.hold({ host: 'here', path: '/' });
    expect(await Promise.race([two, areWaiting(2)])).toBe('waits');
    await at.query('COMMIT');
    expect([await one, await two]).toMatchObject([{ ok: true }, { ok: false, stream: 'inner' }]);
  });

  it('looks after it has waited, whatever isolation its address asks for', async () => {
    const at = await server();
    const url = new URL(at.url);
    url.searchParams.set('options', '-c default_transaction_isolation=serializable');
    const store = await open(at, { url: url.href });
    await begin(store, 'parent');
    await begin(store, 'child');
    await at.query('BEGIN');
    await at.query('SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))', [
      `planwright ${at.schema}`,
      'child',
    ]);
    const ending = store.append('child', { id: 'e', events: [ended(3)] });
    while (
      (await at.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)).length === 0
    );
    await at.query(`UPDATE listing SET awaits = 'child' WHERE id = 'parent'`);
    await at.query('COMMIT');
    expect(await ending).toMatchObject({ ok: true });
    expect((await store.read('parent', 0)).at(-1)?.event).toMatchObject({ type: 'child-ended' });
  });

  it('hears of what was written while nobody listened', async () => {
    const at = await server();
    const [store, other] = [await open(at), await open(at, { driver: driver(2) })];
    await begin(store);
    const waiting = other.changed('run', 1, new AbortController().signal);
    // Listening: what is said from here on is heard.
    while (
      (await at.query(`SELECT 1 FROM pg_stat_activity WHERE query LIKE 'LISTEN%${at.schema}%'`)).length === 0
    );
    // Behind its back, and without a word.
    await cutOff(at);
    await at.query('UPDATE streams SET last_seq = 2');
    await waiting;
  });

  it('tells whoever waits exactly once, though both happen at once', async () => {
    const at = await server();
    const [one, two] = [await open(at), await open(at, { driver: driver(2) })];
    for (let n = 0; n < 20; n++) {
      const [parent, child] = [`parent${n}`, `child${n}`];
      await begin(one, parent);
      await begin(one, child);
      await Promise.all([
        one.append(parent, { id: 'w', events: [awaits(2, child)] }),
        two.append(child, { id: 'e', events: [ended(3)] }),
      ]);
      const told = (await one.read(parent, 0)).filter(({ event }) => event.type === 'child-ended');
      expect(told).toHaveLength(1);
    }
  });

  it('has the end that a driver writes look who waits when nobody else can begin to', async () => {
    const at = await server();
    const store = await open(at);
    for (const stream of ['parent', 'child', 'alone']) await begin(store, stream);
    const endOf = async (stream: string) => {
      const result = await store.claim(stream);
      if (!result.ok) throw new Error('it is taken');
      return store.append(stream, { id: 'e', epoch: result.claim.epoch, events: [ended(3)] });
    };
    // Somebody begins to wait, and has not committed yet.
    await at.query('BEGIN');
    await at.query('SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))', [
      `planwright ${at.schema}`,
      'child',
    ]);
    const ending = endOf('child');
    const waits = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
    while ((await at.query(waits)).length === 0);
    await at.query(`UPDATE listing SET awaits = 'child' WHERE id = 'parent'`);
    await at.query('COMMIT');
    expect(await ending).toMatchObject({ ok: true });
    const told = (await store.read('parent', 0)).filter(({ event }) => event.type === 'child-ended');
    expect(told).toHaveLength(1);
    expect(await endOf('alone')).toMatchObject({ ok: true });
    expect(await store.row('alone')).toMatchObject({ endedAt: 3 });
    expect((await store.read('alone', 0)).at(-1)?.event).toMatchObject({ type: 'toy-ended' });
  });

  it('has no append wait for a stream that somebody else has locked', async () => {
    const at = await server();
    const store = await open(at);
    const driven = async (stream: string) => {
      await begin(store, stream);
      const result = await store.claim(stream);
      if (!result.ok) throw new Error('it is taken');
      const { epoch } = result.claim;
      return (n: number) => store.append(stream, { id: `n${n}`, epoch, events: [note(n)] });
    };
    const [one, other] = [await driven('one'), await driven('other')];
    await at.query('BEGIN');
    await at.query(`SELECT 1 FROM streams WHERE name = 'one' FOR UPDATE`);
    const waiting = [one(2), one(3)];
    for (const n of [2, 3, 4]) expect(await other(n)).toMatchObject({ ok: true, seq: n });
    await at.query('COMMIT');
    const written = (await Promise.all(waiting)).map((one) => one.ok && one.seq);
    expect(written.toSorted()).toEqual([2, 3]);
    const events = (await store.read('one', 1)).map(({ event }) => (event as { n: number }).n);
    expect(events.toSorted()).toEqual([2, 3]);
  });

  it('has none of those that are taken, held and given back at once wait for one that somebody else has locked', async () => {
    const at = await server();
    const store = await open(at);
    const names = ['one', 'other'];
    for (const name of names) {
      await begin(store, name);
      await store.kindOf(name);
    }
    const locked = async <T>(sql: string, work: (name: string) => Promise<T>): Promise<T[]> => {
      await at.query('BEGIN');
      await at.query(sql);
      const both = names.map(work);
      await both[1];
      await at.query('COMMIT');
      return Promise.all(both);
    };
    const claimed = await locked(`SELECT 1 FROM streams WHERE name = 'one' FOR UPDATE`, (name) =>
      store.claim(name),
    );
    const claims = claimed.map((one) => (one.ok ? one.claim : null)!);
    const theirs = `SELECT 1 FROM claims c JOIN streams s ON s.id = c.stream WHERE s.name = 'one' FOR UPDATE OF c`;
    const claimOf = (name: string) => claims[names.indexOf(name)]!;
    const held = await locked(theirs, (name) => claimOf(name).hold({ host: 'here', path: `/${name}` }));
    expect(held).toEqual([{ ok: true }, { ok: true }]);
    await locked(theirs, (name) => claimOf(name).release());
    expect(await at.query('SELECT stream FROM claims UNION ALL SELECT stream FROM folder_claims')).toEqual(
      [],
    );
  });

  it('finds the last events of a stream by its index, however many come before them', async () => {
    const at = await server();
    await open(at);
    await at.query(`SET plan_cache_mode = force_generic_plan`);
    await at.query(`PREPARE reading (text[], int[], int[], int[]) AS ${readAll}`);
    const plan = await at.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN EXECUTE reading ('{run}', '{9}', '{10}', '{10}')`,
    );
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).toMatch(/Index Cond: \(\(stream = s\.id\) AND \(seq > g\.past\) AND \(seq <= g\.up_to\)\)/);
  });

  it('gives back what an append was undone with: nothing is enqueued that is not written', async () => {
    const at = await server();
    const store = await open(at, {
      async enqueue(tx, rows) {
        await tx.query('INSERT INTO fixes VALUES ($1, $1, $1, $1, 0, 0, 0)', [rows[0]!.id]);
        if (rows[0]!.id === 'broken') throw new Error('planted');
      },
    });
    await begin(store, 'whole');
    await expect(begin(store, 'broken')).rejects.toThrow('planted');
    expect(await at.query('SELECT id FROM fixes')).toEqual([{ id: 'whole' }]);
    expect(await store.kindOf('broken')).toBeNull();
  });

  it('says that it cannot be reached, and what to do, when its patience is over', async () => {
    const at = await server();
    const nowhere = at.url.replace(/host=[^&]*/, 'host=%2Fnowhere');
    const error = await open(at, { url: nowhere, patienceMs: 0 }).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'store-unreachable', retryable: true });
    expect((error as Error).message).toMatch(/cannot be reached .* PostgreSQL is running/);
  });

  it('leaves a schema alone that is of another program, or of a later version', async () => {
    const at = await server();
    await at.query(`CREATE SCHEMA ${at.schema}`);
    await at.query('CREATE TABLE theirs (id int)');
    await expect(open(at)).rejects.toMatchObject({ code: 'store-foreign' });
    await at.query('DROP TABLE theirs');
    await (await open(at)).close();
    await at.query('UPDATE meta SET version = 99');
    await expect(open(at)).rejects.toMatchObject({ code: 'store-newer' });
  });

  it('finds what is missing', async () => {
    const at = await server();
    const store = await open(at);
    await begin(store, 'run', begun({ name: 'g'.repeat(100_000) }), note(2));
    expect(await store.check()).toEqual([]);
    await at.query('DELETE FROM events WHERE seq = 2');
    await at.query('DELETE FROM blobs');
    expect((await store.check()).toSorted()).toEqual([
      'the stream run has 1 of 2 events',
      expect.stringMatching(/^the stream run lacks a long value/),
    ]);
  });

  it('takes over all of a data folder, is begun again without harm, and drives on with greater epochs', async () => {
    const [at, dir] = [await server(), tempDir()];
    const from = await openTestStore({ dir });
    await begin(from, 'child', begun(), ended(2));
    await begin(from, 'parent', begun({ name: 'Deploy \u0000 it' }), awaits(3, 'child'), note(4));
    await begin(from, 'long', begun({ name: 'g'.repeat(100_000) }));
    const claimed = fact(5, { type: 'toy-claimed', epoch: 7, driver: driver(1) });
    await from.append('long', { id: 'c', events: [claimed] });
    await from.keepFix({ id: 'f', scope: 'user', key: 'k', general: '{}' });
    const sealed = from.sealing.seal('hunter2');
    const writer = await from.output.writer('long', 'Deploy the thing', 3);
    const [out, err] = ['out', 'err'].map((text) => new TextEncoder().encode(text));
    await writer.write(out!);
    await writer.write(err!, 'stderr');
    await writer.end();
    await from.append('long', {
      id: 'n',
      events: [fact(6, { type: 'toy-begun', target: 1, name: 'Deploy the thing' })],
    });

    const { url, schema } = at;
    const kinds = kindsOf(toyKind);
    const given = { url, schema, dir, driver: driver(1), kinds, liveness, from };
    const done = { streams: 3, events: 9, logs: 1, leftLogs: [] };
    for (let time = 0; time < 2; time++) expect(await importStore(given)).toEqual(done);

    const store = await open(at);
    for (const stream of ['child', 'parent', 'long'])
      expect(await store.read(stream, 0)).toEqual(await from.read(stream, 0));
    expect(await store.list()).toEqual(await from.list());
    expect(await store.fixes({})).toEqual(await from.fixes({}));
    expect(store.sealing.open(sealed)).toBe('hunter2');
    expect(await store.output.read('long', 'Deploy the thing', 3, 0, 10)).toMatchObject({
      size: 6,
      isEnded: true,
    });
    expect(await store.output.errors('long', 'Deploy the thing', 3)).toEqual([[3, 6]]);

    for (const [id, seq] of [
      ['begin', 1],
      ['c', 2],
      ['n', 3],
    ] as const)
      expect(await store.append('long', { id, events: [note(9)] })).toEqual({
        ok: true,
        seq,
        repeated: true,
      });

    expect(await store.claim('long')).toMatchObject({ ok: true, claim: { epoch: 8 } });
    await store.append('long', { id: 'x', events: [note(9)] });
    await expect(importStore(given)).rejects.toMatchObject({ code: 'store-other' });
  });
});
