import { join } from 'node:path';
import type { Driver } from '../../../core/contract/index.ts';
import type { AnyEvent, Clock, Kinds, Passes, Store } from '../../../core/stream/index.ts';
import { createClaiming } from '../claiming.ts';
import { backgroundClock } from '../clock.ts';
import { type Liveness, systemLiveness } from '../liveness.ts';
import { createOutput } from '../output/output.ts';
import { createSealing } from '../sealing.ts';
import { createClaimRecords } from './claims.ts';
import { createFixes } from './fixes.ts';
import { createListing } from './listing.ts';
import { openDatabase } from './opening.ts';
import { createOwners } from './owners.ts';
import { collectGarbage } from './retention.ts';
import { createScores } from './scores.ts';
import { createSearch } from './search.ts';
import { createSnapshots } from './snapshots.ts';
import { createStreams } from './streams.ts';
import { createWatch } from './watch.ts';
import { createWorkers } from './workers.ts';

export interface StoreOptions {
  /** Everything is in this folder: the database and the output logs. Made, for its owner only, where it is missing. */
  dir: string;
  /** This process, as claims name it. */
  driver: Driver;
  /** The kinds of streams that it may be given. */
  kinds: Kinds;
  clock?: Clock;
  liveness?: Liveness;
  /** How long a silent owner keeps its claims. */
  ttlMs?: number;
  /** How long a write waits while another process holds the lock. */
  lockTimeoutMs?: number;
}

/** A store on SQLite. Throws a StoreError where the folder cannot be used; whatever is there is left as it is. */
export async function openStore<E extends AnyEvent>(options: StoreOptions): Promise<Store<E>> {
  const { dir, driver, kinds, clock = backgroundClock, liveness = systemLiveness() } = options;
  const { ttlMs = 30_000, lockTimeoutMs = 10_000 } = options;
  const db = await openDatabase({ dir, lockTimeoutMs });
  const watch = createWatch(db);
  const owners = createOwners(db, { driver, clock, liveness, ttlMs });
  const records = createClaimRecords(db, owners, clock);
  const claims = createClaiming(records, { clock, ttlMs, keepOn: watch.keepOn });
  watch.onForeign(claims.look);
  const outputRoot = join(dir, 'output');
  let passes: Promise<Passes> | null = null;

  return {
    where: dir,
    ...createStreams<E>(db, watch, kinds),
    claim: claims.claim,
    silent: claims.silent,
    ...createListing(db, owners),
    ...createSearch(db),
    ...createFixes(db, clock),
    ...createScores(db),
    snapshots: createSnapshots(db),
    workers: createWorkers(db, owners.id, driver, clock),
    output: createOutput(outputRoot),
    sealing: createSealing(dir),
    passes: () => (passes ??= import('./passes.ts').then((room) => room.createPasses(db, clock))),
    gc: (gcOptions = {}) => collectGarbage(db, owners, clock, outputRoot, gcOptions),
    check: () =>
      db.read(() =>
        db
          .prepare('PRAGMA integrity_check')
          .all()
          .map((found) => String(found['integrity_check']))
          .filter((line) => line !== 'ok'),
      ),
    async close() {
      await claims.close();
      watch.close();
      db.close();
    },
  };
}
