import type { Clock, Folder, HoldResult } from '../../../core/stream/index.ts';
import { overlaps } from '../claim-rules.ts';
import type { ClaimRecords, TakenStream } from '../claiming.ts';
import { unknownStream } from '../errors.ts';
import type { Database } from './database.ts';
import type { Owners } from './owners.ts';

/**
 * Of no use to anybody once the machine has lost power: then no driver is left. What a driver writes is synced, and with it
 * all that came before, its epoch too.
 */
const unsynced = { ofThisBoot: true };

export function createClaimRecords(db: Database, owners: Owners, clock: Clock): ClaimRecords {
  const sql = statements(db);

  /** Takes a claim from its dead owner. The new epoch shuts the owner out, should it live after all. */
  const takeAway = (stream: number): void => {
    sql.bump.run(stream);
    sql.drop.run(stream);
    sql.dropFolder.run(stream);
  };
  const isOurs = (claim: TakenStream): boolean =>
    sql.isOurs.get(claim.id, owners.id, claim.epoch) !== undefined;
  const drop = (claim: TakenStream): void => {
    if (!isOurs(claim)) return;
    sql.drop.run(claim.id);
    sql.dropFolder.run(claim.id);
  };

  function takeFolder(claim: TakenStream, folder: Folder): HoldResult {
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

  /** Others of the kind that somebody living drives. */
  const atWork = (id: number, kind: string): number =>
    sql.ofKind.all(kind, id).filter(({ process }) => !owners.isFree(process as string)).length;

  return {
    take: (stream, _beats, atOnce) =>
      db.write(() => {
        const found = sql.claimed.get(stream) as { id: number; process: string | null } | undefined;
        if (found === undefined) throw unknownStream(stream);
        const { id, process } = found;
        if (!owners.isFree(process)) return { ok: false, why: 'claimed', by: owners.driverOf(process!) };
        if (atOnce !== undefined && atWork(id, atOnce.kind) >= atOnce.most) return { ok: false, why: 'full' };
        const now = clock.now();
        owners.beat(now);
        const epoch = Number(sql.bump.get(id)?.['epoch']);
        sql.take.run(id, owners.id, epoch);
        sql.dropFolder.run(id);
        owners.forgetSilent(now);
        return { id, epoch };
      }, unsynced),
    hold: (claim, folder) =>
      db.write((): HoldResult => {
        if (!isOurs(claim)) return { ok: false, why: 'lost' };
        sql.dropFolder.run(claim.id);
        return folder === null ? { ok: true } : takeFolder(claim, folder);
      }, unsynced),
    drop: (claims) => db.write(() => claims.forEach(drop), unsynced),
    beat: (released) =>
      db.write(() => {
        owners.beat(clock.now());
        released.forEach(drop);
      }, unsynced),
    taken: (claims) => db.read(() => claims.filter((claim) => !isOurs(claim))),
    leave: (claims) =>
      db.write(() => {
        claims.forEach(drop);
        owners.leave();
      }),
    silent: (streams) =>
      db.read(() => {
        const found = new Map<string, number | null>();
        for (const stream of streams) {
          const process = (sql.claimed.get(stream)?.['process'] ?? null) as string | null;
          if (owners.isFree(process)) found.set(stream, process === null ? null : owners.heardOf(process));
        }
        return found;
      }),
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
  ofKind: db.prepare(
    'SELECT c.process FROM claims c JOIN streams s ON s.id = c.stream WHERE s.kind = ? AND c.stream <> ?',
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
