import { randomInt } from 'node:crypto';
import type { LogName, Output, OutputRange } from '../../../core/stream/index.ts';
import { headBytes, pieceBytes } from '../output/files.ts';
import type { Queries } from './connection.ts';

/** A log as it is in the database. */
export interface Log {
  id: number;
  size: number;
  isEnded: boolean;
  noted: number;
}

/** Of very many places of errors no more are noted. */
const mostNoted = 20_000;
/** No chunk is longer, so that little is read in vain. */
const chunkBytes = 64 * 1024;

const columns = 'id, size, is_ended AS "isEnded", noted';

export async function findLog(db: Queries, name: LogName): Promise<Log | null> {
  const [log] = await db.query<Log>(
    `SELECT ${columns} FROM logs WHERE stream = $1 AND of = $2 AND attempt = $3`,
    name,
  );
  return log ?? null;
}

export async function makeLog(db: Queries, name: LogName): Promise<Log> {
  await db.query(
    `INSERT INTO logs (stream, of, attempt, size, is_ended, noted) VALUES ($1, $2, $3, 0, false, 0)
     ON CONFLICT DO NOTHING`,
    name,
  );
  return (await findLog(db, name))!;
}

/** Where the piece begins that this place is in: the head is one, and what follows is cut into equal ones. */
const pieceOf = (at: number): number => (at < headBytes ? 0 : at - ((at - headBytes) % pieceBytes));
const endOfPiece = (at: number): number => (at < headBytes ? headBytes : pieceOf(at) + pieceBytes);

/** Of the pieces after the head, where the oldest begins that is kept. */
const oldestAt = (end: number): number => pieceOf(end - 1) - pieceBytes;

/** What is to be kept of these bytes, column by column. */
function columnsOf(size: number, bytes: Uint8Array, errors: readonly OutputRange[]): unknown[][] {
  const oldest = oldestAt(size + bytes.length);
  const parts = partsOf(size, bytes).filter(({ start }) => start < headBytes || start >= oldest);
  return [
    ...[parts.map(({ start }) => start), parts.map((part) => Buffer.from(part.bytes))],
    ...[errors.map(([start]) => start), errors.map(([, to]) => to)],
  ];
}

/** Cut so that each part lies in one piece. */
function partsOf(start: number, bytes: Uint8Array): { start: number; bytes: Uint8Array }[] {
  const parts = [];
  for (let done = 0; done < bytes.length; ) {
    const at = start + done;
    const length = Math.min(chunkBytes, endOfPiece(at) - at, bytes.length - done);
    parts.push({ start: at, bytes: bytes.subarray(done, done + length) });
    done += length;
  }
  return parts;
}

/**
 * The first of a log, which may be all of it; where somebody has begun the log before, nothing is written, and it is found as it
 * is. Its number is chosen here: asked again after a lost answer, what was written the first time is known by it.
 */
export async function beginLog(
  db: Queries,
  name: LogName,
  bytes: Uint8Array,
  errors: readonly OutputRange[],
  isEnded: boolean,
  id = chosenNumber(),
): Promise<{ log: Log; isOurs: boolean }> {
  const log: Log = { id, size: bytes.length, isEnded, noted: Math.min(errors.length, mostNoted) };
  const values = [id, ...name, log.size, isEnded, log.noted, ...columnsOf(0, bytes, errors)];
  if ((await db.query(begin, values)).length > 0) return { log, isOurs: true };
  const found = (await findLog(db, name))!;
  return { log: found, isOurs: found.id === id };
}

/** The database itself counts from 1 on. */
const firstChosen = 2 ** 52;
const mostChosen = 2 ** 48 - 1;

/** A number for a log that no other has. */
export const chosenNumber = (): number => firstChosen + randomInt(mostChosen);

/** All of a log at once. Where somebody has begun it before, it goes on there. */
export async function writeWhole(
  db: Queries,
  { id, name, bytes }: { id: number; name: LogName; bytes: Uint8Array },
): Promise<void> {
  const { log, isOurs } = await beginLog(db, name, bytes, [], true, id);
  if (isOurs) return;
  await keepChunk(db, log, bytes, []);
  await endLog(db, name);
}

/** Whatever is in it; one that nobody has written to is empty. */
export const endLog = (db: Queries, name: LogName): Promise<unknown> => db.query(end, [...name]);

/**
 * Goes on where `log` ends; where it ends elsewhere by now, nothing is done: it has been written before. Of the pieces after
 * the head the newest two are kept.
 */
export async function keepChunk(
  db: Queries,
  { id, size }: Pick<Log, 'id' | 'size'>,
  bytes: Uint8Array,
  errors: readonly OutputRange[],
): Promise<void> {
  const end = size + bytes.length;
  await db.query(keep, [id, size, end, errors.length, mostNoted, ...columnsOf(size, bytes, errors)]);
  const oldest = oldestAt(end);
  if (pieceOf(end - 1) !== pieceOf(size - 1) && oldest > headBytes)
    await db.query('DELETE FROM chunks WHERE log = $1 AND start >= $2 AND start < $3', [
      id,
      headBytes,
      oldest,
    ]);
}

const carriedBytes = 256 * 1024;

/** What another place has of the log, and the database has not. Whoever comes second finds it done. */
export async function carryLog(db: Queries, from: Pick<Output, 'read'>, name: LogName): Promise<Log> {
  for (let log = await makeLog(db, name); ; log = (await findLog(db, name))!) {
    const { bytes, next } = await from.read(...name, log.size, carriedBytes);
    if (bytes.length === 0) return log;
    if (next === log.size + bytes.length) await keepChunk(db, log, bytes, []);
    else await skipTo(db, log, next);
  }
}

/** What is between was left out elsewhere. */
async function skipTo(db: Queries, { id, size }: Log, next: number): Promise<void> {
  await db.query('UPDATE logs SET size = $3 WHERE id = $1 AND size = $2', [id, size, next]);
}

const keep = `
  WITH l AS (UPDATE logs SET size = $3, noted = least(noted + $4::int, $5::int)
      WHERE id = $1 AND size = $2 RETURNING id, noted),
    c AS (INSERT INTO chunks (log, start, bytes)
      SELECT l.id, p.start, p.bytes FROM l, unnest($6::bigint[], $7::bytea[]) AS p (start, bytes))
  INSERT INTO log_errors (log, start, "end")
    SELECT l.id, e.start, e."end" FROM l, unnest($8::bigint[], $9::bigint[]) AS e (start, "end")
    WHERE l.noted < $5`;

/**
 * Where it holds, the commit does not wait for the disk. It is for the last that is written of something: the next commit that
 * waits takes it along, and an outcome that is told is one.
 */
const unsynced = (condition: string): string =>
  `CASE WHEN ${condition} THEN set_config('synchronous_commit', 'off', true) END`;

const end = `
  INSERT INTO logs (stream, of, attempt, size, is_ended, noted) VALUES ($1, $2, $3, 0, true, 0)
  ON CONFLICT (stream, of, attempt) DO UPDATE SET is_ended = true RETURNING ${unsynced('true')}`;

const begin = `
  WITH l AS (INSERT INTO logs (id, stream, of, attempt, size, is_ended, noted) OVERRIDING SYSTEM VALUE
      VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING id, is_ended),
    c AS (INSERT INTO chunks (log, start, bytes)
      SELECT l.id, p.start, p.bytes FROM l, unnest($8::bigint[], $9::bytea[]) AS p (start, bytes)),
    e AS (INSERT INTO log_errors (log, start, "end")
      SELECT l.id, e.start, e."end" FROM l, unnest($10::bigint[], $11::bigint[]) AS e (start, "end"))
  SELECT ${unsynced('is_ended')} FROM l`;
