import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ToyEvent, toyKind } from '../../../test/support/toy-kind.ts';
import { type Clock, kindsOf } from '../../core/stream/index.ts';
import { storeConformance } from './conformance/suite.ts';
import { openStore } from './sqlite/store.ts';
import { driver, fakeClock, fakeLiveness, type ToyStore } from './test-support.ts';

storeConformance('SQLite', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'planwright-store-'));
  const [liveness, clock, ttlMs] = [fakeLiveness(), fakeClock(1e12), 30_000];
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
    advance: clock.advance,
    async party(number) {
      const options = { dir, driver: driver(number), kinds: kindsOf(toyKind), liveness, ttlMs };
      const store = stores.get(number) ?? (await openStore<ToyEvent>({ ...options, clock: clockOf(number) }));
      stores.set(number, store);
      return store;
    },
    kill: (number) => liveness.dead.add(number),
    silence: (number) => silent.add(number),
    async close() {
      for (const store of stores.values()) await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
});
