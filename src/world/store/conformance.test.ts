import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { journalConformance } from './conformance.ts';
import { openStore, type Store } from './store.ts';
import { driver, fakeClock, fakeLiveness } from './test-support.ts';

journalConformance('the SQLite store', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'planwright-store-'));
  const liveness = fakeLiveness();
  const clock = fakeClock();
  const stores = new Map<number, Store>();
  return {
    async party(number) {
      const store = stores.get(number) ?? (await openStore({ dir, driver: driver(number), liveness, clock }));
      stores.set(number, store);
      return { journal: store, claims: store };
    },
    kill: (number) => liveness.dead.add(number),
    async close() {
      for (const store of stores.values()) await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
});
