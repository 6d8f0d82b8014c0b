import type { GcOptions, GcResult } from '../../../core/stream/index.ts';
import { tooOld } from '../retention-rules.ts';
import type { PostgresDatabase, Queries } from './connection.ts';
import type { OwnedRow, PostgresOwners } from './owners.ts';
import { owner } from './owners.ts';

interface Ended extends OwnedRow {
  stream: number;
  id: string;
  kind: string;
  endedAt: number;
}

interface Measured {
  events: number;
  blobs: number;
  bytes: number;
}

/** Each stream goes in a transaction of its own, which looks again before it removes. */
export async function collectGarbage(
  db: PostgresDatabase,
  owners: PostgresOwners,
  options: GcOptions,
): Promise<GcResult> {
  const all = await db.query<Ended>(`${ended} WHERE l.ended_at IS NOT NULL`);
  const old = tooOld(all, all[0]?.now ?? 0, options).filter(owners.isFree);
  const result: GcResult = { streams: [], events: 0, blobs: 0, freedBytes: 0 };
  for (const { stream, id } of old) {
    const measured = await (options.dryRun
      ? measure(db, stream, id)
      : db.transact((tx) => remove(tx, owners, stream, id)));
    if (measured === null) continue;
    result.streams.push(id);
    result.events += measured.events;
    result.blobs += measured.blobs;
    result.freedBytes += measured.bytes;
  }
  return result;
}

async function measure(asking: Queries, stream: number, id: string): Promise<Measured> {
  const [measured] = await asking.query<Measured>(measuring, [stream, id]);
  return measured!;
}

async function remove(
  tx: Queries,
  owners: PostgresOwners,
  stream: number,
  id: string,
): Promise<Measured | null> {
  // Before anything else: whoever begins a stream of this name anew sees its epoch.
  await tx.query('UPDATE used u SET epoch = greatest(u.epoch, s.epoch) FROM streams s WHERE s.id = $1', [
    stream,
  ]);
  await tx.query('SELECT 1 FROM streams WHERE id = $1 FOR UPDATE', [stream]);
  const [now] = await tx.query<Ended>(`${ended} WHERE l.stream = $1 AND l.ended_at IS NOT NULL`, [stream]);
  if (now === undefined || !owners.isFree(now)) return null;
  // Held fast first, looked at second: what another append refers to meanwhile stays.
  await tx.query(
    `SELECT 1 FROM blobs WHERE hash IN (SELECT hash FROM blob_refs WHERE stream = $1) ORDER BY hash FOR UPDATE`,
    [stream],
  );
  const measured = await measure(tx, stream, id);
  await tx.query(`DELETE FROM blobs b WHERE ${onlyIts}`, [stream]);
  for (const table of ['chunks', 'log_errors'])
    await tx.query(`DELETE FROM ${table} o USING logs l WHERE l.stream = $1 AND o.log = l.id`, [id]);
  await tx.query('DELETE FROM logs WHERE stream = $1', [id]);
  for (const table of ofStream) await tx.query(`DELETE FROM ${table} WHERE stream = $1`, [stream]);
  await tx.query('DELETE FROM streams WHERE id = $1', [stream]);
  return measured;
}

const ofStream = [
  ...['events', 'blob_refs', 'claims', 'folder_claims', 'appends', 'listing', 'texts', 'snapshots'],
  'model_trials',
];

const ended = `
  SELECT l.stream, l.id, l.kind, l.ended_at AS "endedAt", ${owner} FROM listing l
  LEFT JOIN claims c ON c.stream = l.stream LEFT JOIN processes p ON p.id = c.process`;

const onlyIts = `b.hash IN (SELECT hash FROM blob_refs WHERE stream = $1)
  AND NOT EXISTS (SELECT 1 FROM blob_refs o WHERE o.hash = b.hash AND o.stream <> $1)`;

const measuring = `
  SELECT e.n AS events, b.n AS blobs, (e.bytes + b.bytes + o.bytes)::bigint AS bytes FROM
    (SELECT count(*) AS n, coalesce(sum(octet_length(body)), 0) AS bytes FROM events WHERE stream = $1) e,
    (SELECT count(*) AS n, coalesce(sum(octet_length(text)), 0) AS bytes FROM blobs b WHERE ${onlyIts}) b,
    (SELECT coalesce(sum(octet_length(c.bytes)), 0) AS bytes FROM logs l JOIN chunks c ON c.log = l.id
      WHERE l.stream = $2) o`;
