import type { Driver } from '../../../core/contract/index.ts';
import type { Clock } from '../../../core/stream/index.ts';
import { randomBytes } from '../../process/random.ts';
import { isFree, type Owner, type ProcessFacts } from '../claim-rules.ts';
import type { Liveness } from '../liveness.ts';
import type { Database } from './database.ts';

export interface OwnersOptions {
  driver: Driver;
  /** The store's: a database file is on one machine, so it is that machine's. */
  clock: Clock;
  liveness: Liveness;
  /** What a process holds that has not been heard of for so long can be taken. */
  ttlMs: number;
}

/** The processes that hold something, and this one among them. All of it is called within a transaction or a read. */
export interface Owners {
  /** The name of this process. */
  id: string;
  /** The one place where it is judged whether somebody lives; null: nobody. */
  isFree(process: string | null): boolean;
  driverOf(process: string): Driver;
  /** Its last heartbeat; null where it is not known. */
  heardOf(process: string): number | null;
  beat(now: number): void;
  /** Forgets those who hold nothing and have been silent for long. */
  forgetSilent(now: number): void;
  /** This process holds nothing any more. */
  leave(): void;
}

export function createOwners(db: Database, { driver, clock, liveness, ttlMs }: OwnersOptions): Owners {
  const id = randomBytes(16).toString('hex');
  const self: ProcessFacts = {
    ...driver,
    pidStart: liveness.startTime(driver.pid),
    pidSpace: liveness.space,
  };
  const select = db.prepare(`
    SELECT pid, pid_start AS pidStart, pid_space AS pidSpace, host, boot, beat_at AS beatAt, ttl
    FROM processes WHERE id = ?`);
  const beat = db.prepare(`
    INSERT INTO processes (id, pid, pid_start, pid_space, host, boot, beat_at, ttl) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at`);
  const forget = db.prepare('DELETE FROM processes WHERE id = ?');
  const forgetSilent = db.prepare(`
    DELETE FROM processes WHERE beat_at + ttl < ? AND id NOT IN (SELECT process FROM claims)`);
  const ownerOf = (process: string) => select.get(process) as unknown as Owner | undefined;

  return {
    id,
    isFree: (process) => process === null || isFree(ownerOf(process), clock.now(), self, liveness),
    driverOf(process) {
      const { pid, host, boot } = ownerOf(process)!;
      return { pid, host, boot };
    },
    heardOf: (process) => ownerOf(process)?.beatAt ?? null,
    beat: (now) =>
      void beat.run(id, self.pid, self.pidStart, self.pidSpace, self.host, self.boot, now, ttlMs),
    forgetSilent: (now) => void forgetSilent.run(now),
    leave: () => void forget.run(id),
  };
}
