import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { freshSchema, hasPostgres } from '../../../test/support/postgres.ts';
import { type ToyEvent, toyKind } from '../../../test/support/toy-kind.ts';
import { type Clock, kindsOf } from '../../core/stream/index.ts';
import { storeConformance } from './conformance/suite.ts';
import type { MakeWorld } from './conformance/world.ts';
import { openPostgres } from './postgres/store.ts';
import { openStore, type StoreOptions } from './sqlite/store.ts';
import { driver, type FakeClock, fakeClock, fakeLiveness, type ToyStore } from './test-support.ts';

interface Backing {
  open(
    options: Required<Pick<StoreOptions, 'driver' | 'kinds' | 'liveness' | 'ttlMs' | 'clock'>>,
  ): Promise<ToyStore>;
  /** Moves the store's own clock with that of the processes; those that do nothing more are named. */
  advance(ms: number, clock: FakeClock, silent: ReadonlySet<number>): Promise<void>;
  close(): Promise<void>;
}

const ttlMs = 30_000;

const worldOn =
  (back: (start: number) => Promise<Backing>): MakeWorld =>
  async () => {
    const [liveness, clock] = [fakeLiveness(), fakeClock(1e12)];
    const backing = await back(clock.now());
    const stores = new Map<number, ToyStore>();
    const silent = new Set<number>();
    const clockOf = (number: number): Clock => ({
      now: clock.now,
      async sleepUntil(until, signal) {
        await clock.sleepUntil(until, signal);
        if (silent.has(number)) await clock.sleepUntil(Number.POSITIVE_INFINITY, signal);
      },
    });
    return {
      ttlMs,
      now: clock.now,
      advance: (ms) => backing.advance(ms, clock, new Set([...silent, ...liveness.dead])),
      async party(number) {
        const options = { driver: driver(number), kinds: kindsOf(toyKind), liveness, ttlMs };
        const store = stores.get(number) ?? (await backing.open({ ...options, clock: clockOf(number) }));
        stores.set(number, store);
        return store;
      },
      kill: (number) => liveness.dead.add(number),
      silence: (number) => silent.add(number),
      async close() {
        for (const store of stores.values()) await store.close();
        await backing.close();
      },
    };
  };

const newFolder = () => mkdtempSync(join(tmpdir(), 'planwright-store-'));

storeConformance(
  'SQLite',
  worldOn(async () => {
    const dir = newFolder();
    return {
      open: (options) => openStore<ToyEvent>({ ...options, dir }),
      advance: (ms, clock) => clock.advance(ms),
      close: async () => rmSync(dir, { recursive: true, force: true }),
    };
  }),
);

/** Leases are judged by the database's clock, which a test moves as it moves that of the processes. */
describe.skipIf(!hasPostgres)('with a server', () =>
  storeConformance(
    'PostgreSQL',
    worldOn(async (start) => {
      const [dir, { url, schema, query, drop }] = [newFolder(), await freshSchema()];
      const setClock = (now: number) => query('UPDATE test_clock SET now = $1', [now]);
      let isMade = false;
      const haveClock = async () => {
        if (isMade) return;
        isMade = true;
        await query(`CREATE TABLE test_clock AS SELECT ${start}::double precision AS now`);
        await query(
          `CREATE OR REPLACE FUNCTION now_ms() RETURNS double precision LANGUAGE sql VOLATILE
           AS 'SELECT now FROM ${schema}.test_clock'`,
        );
      };
      /**
       * Whoever lives and holds something has been heard of since the beat before the last was due: were it later, a slow server
       * would let it give its claims up by itself.
       */
      const haveBeaten = async (now: number, silent: ReadonlySet<number>) => {
        const late = `SELECT 1 FROM processes p WHERE p.beat_at < $1 AND NOT p.pid = ANY ($2)
          AND EXISTS (SELECT 1 FROM claims c WHERE c.process = p.id)`;
        while ((await query(late, [now - ttlMs / 6, [...silent]])).length > 0);
      };
      return {
        async open(options) {
          const store = await openPostgres<ToyEvent>({ ...options, url, schema, dir, connections: 3 });
          await haveClock();
          return store;
        },
        async advance(ms, clock, silent) {
          const end = clock.now() + ms;
          while (clock.now() < end) {
            const step = Math.min(ttlMs / 12, end - clock.now());
            await setClock(clock.now() + step);
            await clock.advance(step);
            await haveBeaten(clock.now(), silent);
          }
        },
        async close() {
          await drop();
          rmSync(dir, { recursive: true, force: true });
        },
      };
    }),
  ),
);
