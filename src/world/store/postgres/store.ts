import { join } from 'node:path';
import type { Driver, StreamRow } from '../../../core/contract/index.ts';
import type { AnyEvent, Clock, Kinds, Passes, Store } from '../../../core/stream/index.ts';
import { createClaiming } from '../claiming.ts';
import { backgroundClock } from '../clock.ts';
import { createHeadGuesses } from '../heads.ts';
import { type Liveness, systemLiveness } from '../liveness.ts';
import { sealingWith } from '../sealing.ts';
import { checkStore } from './check.ts';
import { createClaimRecords } from './claims.ts';
import { connect, type Queries } from './connection.ts';
import { createFixes } from './fixes.ts';
import type { StoredHead } from './heads.ts';
import { createListing } from './listing.ts';
import { createLittleLogs } from './little-logs.ts';
import { openSchema } from './opening.ts';
import { createOutput } from './output.ts';
import { createOwners } from './owners.ts';
import { collectGarbage } from './retention.ts';
import { createScores } from './scores.ts';
import { createSearch } from './search.ts';
import { createSnapshots } from './snapshots.ts';
import { createStreams } from './streams.ts';
import { createWatch } from './watch.ts';
import { createWorkers } from './workers.ts';

export interface PostgresOptions {
  /** `postgres://…` */
  url: string;
  /** Everything is in this schema. Made where it is missing. */
  schema?: string;
  /** What stays on this machine is in this folder: what services write by themselves. */
  dir: string;
  /** This process, as claims name it. */
  driver: Driver;
  /** The kinds of streams that it may be given. */
  kinds: Kinds;
  /** By which this process waits. Leases are judged by the database's own. */
  clock?: Clock;
  liveness?: Liveness;
  /** How long a silent owner keeps its claims: an outage of half of it ends nothing. */
  ttlMs?: number;
  connections?: number;
  /** How long what may be repeated is tried again while the server cannot be reached. */
  patienceMs?: number;
  /** Called in the transaction of an append with each row that somebody has something to do for. */
  enqueue?: (tx: Queries, rows: readonly StreamRow[]) => Promise<void>;
}

/** A store on PostgreSQL. Throws a StoreError where it cannot be used; whatever is there is left as it is. */
export async function openPostgres<E extends AnyEvent>(options: PostgresOptions): Promise<Store<E>> {
  const { url, schema = 'planwright', dir, driver, kinds, enqueue } = options;
  const { clock = backgroundClock, liveness = systemLiveness() } = options;
  const { ttlMs = 60_000, connections = 8, patienceMs = 30_000 } = options;
  const db = await connect({ url, schema, connections, patienceMs });
  const meta = await openSchema(db).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  const channel = `planwright ${schema}`;
  const little = createLittleLogs(db);
  const owners = createOwners(driver, liveness, ttlMs);
  const watch = createWatch(db, channel, owners.id, () => claims.look());
  const [guesses, free] = [createHeadGuesses<StoredHead>(), createHeadGuesses<StoredHead>()];
  const records = createClaimRecords({ db, owners, channel, guesses, free });
  const claims = createClaiming(records, { clock, ttlMs, keepOn: watch.keepOn });
  let passes: Promise<Passes> | null = null;

  return {
    where: db.where,
    ...createStreams<E>({ db, kinds, channel, enqueue, little, guesses, free, ...watch }, watch, meta.store),
    claim: claims.claim,
    silent: claims.silent,
    ...createListing(db, owners),
    ...createSearch(db),
    ...createFixes(db),
    ...createScores(db),
    snapshots: createSnapshots(db),
    workers: createWorkers(db, owners.id, driver),
    output: createOutput(db, join(dir, 'output'), little),
    sealing: sealingWith(() => meta.key),
    passes: () => (passes ??= import('./passes.ts').then((room) => room.createPasses(db))),
    gc: (gcOptions = {}) => collectGarbage(db, owners, gcOptions),
    check: () => checkStore(db),
    async close() {
      await claims.close();
      await little.close();
      await watch.close();
      await db.close();
    },
  };
}
