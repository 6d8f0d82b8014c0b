import { join } from 'node:path';
import { type Driver, project as projectRun, type RunEvent } from '../../core/contract/index.ts';
import type { Claims, Clock, Journal } from '../../core/stream/index.ts';
import type { Project } from './append.ts';
import { createClaims } from './claims.ts';
import { backgroundClock } from './clock.ts';
import { openDatabase } from './database.ts';
import { createFixes, type Fixes } from './fixes.ts';
import { createJournal, type SqliteJournal } from './journal.ts';
import { type Liveness, systemLiveness } from './liveness.ts';
import { createOutput, type Output } from './output.ts';
import { collectGarbage, type GcOptions, type GcResult } from './retention.ts';
import { createRuns, type Runs } from './rows.ts';
import { createScores, type Scores } from './scores.ts';
import { createTails, type Tails } from './tail.ts';
import { createWatch } from './watch.ts';

export interface StoreOptions {
  /** Everything is in this folder: the database and the output logs. Made, for its owner only, where it is missing. */
  dir: string;
  /** This process, as claims name it. */
  driver: Driver;
  /** Makes the listing rows. */
  project?: Project;
  clock?: Clock;
  liveness?: Liveness;
  /** How long a silent owner keeps its claims. */
  ttlMs?: number;
  /** How long a write waits while another process holds the lock. */
  lockTimeoutMs?: number;
}

/** The journal, the claims, the listings and the output logs of one data folder. */
export interface Store
  extends Journal<RunEvent>,
    Claims,
    Runs,
    Tails,
    Fixes,
    Scores,
    Pick<SqliteJournal, 'lastSeq' | 'position' | 'changedStreams' | 'changedAny'> {
  dir: string;
  output: Output;
  gc(options: GcOptions): Promise<GcResult>;
  /** Reads every page and says what is damaged: nothing, where all is well. Slow on a large store. */
  check(): Promise<string[]>;
  /** Gives claims back, ends tails and waits. What is used afterwards throws `store-closed`. */
  close(): Promise<void>;
}

/** Throws a StoreError where the folder cannot be used; whatever is there is left as it is. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { dir, driver, project = projectRun, clock = backgroundClock, liveness = systemLiveness() } = options;
  const { ttlMs = 30_000, lockTimeoutMs = 10_000 } = options;
  const db = await openDatabase({ dir, lockTimeoutMs });
  const watch = createWatch(db);
  const journal = createJournal(db, watch, project);
  const claims = createClaims(db, watch, { driver, clock, liveness, ttlMs });
  const outputRoot = join(dir, 'output');

  return {
    dir,
    append: journal.append,
    read: journal.read,
    changed: journal.changed,
    lastSeq: journal.lastSeq,
    position: journal.position,
    changedStreams: journal.changedStreams,
    changedAny: journal.changedAny,
    claim: claims.claim,
    ...createRuns(db),
    ...createTails(journal),
    ...createFixes(db, clock),
    ...createScores(db),
    output: createOutput(outputRoot),
    gc: (gcOptions) => collectGarbage(db, outputRoot, gcOptions),
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
