import { sep } from 'node:path';
import type { Folder, HoldResult } from '../../../core/stream/index.ts';
import { overlaps } from '../claim-rules.ts';
import type { ClaimRecords, TakenStream } from '../claiming.ts';
import { unknownStream } from '../errors.ts';
import type { AppenderOptions } from './append.ts';
import { type Queries, storable } from './connection.ts';
import type { StoredHead } from './heads.ts';
import { briefly, inOne } from './in-one.ts';
import { driverOf, type OwnedRow, owner, type PostgresOwners } from './owners.ts';

/** `drawn`: how often the stream was taken. */
type FoundClaim = OwnedRow & { id: number; epoch: number | null; drawn: number };
/** A stream, and how often it was taken when it was looked at. */
type Drawn = Pick<FoundClaim, 'id' | 'drawn'>;
type FolderClaim = OwnedRow & Omit<Folder, 'host'> & { id: number; stream: string };

/** What is said to the process that a claim was taken from. */
export const takenFrom = (process: string): string => `-1 ${process}`;

export interface ClaimRecordsOptions extends Pick<AppenderOptions, 'db' | 'channel' | 'guesses' | 'free'> {
  owners: PostgresOwners;
}

export function createClaimRecords({
  db,
  owners,
  channel,
  guesses,
  free,
}: ClaimRecordsOptions): ClaimRecords {
  const bump = 'UPDATE streams SET epoch = epoch + 1 WHERE id = $1 RETURNING epoch';
  const tell = (tx: Queries, process: string | null) =>
    process === null ? null : tx.query('SELECT pg_notify($1, $2)', [channel, takenFrom(process)]);
  const drop = (tx: Queries, claims: readonly TakenStream[], isAlone = true) =>
    tx.query(dropOurs(isAlone), [owners.id, claims.map(({ id }) => id), claims.map(({ epoch }) => epoch)]);

  const dropped = inOne(async (claims: readonly TakenStream[], isAlone) => {
    await drop(db, claims, isAlone);
    return claims;
  });
  /** Whether each of these was as free as it was when it was looked at, and is ours now. */
  const takenDrawn = inOne(async (seen: readonly Drawn[], isAlone) => {
    const drawn = [seen.map(({ id }) => id), seen.map((one) => one.drawn)];
    const rows = await db.query<{ id: number }>(takeDrawn(isAlone), [...drawn, owners.id]);
    const taken = new Set(rows.map(({ id }) => id));
    return seen.map(({ id }) => taken.has(id));
  });

  /** Null where some that are held overlap: who has them has to be asked whether they live. */
  const holdApart = inOne(async (wanted: readonly { claim: TakenStream; folder: Folder }[], isAlone) => {
    const found = await db.query<{ n: number; held: number }>(holdThem(isAlone), [
      owners.id,
      wanted.map(({ claim }) => claim.id),
      wanted.map(({ claim }) => claim.epoch),
      channel,
      wanted.map(({ folder }) => folder.host),
      wanted.map(({ folder }) => folder.path),
      wanted.map(({ folder }) => folder.worktree ?? null),
      wanted.map(({ folder }) => JSON.stringify(pathsTo(storable(folder.path)))),
      sep,
    ]);
    const held = new Map(found.map((one) => [Number(one.n), one.held]));
    return wanted.map((_, n): HoldResult | null => answers[held.get(n + 1)!]!);
  });

  /** The folder is locked: nobody takes one that overlaps with it meanwhile. */
  async function takeFolder(tx: Queries, claim: TakenStream, folder: Folder): Promise<HoldResult> {
    const { host, path, worktree = null } = folder;
    for (const other of await tx.query<FolderClaim>(foldersOf, [folder.host])) {
      if (other.id === claim.id || !overlaps(other, folder)) continue;
      if (!owners.isFree(other))
        return { ok: false, why: 'workspace-busy', by: driverOf(other), stream: other.stream };
      // Taken from a dead owner. The new epoch shuts it out, should it live after all.
      await tx.query(bump, [other.id]);
      await tx.query(dropAll, [other.id]);
      await tell(tx, other.process);
    }
    await tx.query(takeIt, [claim.id, host, path, worktree]);
    return { ok: true };
  }

  /** Others of the kind that somebody living drives. One at a time counts and takes: two that count at once would both find a place. */
  async function atWork(tx: Queries, id: number, kind: string): Promise<number> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))', [channel, `all of ${kind}`]);
    const others = await tx.query<OwnedRow>(ofKind, [kind, id]);
    return others.filter((other) => !owners.isFree(other)).length;
  }

  /** Claims of which nobody knows whether they were written: the answer was lost, and the server stayed away. */
  const unsure = new Map<string, TakenStream>();
  const isThat = ({ process, epoch }: FoundClaim, claim: TakenStream | undefined): boolean =>
    process === owners.id && epoch === claim?.epoch;
  const again = { repeatable: true };
  /** Those of this process who take the same stream do so in turn: they could not tell each other's claims apart. */
  const taking = new Map<string, Promise<unknown>>();

  const take: ClaimRecords['take'] = async (stream, beats, atOnce) => {
    const before = unsure.get(stream);
    let sent: TakenStream | undefined;
    /** What there is to say without taking anything; null where it may be taken. */
    const said = (found: FoundClaim | undefined) => {
      if (found === undefined) throw unknownStream(stream);
      if (sent !== undefined && isThat(found, sent)) return sent;
      if (owners.isFree(found) || isThat(found, before)) return null;
      return { ok: false as const, why: 'claimed' as const, by: driverOf(found) };
    };
    /** Nobody has it: whoever takes it counts its epoch up, so that of two who saw this one comes too late. */
    const takeFree = async ({ id, drawn }: Drawn): Promise<TakenStream | null> => {
      if (beats) await owners.beat(db);
      sent = { id, epoch: drawn + 1 };
      return (await takenDrawn({ id, drawn })) ? sent : null;
    };
    const takeOver = () =>
      db.transact(async (tx) => {
        await tx.query(`${claimOf} FOR UPDATE OF s`, [stream]);
        // Who waited for the lock has looked at a claim that another took meanwhile.
        const [now] = await tx.query<FoundClaim>(claimOf, [stream]);
        const answer = said(now);
        if (answer !== null) return answer;
        const { id, process } = now!;
        if (atOnce !== undefined && (await atWork(tx, id, atOnce.kind)) >= atOnce.most)
          return { ok: false as const, why: 'full' as const };
        if (beats) await owners.beat(tx);
        const [bumped] = await tx.query<{ epoch: number }>(bump, [id]);
        await tx.query(takeClaim, [id, owners.id, bumped!.epoch]);
        if (process !== null) {
          await tx.query(forgetSilent);
          await tell(tx, process);
        }
        sent = { id, epoch: bumped!.epoch };
        return sent;
      }, again);
    /** As it was when it was looked at last. Whoever has claimed it since has counted its epoch up. */
    const takeSeen = async (head: StoredHead): Promise<TakenStream | null> => {
      const taken = await takeFree({ id: head.id, drawn: head.epoch });
      if (taken !== null) guesses.keep(stream, { ...head, epoch: taken.epoch });
      return taken;
    };
    try {
      const seen = free.take(stream);
      const first = seen === undefined || atOnce !== undefined ? null : await takeSeen(seen);
      if (first !== null) {
        unsure.delete(stream);
        return first;
      }
      for (;;) {
        const [found] = await db.query<FoundClaim>(claimOf, [stream]);
        const isFree = found !== undefined && found.process === null && atOnce === undefined;
        const taken = said(found) ?? (isFree ? await takeFree(found) : await takeOver());
        if (taken === null) continue;
        unsure.delete(stream);
        return taken;
      }
    } catch (error) {
      if (sent !== undefined) unsure.set(stream, sent);
      throw error;
    }
  };

  return {
    take(stream, ...how) {
      const inTurn = (taking.get(stream) ?? Promise.resolve()).then(() => take(stream, ...how));
      const over = Promise.allSettled([inTurn]).then(() => {
        if (taking.get(stream) === over) taking.delete(stream);
      });
      taking.set(stream, over);
      return inTurn;
    },
    async hold(claim, folder) {
      const whose = [owners.id, claim.id, claim.epoch];
      if (folder === null)
        return (await db.query(letGo, whose)).length === 0 ? { ok: false, why: 'lost' } : { ok: true };
      const apart = await holdApart({ claim, folder });
      if (apart !== null) return apart;
      return db.transact(async (tx): Promise<HoldResult> => {
        const place = [channel, folder.host, pathsTo(folder.path)];
        const [ours] = await tx.query(letGoAndLock, [...whose, ...place]);
        return ours === undefined ? { ok: false, why: 'lost' } : takeFolder(tx, claim, folder);
      }, again);
    },
    drop: async (claims) => void (await Promise.all(claims.map(dropped))),
    async beat(released) {
      await owners.beat(db);
      const lost = [...unsure];
      if (released.length + lost.length > 0) await drop(db, [...released, ...lost.map(([, claim]) => claim)]);
      for (const [stream, claim] of lost) if (unsure.get(stream) === claim) unsure.delete(stream);
    },
    async taken(claims) {
      const held = [claims.map(({ id }) => id), claims.map(({ epoch }) => epoch)];
      const ours = await db.query<{ stream: number }>(areOurs, [owners.id, ...held]);
      const known = new Set(ours.map(({ stream }) => stream));
      return claims.filter(({ id }) => !known.has(id));
    },
    async leave(claims) {
      await drop(db, claims);
      await db.query('DELETE FROM processes WHERE id = $1', [owners.id]);
    },
    async silent(streams) {
      const rows = await db.query<OwnedRow & { name: string }>(
        `SELECT n.name, s.id, ${owner} FROM unnest($1::text[]) AS n (name) LEFT JOIN streams s ON s.name = n.name
         LEFT JOIN claims c ON c.stream = s.id LEFT JOIN processes p ON p.id = c.process`,
        [streams],
      );
      const free = rows.filter(owners.isFree);
      return new Map(free.map(({ name, beatAt }) => [name, beatAt ?? null]));
    },
  };
}

const ofKind = `
  SELECT ${owner} FROM claims c JOIN streams s ON s.id = c.stream LEFT JOIN processes p ON p.id = c.process
  WHERE s.kind = $1 AND c.stream <> $2`;

const claimOf = `
  SELECT s.id, s.epoch AS drawn, c.epoch, ${owner} FROM streams s LEFT JOIN claims c ON c.stream = s.id
  LEFT JOIN processes p ON p.id = c.process WHERE s.name = $1`;

const areOurs = `
  SELECT c.stream FROM claims c JOIN unnest($2::bigint[], $3::int[]) AS g (stream, epoch) ON g.stream = c.stream
  WHERE c.process = $1 AND c.epoch = g.epoch`;

const dropOurs = (isAlone: boolean) => `
  WITH d AS (DELETE FROM claims c USING ${briefly(isAlone)}unnest($2::bigint[], $3::int[]) AS g (stream, epoch)
    WHERE c.stream = g.stream AND c.process = $1 AND c.epoch = g.epoch RETURNING c.stream)
  DELETE FROM folder_claims f USING d WHERE f.stream = d.stream`;

const dropAll = `
  WITH d AS (DELETE FROM claims WHERE stream = $1) DELETE FROM folder_claims WHERE stream = $1`;

/** Locked in one order: two processes that take the same ones do not wait for each other in a circle. */
const takeDrawn = (isAlone: boolean) => `
  WITH free AS (SELECT s.id FROM ${briefly(isAlone)}unnest($1::bigint[], $2::int[]) AS g (id, drawn)
      JOIN streams s ON s.id = g.id AND s.epoch = g.drawn ORDER BY s.id FOR UPDATE OF s),
    s AS (UPDATE streams s SET epoch = s.epoch + 1 FROM free WHERE s.id = free.id RETURNING s.id, s.epoch),
    d AS (DELETE FROM folder_claims f USING s WHERE f.stream = s.id)
  INSERT INTO claims (stream, process, epoch) SELECT id, $3, epoch FROM s
  ON CONFLICT (stream) DO UPDATE SET process = excluded.process, epoch = excluded.epoch RETURNING stream AS id`;

const takeClaim = `
  WITH d AS (DELETE FROM folder_claims WHERE stream = $1)
  INSERT INTO claims (stream, process, epoch) VALUES ($1, $2, $3)
  ON CONFLICT (stream) DO UPDATE SET process = excluded.process, epoch = excluded.epoch`;

const letOurs = `
  WITH ours AS (SELECT stream FROM claims WHERE process = $1 AND stream = $2 AND epoch = $3 FOR UPDATE),
    gone AS (DELETE FROM folder_claims f USING ours WHERE f.stream = ours.stream)`;

const letGo = `${letOurs} SELECT stream FROM ours`;

/** Every folder that this one lies in, from the root on, and itself. The root has no name, and all others lie in it. */
const pathsTo = (path: string): string[] =>
  path
    .split(sep)
    .filter((name, n) => n === 0 || name !== '')
    .map((_, n, names) => names.slice(0, n + 1).join(sep));

/**
 * Folders overlap, and no index knows that. Whoever takes one has it alone and shares those that it lies in, all from the root
 * on: two that overlap take turns, and two that lie beside each other do not wait.
 */
const letGoAndLock = `${letOurs}
  SELECT CASE WHEN n = cardinality($6::text[]) THEN pg_advisory_xact_lock(hashtext($4), hashtext($5 || ' ' || path))
    ELSE pg_advisory_xact_lock_shared(hashtext($4), hashtext($5 || ' ' || path)) END
  FROM ours, unnest($6::text[]) WITH ORDINALITY AS p (path, n) ORDER BY n`;

const takeIt = 'INSERT INTO folder_claims (stream, host, path, worktree) VALUES ($1, $2, $3, $4)';

/** What `hold_apart` answers with. */
const answers = [{ ok: false, why: 'lost' } as const, { ok: true } as const, null];

/**
 * Lets go, locks and takes each, where no path that is held lies on the way to it or below it. A folder comes before those in it, and
 * those before the next one: so two processes that take several do not wait for each other in a circle.
 */
const holdThem = (isAlone: boolean) => `
  SELECT n, hold_apart($1, id, epoch, $4, host, path, worktree, ARRAY(SELECT json_array_elements_text(ways::json)), $9) AS held
  FROM (SELECT w.* FROM ${briefly(isAlone)}unnest($2::bigint[], $3::int[], $5::text[], $6::text[], $7::text[], $8::text[])
      WITH ORDINALITY AS w (id, epoch, host, path, worktree, ways, n)
    ORDER BY host, replace(path, $9, chr(1)) COLLATE "C") AS wanted`;

const foldersOf = `
  SELECT f.stream AS id, f.path, f.worktree, s.name AS stream, ${owner} FROM folder_claims f
  JOIN streams s ON s.id = f.stream JOIN claims c ON c.stream = f.stream LEFT JOIN processes p ON p.id = c.process
  WHERE f.host = $1`;

const forgetSilent = `
  DELETE FROM processes p WHERE p.beat_at + p.ttl < now_ms() AND NOT EXISTS (SELECT 1 FROM claims WHERE process = p.id)`;
