import { setImmediate as turn } from 'node:timers/promises';
import type { StreamRow } from '../../../core/contract/index.ts';
import type { Queries } from './connection.ts';
import { briefly, isAway } from './in-one.ts';
import { listedAs, listedColumns, listedTypes } from './listed.ts';
import type { LittleLog } from './little-logs.ts';
import { writeWhole } from './logs.ts';

/** One append with nothing to keep but its events, and how it is listed. */
export interface PlainAppend {
  /** The stream's number in the database, and how it must stand for the append to hold. */
  id: number;
  last: number;
  epoch: number;
  /** The name of the append. */
  name: string | null;
  after: { last: number; row: string; ids: string };
  events: readonly { packed: boolean; body: string }[];
  /** As it is listed from then on; null where nothing of that changes. */
  listed: StreamRow | null;
  /** Of its stream: written with it, whether or not it holds. */
  logs: readonly LittleLog[];
}

interface Waiting {
  append: PlainAppend;
  done: PromiseWithResolvers<boolean>;
}

/**
 * Appends of many drivers in one statement, so that one commit and one answer are for all of them: what comes while one is under
 * way goes with the next, and so does what comes in the same turn of this process. Each holds by itself, or not: false, and nothing
 * of it was written. What is wrong with one of them, and whoever has locked its stream for long, is no matter of the others: each
 * then goes alone.
 */
export function createTogether(db: Queries): (append: PlainAppend) => Promise<boolean> {
  let waiting: Waiting[] = [];
  let isSending = false;
  const alone = new Set<number>();

  const holding = async (sql: string, batch: readonly Waiting[]): Promise<void> => {
    const appends = batch.map(({ append }) => append);
    const found = await db.query<{ id: number }>(sql, columnsOf(appends));
    const written = new Set(found.map(({ id }) => id));
    for (const log of appends.flatMap(({ logs }) => logs))
      if (!written.has(log.id)) await writeWhole(db, log).catch(() => {});
    for (const { append, done } of batch) done.resolve(written.has(append.id));
  };
  const sendAlone = async (one: Waiting): Promise<void> => {
    const { id } = one.append;
    alone.add(id);
    await holding(advanceOne, [one]).catch(one.done.reject);
    alone.delete(id);
    start();
  };
  /** One of each stream. */
  const take = (): Waiting[] => {
    const [streams, batch, left]: [Set<number>, Waiting[], Waiting[]] = [new Set(alone), [], []];
    for (const one of waiting) {
      const { id } = one.append;
      (streams.has(id) ? left : batch).push(one);
      streams.add(id);
    }
    waiting = left;
    return batch;
  };
  const send = async (): Promise<void> => {
    for (let batch = take(); batch.length > 0; batch = take()) {
      try {
        await holding(advanceAll, batch);
      } catch (error) {
        for (const one of batch)
          if (isAway(error)) one.done.reject(error);
          else void sendAlone(one);
      }
      await turn();
    }
    isSending = false;
  };
  const start = (): void => {
    if (isSending || waiting.length === 0) return;
    isSending = true;
    setImmediate(send);
  };
  return (append) => {
    const done = Promise.withResolvers<boolean>();
    waiting.push({ append, done });
    start();
    return done.promise;
  };
}

const columnsOf = (appends: readonly PlainAppend[]): unknown[] => {
  const events = appends.flatMap(({ id, last, events: all }) =>
    all.map(({ packed, body }, n) => ({ stream: id, seq: last + 1 + n, packed, body })),
  );
  const logs = appends.flatMap((append) => append.logs);
  const listed = appends.flatMap(({ id, listed: row }) => (row === null ? [] : [[id, ...listedAs(row)]]));
  return [
    appends.map(({ id }) => id),
    appends.map(({ last }) => last),
    appends.map(({ epoch }) => epoch),
    appends.map(({ name }) => name),
    appends.map(({ after }) => after.last),
    appends.map(({ after }) => after.row),
    appends.map(({ after }) => after.ids),
    events.map(({ stream }) => stream),
    events.map(({ seq }) => seq),
    events.map(({ packed }) => packed),
    events.map(({ body }) => body),
    logs.map(({ id }) => id),
    logs.map(({ name: [stream] }) => stream),
    logs.map(({ name: [, of] }) => of),
    logs.map(({ name: [, , attempt] }) => attempt),
    logs.map(({ bytes }) => bytes),
    ...Array.from({ length: 1 + listedColumns.length }, (_, n) => listed.map((values) => values[n])),
  ];
};

const advance = (isAlone: boolean) => `
  WITH g AS (SELECT g.* FROM ${briefly(isAlone)}unnest($1::bigint[], $2::int[], $3::int[], $4::text[], $5::int[], $6::text[], $7::text[])
      AS g (id, last, epoch, name, last_after, row_after, ids_after)),
    h AS (UPDATE streams s SET last_seq = g.last_after, "row" = g.row_after, ids = g.ids_after, changed = pg_current_xact_id()
      FROM g WHERE s.id = g.id AND s.last_seq = g.last AND s.epoch = g.epoch
        AND NOT EXISTS (SELECT 1 FROM appends a WHERE a.stream = g.id AND a.id = g.name) RETURNING s.id),
    e AS (INSERT INTO events (stream, seq, packed, body)
      SELECT h.id, seq, packed, body FROM h JOIN unnest($8::bigint[], $9::int[], $10::boolean[], $11::text[])
        AS given (stream, seq, packed, body) ON given.stream = h.id),
    r AS (UPDATE listing l SET ${listedColumns.map((column) => `${column} = given.${column}`).join(', ')}
      FROM h JOIN unnest($17::bigint[], ${listedTypes.map((type, n) => `$${18 + n}::${type}[]`).join(', ')})
        AS given (stream, ${listedColumns.join(', ')}) ON given.stream = h.id WHERE l.stream = h.id),
    w AS (SELECT * FROM unnest($12::bigint[], $13::text[], $14::text[], $15::int[], $16::bytea[])
      AS w (id, stream, of, attempt, bytes)),
    l AS (INSERT INTO logs (id, stream, of, attempt, size, is_ended, noted) OVERRIDING SYSTEM VALUE
      SELECT id, stream, of, attempt, octet_length(bytes), true, 0 FROM w ON CONFLICT DO NOTHING RETURNING id),
    c AS (INSERT INTO chunks (log, start, bytes) SELECT l.id, 0, w.bytes FROM l JOIN w ON w.id = l.id)
  SELECT id FROM h UNION ALL SELECT id FROM l`;

const advanceOne = advance(true);
const advanceAll = advance(false);
