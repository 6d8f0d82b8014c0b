import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshSchema, hasPostgres } from '../../../test/support/postgres.ts';
import type { StreamRow } from '../../core/contract/index.ts';
import { queueConformance } from './conformance/dispatching.ts';
import { createDispatcher, type DispatcherOptions } from './dispatcher.ts';
import { createFleetQueue } from './fleet.ts';

queueConformance('one process', async () => ({ dispatcher: createDispatcher, close: async () => {} }));

/** However busy the machine is, nobody is taken for dead. */
const patient = { courtesySeconds: 0, heartbeatSeconds: 3600 };

describe.skipIf(!hasPostgres)('with a server', () => {
  const world = async () => {
    const { url, schema, query, drop } = await freshSchema();
    const queues = [createFleetQueue({ url, schema, host: 'here', ...patient })];
    return {
      query,
      schema,
      on(host: string) {
        const queue = createFleetQueue({ url, schema, host, ...patient });
        queues.push(queue);
        return queue;
      },
      dispatcher: (options: DispatcherOptions) => queues[0]!.dispatcher(options),
      async close() {
        for (const queue of queues) await queue.close();
        await drop();
      },
    };
  };

  queueConformance('pg-boss', world);

  it('leaves a stream that is active in one process alone in all others, though it waits for longer than what they take', async () => {
    const { on, query, schema, close } = await world();
    const log: string[] = [];
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const taking = (name: string, begun: () => void) =>
      on('here').dispatcher({
        concurrency: 1,
        clock: { now: Date.now, sleepUntil: async () => {} },
        onError: (_, error) => second.reject(error),
        drive(stream) {
          log.push(`${name} ${stream}`);
          begun();
          return new Promise(() => {});
        },
      });
    const areWaiting = async (count: number) => {
      const sql = `SELECT 1 FROM ${schema}.job WHERE state = 'created'`;
      while ((await query(sql)).length < count) await new Promise(setImmediate);
    };
    const one = taking('one', first.resolve);
    one.dispatch('a');
    await first.promise;
    one.dispatch('a');
    await areWaiting(1);
    one.dispatch('b');
    await areWaiting(2);
    taking('two', second.resolve);
    await second.promise;
    expect(log).toEqual(['one a', 'two b']);
    await close();
  });

  it('takes up turns of conversations first, then what somebody has asked, and the rest in its order', async () => {
    const { on, query, close } = await world();
    const due = (id: string, more: Partial<StreamRow>): StreamRow => ({
      ...{ id, kind: 'run', state: 'running', workspace: '/w', createdAt: 1, updatedAt: 1, endedAt: null },
      ...{ wakeAt: null, goesOn: true, awaits: null, unanswered: [], ...more },
    });
    const rows = [
      due('first', {}),
      due('second', {}),
      due('asked', { unanswered: [{ seq: 1, at: 1 }] }),
      due('turn', { kind: 'chat' }),
      due('over', { goesOn: false, endedAt: 1 }),
    ];
    const queue = on('here');
    await queue.make();
    await queue.enqueue({ query: async (sql, values = []) => query(sql, [...values]) }, rows);
    const log: string[] = [];
    const all = Promise.withResolvers<void>();
    queue.dispatcher({
      ...{ concurrency: 1, clock: { now: Date.now, sleepUntil: async () => {} } },
      onError: (_, error) => all.reject(error),
      async drive(stream) {
        if (log.push(stream) === rows.length - 1) all.resolve();
        return {};
      },
    });
    await all.promise;
    expect(log).toEqual(['turn', 'asked', 'first', 'second']);
    await close();
  });

  it('passes what belongs to another machine on to that one', async () => {
    const { on, close } = await world();
    const log: string[] = [];
    const driven = Promise.withResolvers<void>();
    const options = { concurrency: 1, clock: { now: Date.now, sleepUntil: async () => {} } };
    const onError = (_: string, error: unknown) => driven.reject(error);
    const one = on('one').dispatcher({
      ...options,
      onError,
      async drive(stream) {
        log.push(`one ${stream}`);
        return { belongsTo: 'two~7' };
      },
    });
    one.dispatch('a');
    await one.idle();
    // It is called otherwise by now.
    on('renamed~7').dispatcher({
      ...options,
      onError,
      async drive(stream) {
        log.push(`two ${stream}`);
        driven.resolve();
        return {};
      },
    });
    await driven.promise;
    expect(log).toEqual(['one a', 'two a']);
    await close();
  });

  it('drives as many that belong to its machine at once as it may, takes one of them ahead and nothing that others could do', async () => {
    const { on, query, schema, close } = await world();
    const clock = { now: Date.now, sleepUntil: async () => {} };
    const failed = Promise.withResolvers<never>();
    const onError = (_: string, error: unknown) => failed.reject(error);
    const away = on('one').dispatcher({
      ...{ concurrency: 1, clock, onError },
      drive: async () => ({ belongsTo: 'two' }),
    });
    for (const stream of ['a', 'b', 'c', 'd', 'e']) away.dispatch(stream);
    await away.idle();
    await away.stop();
    const drives = new Map<string, PromiseWithResolvers<object>>();
    let tell = () => {};
    const here = on('two').dispatcher({
      ...{ concurrency: 3, clock, onError },
      drive(stream) {
        const drive = Promise.withResolvers<object>();
        drives.set(stream, drive);
        tell();
        return drive.promise;
      },
    });
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await Promise.race([failed.promise, new Promise<void>((resolve) => (tell = resolve))]);
    };
    await until(() => drives.size === 3);
    here.dispatch('for anybody');
    const inState = async (state: string) => {
      const rows = await query<{ stream: string }>(
        `SELECT data->>'stream' AS stream FROM ${schema}.job WHERE state = '${state}' ORDER BY 1`,
      );
      return rows.map(({ stream }) => stream).join();
    };
    while ((await inState('active')) !== 'a,b,c,d') await new Promise(setImmediate);
    while ((await inState('created')) !== 'e,for anybody') await new Promise(setImmediate);
    for (const { resolve } of drives.values()) resolve({});
    await until(() => drives.size === 6);
    for (const { resolve } of drives.values()) resolve({});
    await here.idle();
    await here.stop();
    await close();
  });

  it('whose server was away as it was first wanted is there when that one is', async () => {
    const { url, schema, drop } = await freshSchema();
    const folder = mkdtempSync(join(tmpdir(), 'pw-away-'));
    const at = new URL(url);
    const socket = (within: string) => join(within, '.s.PGSQL.5432');
    const server = socket(at.searchParams.get('host')!);
    at.searchParams.set('host', folder);
    const queue = createFleetQueue({ url: at.href, schema, host: 'here', ...patient });
    const [told, driven] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
    const { dispatch, stop } = queue.dispatcher({
      concurrency: 1,
      clock: { now: Date.now, sleepUntil: async () => {} },
      onError: () => told.resolve(),
      async drive(stream) {
        driven.resolve(stream);
        return {};
      },
    });
    await expect(queue.depth()).rejects.toThrow();
    await told.promise;
    dispatch('a');
    symlinkSync(server, socket(folder));
    expect(await driven.promise).toBe('a');
    expect(await queue.depth()).toMatchObject({ waiting: 0 });
    await stop();
    await queue.close();
    await drop();
    rmSync(folder, { recursive: true });
  });

  it('that stays away keeps nobody who stops', async () => {
    const told = Promise.withResolvers<void>();
    const url = 'postgres://planwright@localhost/postgres?host=/nowhere';
    const queue = createFleetQueue({ url, schema: 'q', host: 'here', ...patient });
    const { dispatch, stop } = queue.dispatcher({
      concurrency: 1,
      clock: { now: Date.now, sleepUntil: async () => {} },
      onError: () => told.resolve(),
      drive: async () => ({}),
    });
    dispatch('a');
    await told.promise;
    await stop();
    await queue.close();
  });
});
