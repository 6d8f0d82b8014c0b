import { setImmediate as turn } from 'node:timers/promises';
import type { Claim, ClaimResult, Claims, Folder, HoldResult } from '../../../core/stream/index.ts';
import { isSameFolder, overlaps } from '../claim-rules.ts';
import { unknownStream } from './append.ts';
import type { Database } from './database.ts';
import type { Owners, OwnersOptions } from './owners.ts';
import type { Watch } from './watch.ts';

export interface SqliteClaims extends Claims {
  /** Gives everything back and stops the heartbeat. Never throws. */
  close(): Promise<void>;
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
 * One heartbeat row a process, renewed every ttl/6 while it holds anything. All times are those of the store's clock.
 */
export function createClaims(
  db: Database,
  watch: Watch,
  owners: Owners,
  { clock, ttlMs }: Pick<OwnersOptions, 'clock' | 'ttlMs'>,
): SqliteClaims {
  const held = new Map<string, Held>();
  /** Claims whose release could not be written: tried again at each beat. */
  const unreleased = new Set<Held>();
  const sql = statements(db);
  const stopping = new AbortController();
  let lastBeat = 0;
  let isBeating = false;

  /** Takes a claim from its dead owner. The new epoch shuts the owner out, should it live after all. */
  const takeAway = (stream: number): void => {
    sql.bump.run(stream);
    sql.drop.run(stream);
    sql.dropFolder.run(stream);
  };

  function take(stream: string, now: number): Held | Extract<ClaimResult, { ok: false }> {
    const found = sql.claimed.get(stream) as { id: number; process: string | null } | undefined;
    if (found === undefined) throw unknownStream(stream);
    const { id, process } = found;
    if (!owners.isFree(process)) return { ok: false, why: 'claimed', by: owners.driverOf(process!) };
    owners.beat(now);
    const epoch = Number(sql.bump.get(id)?.['epoch']);
    sql.take.run(id, owners.id, epoch);
    sql.dropFolder.run(id);
    owners.forgetSilent(now);
    return { id, stream, epoch, lost: new AbortController(), folder: null };
  }

  function takeFolder(claim: Held, folder: Folder): HoldResult {
    for (const other of sql.folders.all(folder.host) as unknown as FolderClaim[]) {
      if (other.id === claim.id || !overlaps(other, folder)) continue;
      if (!owners.isFree(other.process)) {
        return { ok: false, why: 'workspace-busy', by: owners.driverOf(other.process), stream: other.stream };
      }
      takeAway(other.id);
    }
    sql.takeFolder.run(claim.id, folder.host, folder.path, folder.worktree ?? null);
    return { ok: true };
  }

  async function hold(claim: Held, folder: Folder | null): Promise<HoldResult> {
    if (isSameFolder(claim.folder, folder)) return { ok: true };
    const result = await db.write((): HoldResult => {
      if (!isOurs(claim)) return { ok: false, why: 'lost' };
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
  const isOurs = (claim: Held): boolean => sql.isOurs.get(claim.id, owners.id, claim.epoch) !== undefined;
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
      owners.beat(now);
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
    silent: (streams) =>
      db.read(() => {
        const found = new Map<string, number | null>();
        for (const stream of streams) {
          const process = (sql.claimed.get(stream)?.['process'] ?? null) as string | null;
          if (owners.isFree(process)) found.set(stream, process === null ? null : owners.heardOf(process));
        }
        return found;
      }),
    async close() {
      stopping.abort();
      const claims = [...held.values(), ...unreleased];
      lose(claims, 'the store was closed');
      await db
        .write(() => {
          for (const claim of claims) drop(claim);
          owners.leave();
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

const statements = (db: Database) => ({
  claimed: db.prepare(
    'SELECT s.id, c.process FROM streams s LEFT JOIN claims c ON c.stream = s.id WHERE s.name = ?',
  ),
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
