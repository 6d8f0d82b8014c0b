import type { Head } from '../heads.ts';
import type { Queries } from './connection.ts';
import { relist } from './listed.ts';

export interface StoredHead extends Head {
  /** 0: it is still to be begun. */
  id: number;
}

interface FoundHead extends StoredHead {
  /** Where an earlier append with the same id began; null where there is none, or where it is one of the newest. */
  before: number | null;
}

export async function findHead(
  asking: Queries,
  stream: string,
  append: string | null,
  lock = '',
): Promise<FoundHead | undefined> {
  const [found] = await asking.query<Omit<FoundHead, 'row'> & { row: string | null }>(
    `SELECT s.id, s.kind, s.last_seq AS last, s.epoch, s."row", s.ids, a.seq AS before
     FROM streams s LEFT JOIN appends a ON a.stream = s.id AND a.id = $2 WHERE s.name = $1 ${lock}`,
    [stream, append],
  );
  return found && { ...found, row: found.row === null ? null : JSON.parse(found.row) };
}

const insertEvents = `
  e AS (INSERT INTO events (stream, seq, packed, body)
    SELECT h.id, $6::int + n, packed, body
    FROM h, unnest($4::boolean[], $5::text[]) WITH ORDINALITY AS given (packed, body, n))
  SELECT id, epoch FROM h`;

const moveHead = `
  h AS (UPDATE streams SET last_seq = $1, "row" = $2, ids = $3, changed = pg_current_xact_id()
    WHERE id = $7 AND last_seq = $6 AND epoch = $8
      AND NOT EXISTS (SELECT 1 FROM appends a WHERE a.stream = $7 AND a.id = $9) RETURNING id, epoch)`;

export const advanceStream = `WITH ${moveHead}, ${insertEvents}`;

export const advanceListed = `WITH ${moveHead}, l AS (${relist('h', 10)}), ${insertEvents}`;

export const beginStream = `
  WITH h AS (INSERT INTO streams (name, kind, last_seq, epoch, changed, ids, "row")
    SELECT $7, $8, $1, epoch, pg_current_xact_id(), $3, $2 FROM used
    ON CONFLICT (name) DO NOTHING RETURNING id, epoch), ${insertEvents}`;

/** The name may have been that of a stream that was removed just now: its epochs are used up. */
export const outgrow = `
  UPDATE streams s SET epoch = u.epoch FROM used u WHERE s.id = $1 AND s.epoch < u.epoch RETURNING s.epoch`;

export const keepIds = `
  INSERT INTO appends (stream, id, seq) SELECT $1, key, value::int FROM json_each_text($2::json)`;

/** One that is there already is touched: whoever removes what nobody needs then waits, and sees who does. */
export const insertBlobs = `
  WITH given AS (SELECT * FROM unnest($2::text[], $3::text[]) AS given (hash, text) ORDER BY hash),
    b AS (INSERT INTO blobs (hash, text) SELECT DISTINCT ON (hash) hash, text FROM given
      ON CONFLICT (hash) DO UPDATE SET hash = excluded.hash)
  INSERT INTO blob_refs (stream, hash) SELECT DISTINCT $1::bigint, hash FROM given ON CONFLICT DO NOTHING`;

export const lockName = 'SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))';
