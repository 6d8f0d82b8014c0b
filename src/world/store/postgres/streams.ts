import type { AnyEvent, Streams } from '../../../core/stream/index.ts';
import { unpack } from '../blobs.ts';
import { StoreError } from '../errors.ts';
import { namesOf } from '../heads.ts';
import { tail } from '../tail.ts';
import { type AppenderOptions, createAppender } from './append.ts';
import { type PostgresDatabase, storable } from './connection.ts';
import { createCursors } from './cursors.ts';
import type { StoredHead } from './heads.ts';
import { inOne } from './in-one.ts';
import type { PostgresWatch } from './watch.ts';

interface StoredBody {
  seq: number;
  packed: boolean;
  body: string;
}

/** `upTo`: the last event that is wanted. */
interface Asked {
  stream: string;
  afterSeq: number;
  upTo: number;
  unlessBeyond: number;
}

/** The how many-th that was asked, where it stands, and one of its events. */
type ReadRow = { asked: number; id: number; last: number } & (StoredBody | { seq: null });

/** No stream goes further. */
const LAST = 2 ** 31 - 1;

/** `OFFSET 0`: planned by itself, so that the index finds where to begin. Else all events of a stream are read for its last one. */
export const readAll = `
  SELECT g.n AS asked, s.id, s.last_seq AS last, e.seq, e.packed, e.body
  FROM unnest($1::text[], $2::int[], $3::int[], $4::int[]) WITH ORDINALITY AS g (name, past, up_to, beyond, n)
  JOIN streams s ON s.name = g.name
  LEFT JOIN LATERAL (SELECT seq, packed, body FROM events
    WHERE stream = s.id AND seq > g.past AND seq <= g.up_to AND s.last_seq <= g.beyond OFFSET 0) e ON true
  ORDER BY g.n, e.seq`;

const kindsOf = `
  SELECT s.name, s.id, s.kind, s.last_seq AS last, s.epoch, s."row", s.ids, c.stream IS NULL AS "isFree"
  FROM streams s LEFT JOIN claims c ON c.stream = s.id WHERE s.name = ANY ($1::text[])`;

interface Standing {
  name: string;
  id: number;
  last: number;
}

const selectStanding = 'SELECT name, id, last_seq AS last FROM streams WHERE name = ANY ($1::text[])';

/** The row of each name, in their order. */
const byNames = <R extends { name: string }>(names: readonly string[], rows: readonly R[]) => {
  const found = new Map(rows.map((row) => [row.name, row]));
  return names.map((name) => found.get(storable(name)));
};

type KindRow = Omit<StoredHead, 'row'> & { name: string; row: string | null; isFree: boolean };

export function createStreams<E extends AnyEvent>(
  options: AppenderOptions,
  watch: PostgresWatch,
  store: string,
): Streams<E> {
  const { db } = options;
  const appender = createAppender(options);
  const { isPast, ...cursors } = createCursors(db, store);

  const find = inOne(async (names: readonly string[]) =>
    byNames(names, await db.query<Standing>(selectStanding, [names])),
  );
  const standingOf = inOne(async (names: readonly string[]) =>
    byNames(names, await db.query<KindRow>(kindsOf, [names])),
  );
  const lastSeq = async (stream: string): Promise<number> => (await find(stream))?.last ?? 0;

  const readRows = inOne(async (asked: readonly Asked[]) => {
    const rows = await db.query<ReadRow>(readAll, [
      asked.map(({ stream }) => stream),
      asked.map(({ afterSeq }) => afterSeq),
      asked.map(({ upTo }) => upTo),
      asked.map(({ unlessBeyond }) => unlessBeyond),
    ]);
    const byAsked = Map.groupBy(rows, ({ asked: n }) => n);
    return asked.map((_, n) => byAsked.get(n + 1) ?? []);
  });
  const readOf: Streams<E>['readOf'] = async (stream, afterSeq, limit = LAST, unlessBeyond = LAST) => {
    const upTo = Math.min(LAST, afterSeq + limit);
    const rows = await readRows({ stream, afterSeq, upTo, unlessBeyond: Math.min(LAST, unlessBeyond) });
    const { id = 0, last = 0 } = rows[0] ?? {};
    const found = rows.filter((row) => row.seq !== null);
    const textOf = await blobsOf(db, stream, found);
    const events = found.map(({ seq, packed, body }) => {
      return { stream, seq, event: unpack(body, packed, textOf) as E };
    });
    return { incarnation: id, last, events };
  };
  const read: Streams<E>['read'] = async (...which) => (await readOf(...which)).events;
  const changed: Streams<E>['changed'] = (stream, afterSeq, signal) =>
    watch.until(stream, afterSeq, async () => (await lastSeq(stream)) > afterSeq, signal);

  return {
    append: appender.append,
    begin: appender.begin,
    read,
    changed,
    async kindOf(stream) {
      const found = await standingOf(stream);
      if (found === undefined) return null;
      const { isFree, row, name: _, ...head } = found;
      if (isFree) options.free.keep(stream, { ...head, row: row === null ? null : JSON.parse(row) });
      return head.kind;
    },
    lastSeq,
    async appends(stream) {
      const [head] = await db.query<{ ids: string }>('SELECT ids FROM streams WHERE name = $1', [stream]);
      const older = await db.query<{ id: string; seq: number }>(
        'SELECT a.id, a.seq FROM streams s JOIN appends a ON a.stream = s.id WHERE s.name = $1',
        [stream],
      );
      return new Map([
        ...older.map(({ id, seq }): [string, number] => [id, seq]),
        ...namesOf(head?.ids ?? ''),
      ]);
    },
    readOf,
    incarnation: async (stream) => (await find(stream))?.id ?? 0,
    tail: (stream, afterSeq, signal) => tail({ readOf, changed }, stream, afterSeq, signal),
    ...cursors,
    changedAny: (cursor, signal) => watch.until(null, 0, () => isPast(cursor), signal),
  };
}

/** The long values that these events hold, by their hashes. */
async function blobsOf(db: PostgresDatabase, stream: string, found: readonly StoredBody[]) {
  const texts = new Map<string, string>();
  if (found.some(({ packed }) => packed)) {
    const blobs = await db.query<{ hash: string; text: string }>(
      `SELECT b.hash, b.text FROM streams s JOIN blob_refs r ON r.stream = s.id JOIN blobs b ON b.hash = r.hash
       WHERE s.name = $1`,
      [stream],
    );
    for (const { hash, text } of blobs) texts.set(hash, text);
  }
  return (hash: string): string => {
    const text = texts.get(hash);
    if (text === undefined)
      throw new StoreError('store-corrupt', `${db.where} lacks a value (${hash}). Restore it from a backup.`);
    return text;
  };
}
