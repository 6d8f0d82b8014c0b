import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Driver } from '../../core/contract/index.ts';
import type { Claim, ClaimResult, Claims, Clock, Folder, HoldResult } from '../../core/stream/index.ts';
import type { Database } from './database.ts';
import { isSurelyDead, type Liveness, type ProcessFacts } from './liveness.ts';
import { overlaps } from './overlaps.ts';
import type { Watch } from './watch.ts';

export interface ClaimsOptions {
  driver: Driver;
  clock: Clock;
  liveness: Liveness;
  /** A claim whose owner has not been heard of for so long can be taken. */
  ttlMs: number;
}

export interface SqliteClaims extends Claims {
  /** Gives everything back and stops the heartbeat. Never throws. */
  close(): Promise<void>;
}

interface Owner extends ProcessFacts {
  id: string;
  beatAt: number;
  ttl: number;
}
interface Held {
  id: number;
  stream: string;
  epoch: number;
  lost: AbortController;
  folder: Folder | null;
}

/**
 * Who may drive a stream. The life of a claim:
 *
 *   free ──claim──▶ held ──release──▶ free
 *                    │
 *                    ├── its owner is dead, or silent for ttl: the next claimer takes it, epoch + 1
 *                    └── its owner cannot renew for ttl/2: it gives up by itself (`lost`), before anybody
 *                        may take it
 *
 * One heartbeat row a process, renewed every ttl/6 while it holds anything. All times are the clock's.
 */
export function createClaims(db: Database, watch: Watch, options: ClaimsOptions): SqliteClaims {
  const { driver, clock, liveness, ttlMs } = options;
  const processId = randomUUID();
  const self: ProcessFacts = {
    ...driver,
    pidStart: liveness.startTime(driver.pid),
    pidSpace: liveness.space,
  };
  const held = new Map<string, Held>();
  /** Claims whose release could not be written: tried again at each beat. */
  const unreleased = new Set<Held>();
  const sql = statements(db);
  const stopping = new AbortController();
  let lastBeat = 0;
  let isBeating = false;

  const ownerOf = (process: string): Owner | undefined =>
    sql.process.get(process) as unknown as Owner | undefined;
  /** A beat from the future is no better than an old one: the clock has been set back. */
  const isFree = (owner: Owner | undefined): boolean =>
    owner === undefined ||
    Math.abs(clock.now() - owner.beatAt) >= owner.ttl ||
    isSurelyDead(owner, self, liveness);
  const asDriver = ({ pid, host, boot }: Owner): Driver => ({ pid, host, boot });

  const beat = (now: number): void => {
    sql.beat.run(processId, self.pid, self.pidStart, self.pidSpace, self.host, self.boot, now, ttlMs);
  };

  /** Takes a claim from its dead owner. The new epoch shuts the owner out, should it live after all. */
  const takeAway = (stream: number): void => {
    sql.bump.run(stream);
    sql.drop.run(stream);
    sql.dropFolder.run(stream);
  };

  function take(stream: string, now: number): Held | Extract<ClaimResult, { ok: false }> {
    const found = sql.claimed.get(stream) as { id: number; process: string | null } | undefined;
    if (found?.process) {
      const owner = ownerOf(found.process);
      if (!isFree(owner)) return { ok: false, why: 'claimed', by: asDriver(owner!) };
    }
    const id = found?.id ?? Number(sql.newStream.run(stream).lastInsertRowid);
    beat(now);
    const epoch = Number(sql.bump.get(id)?.['epoch']);
    sql.take.run(id, processId, epoch);
    sql.dropFolder.run(id);
    sql.forgetSilent.run(now);
    return { id, stream, epoch, lost: new AbortController(), folder: null };
  }

  function takeFolder(claim: Held, folder: Folder): HoldResult {
    for (const other of sql.folders.all(folder.host) as unknown as FolderClaim[]) {
      if (other.id === claim.id || !overlaps(other, folder)) continue;
      const owner = ownerOf(other.process);
      if (!isFree(owner)) {
        return { ok: false, why: 'workspace-busy', by: asDriver(owner!), stream: other.stream };
      }
      takeAway(other.id);
    }
    sql.takeFolder.run(claim.id, folder.host, folder.path, folder.worktree ?? null);
    return { ok: true };
  }

  /** A claim that is no longer ours holds nothing: its driver hears of that by `lost`, and cannot write. */
  async function hold(claim: Held, folder: Folder | null): Promise<HoldResult> {
    if (isSame(claim.folder, folder)) return { ok: true };
    const result = await db.write((): HoldResult => {
      if (!isOurs(claim)) return { ok: true };
      sql.dropFolder.run(claim.id);
      return folder === null ? { ok: true } : takeFolder(claim, folder);
    });
    claim.folder = result.ok ? folder : null;
    return result;
  }

  const lose = (claims: Iterable<Held>, why: string): void => {
    for (const claim of claims) {
      if (held.get(claim.stream) === claim) held.delete(claim.stream);
      claim.lost.abort(new Error(why));
    }
  };
  const isOurs = (claim: Held): boolean => sql.isOurs.get(claim.id, processId, claim.epoch) !== undefined;
  const takenFromUs = (): Held[] => [...held.values()].filter((claim) => !isOurs(claim));
  const drop = (claim: Held): void => {
    if (!isOurs(claim)) return;
    sql.drop.run(claim.id);
    sql.dropFolder.run(claim.id);
  };
  /** Listeners of `lost` run outside any transaction. */
  const checkHeld = (): void => {
    db.read(takenFromUs).then(
      (taken) => lose(taken, 'another driver has taken the stream'),
      () => {},
    );
  };

  async function renew(): Promise<void> {
    const now = clock.now();
    const released = [...unreleased];
    await db.write(() => {
      beat(now);
      for (const claim of released) drop(claim);
    });
    lastBeat = now;
    for (const claim of released) unreleased.delete(claim);
    checkHeld();
  }

  async function keepBeating(): Promise<void> {
    if (isBeating) return;
    isBeating = true;
    const stopPolling = watch.keepOn();
    let renewing: Promise<void> | undefined;
    while (held.size + unreleased.size > 0) {
      await clock.sleepUntil(clock.now() + ttlMs / 6, stopping.signal);
      if (stopping.signal.aborted) break;
      renewing ??= renew()
        .catch(() => {})
        .finally(() => {
          renewing = undefined;
        });
      // A renewal that has to wait for the lock must not delay giving up.
      await Promise.race([renewing, turn()]);
      if (clock.now() - lastBeat >= ttlMs / 2) lose(held.values(), 'the claim could not be renewed');
    }
    stopPolling();
    isBeating = false;
  }

  /** Also for a claim that was lost because it could not be renewed: in the database it may still be ours. */
  async function release(claim: Held): Promise<void> {
    if (held.get(claim.stream) === claim) held.delete(claim.stream);
    await db
      .write(() => drop(claim))
      .catch(() => {
        unreleased.add(claim);
        void keepBeating();
      });
  }

  watch.onForeign(() => {
    if (held.size > 0) checkHeld();
  });

  return {
    async claim(stream) {
      const now = clock.now();
      const taken = await db.write(() => take(stream, now));
      if ('ok' in taken) return taken;
      lastBeat = now;
      held.set(stream, taken);
      checkHeld();
      void keepBeating();
      const claim: Claim = {
        stream,
        epoch: taken.epoch,
        lost: taken.lost.signal,
        hold: (folder) => hold(taken, folder),
        release: () => release(taken),
      };
      return { ok: true, claim };
    },
    async close() {
      stopping.abort();
      const claims = [...held.values(), ...unreleased];
      lose(claims, 'the store was closed');
      await db
        .write(() => {
          for (const claim of claims) drop(claim);
          sql.forget.run(processId);
        })
        .catch(() => {});
    },
  };
}

interface FolderClaim extends Folder {
  id: number;
  stream: string;
  process: string;
}

const isSame = (a: Folder | null, b: Folder | null): boolean =>
  a?.host === b?.host && a?.path === b?.path && a?.worktree === b?.worktree;

const statements = (db: Database) => ({
  process: db.prepare(`
    SELECT id, pid, pid_start AS pidStart, pid_space AS pidSpace, host, boot, beat_at AS beatAt, ttl
    FROM processes WHERE id = ?`),
  beat: db.prepare(`
    INSERT INTO processes (id, pid, pid_start, pid_space, host, boot, beat_at, ttl) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at`),
  forget: db.prepare('DELETE FROM processes WHERE id = ?'),
  forgetSilent: db.prepare(`
    DELETE FROM processes WHERE beat_at + ttl < ? AND id NOT IN (SELECT process FROM claims)`),
  claimed: db.prepare(
    'SELECT s.id, c.process FROM streams s LEFT JOIN claims c ON c.stream = s.id WHERE s.name = ?',
  ),
  newStream: db.prepare("INSERT INTO streams (name, kind, last_seq, epoch) VALUES (?, 'stream', 0, 0)"),
  bump: db.prepare('UPDATE streams SET epoch = epoch + 1 WHERE id = ? RETURNING epoch'),
  take: db.prepare('INSERT OR REPLACE INTO claims (stream, process, epoch) VALUES (?, ?, ?)'),
  drop: db.prepare('DELETE FROM claims WHERE stream = ?'),
  isOurs: db.prepare('SELECT 1 FROM claims WHERE stream = ? AND process = ? AND epoch = ?'),
  folders: db.prepare(`
    SELECT f.stream AS id, f.host, f.path, f.worktree, s.name AS stream, c.process FROM folder_claims f
    JOIN streams s ON s.id = f.stream JOIN claims c ON c.stream = f.stream WHERE f.host = ?`),
  takeFolder: db.prepare('INSERT INTO folder_claims (stream, host, path, worktree) VALUES (?, ?, ?, ?)'),
  dropFolder: db.prepare('DELETE FROM folder_claims WHERE stream = ?'),
});
