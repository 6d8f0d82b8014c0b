import { randomUUID } from 'node:crypto';
import type { Driver } from '../../../core/contract/index.ts';
import { isFree, type Owner, type ProcessFacts } from '../claim-rules.ts';
import type { Liveness } from '../liveness.ts';
import type { Queries } from './connection.ts';

/** What a statement has to select of the processes `p` of the claims `c` for `isFree`. */
export const owner = `c.process, p.pid, p.pid_start AS "pidStart", p.pid_space AS "pidSpace", p.host, p.boot,
  p.beat_at AS "beatAt", p.ttl, now_ms() AS now`;

/** The process is null where nobody has claimed; the rest of it where that one has never been heard of. */
export interface OwnedRow extends Partial<{ [K in keyof Owner]: Owner[K] | null }> {
  process: string | null;
  now: number;
}

/** The processes that hold something, and this one among them. */
export interface PostgresOwners {
  /** The name of this process. */
  id: string;
  /** The one place where it is judged whether somebody lives. */
  isFree(row: OwnedRow): boolean;
  beat(asking: Queries): Promise<void>;
}

export const driverOf = ({ pid, host, boot }: OwnedRow): Driver => ({ pid: pid!, host: host!, boot: boot! });

export function createOwners(driver: Driver, liveness: Liveness, ttlMs: number): PostgresOwners {
  const id = randomUUID();
  const self: ProcessFacts = {
    ...driver,
    pidStart: liveness.startTime(driver.pid),
    pidSpace: liveness.space,
  };
  return {
    id,
    isFree: ({ process, now, ...found }) =>
      process === null || found.beatAt == null || isFree(found as Owner, now, self, liveness),
    async beat(asking) {
      await asking.query(
        `INSERT INTO processes (id, pid, pid_start, pid_space, host, boot, beat_at, ttl)
         VALUES ($1, $2, $3, $4, $5, $6, now_ms(), $7)
         ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at`,
        [id, self.pid, self.pidStart, self.pidSpace, self.host, self.boot, ttlMs],
      );
    },
  };
}
