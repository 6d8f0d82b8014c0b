import type { AnyEvent, Cursor, Kinds, Streams } from '../../../core/stream/index.ts';
import { unpack } from '../blobs.ts';
import { StoreError } from '../errors.ts';
import { namesOf } from '../heads.ts';
import { tail } from '../tail.ts';
import { createAppender, type Newest, selectNewest } from './append.ts';
import type { Database } from './database.ts';
import { keyOf } from './schema.ts';
import type { Watch } from './watch.ts';

export function createStreams<E extends AnyEvent>(db: Database, watch: Watch, kinds: Kinds): Streams<E> {
  const appender = createAppender(db, kinds, watch.committed);
  const selectBlob = db.prepare('SELECT text FROM blobs WHERE hash = ?');
  const selectStream = db.prepare('SELECT id, kind, last_seq AS last FROM streams WHERE name = ?');
  const selectEvents = db.prepare('SELECT packed, body FROM events WHERE key BETWEEN ? AND ? ORDER BY key', {
    asArrays: true,
  });
  const selectChanges = db.prepare(`
    SELECT c.pos, s.name FROM changes c JOIN streams s ON s.id = c.stream
    WHERE c.pos >= coalesce((SELECT max(pos) FROM changes WHERE pos <= ?1), 0) ORDER BY c.pos LIMIT ?2`);
  const selectIds = db.prepare('SELECT ids FROM streams WHERE name = ?');
  const selectAppends = db.prepare(
    'SELECT a.id, a.seq FROM streams s JOIN appends a ON a.stream = s.id WHERE s.name = ?',
  );
  const newestOfAll = db.prepare(selectNewest);

  const textOf = (hash: string): string => {
    const blob = selectBlob.get(hash);
    if (!blob)
      throw new StoreError('store-corrupt', `${db.file} lacks a value (${hash}). Restore it from a backup.`);
    return String(blob['text']);
  };
  const find = (stream: string) =>
    selectStream.get(stream) as { id: number; kind: string; last: number } | undefined;
  const lastSeq = (stream: string): number => find(stream)?.last ?? 0;
  const newest = (): number => (newestOfAll.get() as unknown as Newest).pos;

  const readOf: Streams<E>['readOf'] = (
    stream,
    afterSeq,
    limit = Number.POSITIVE_INFINITY,
    unlessBeyond = Number.POSITIVE_INFINITY,
  ) =>
    db.read(() => {
      for (;;) {
        const { id = 0, last = 0 } = find(stream) ?? {};
        const to = Math.min(last, afterSeq + limit);
        if (to <= afterSeq || last > unlessBeyond) return { incarnation: id, last, events: [] };
        const range = [keyOf(id, afterSeq + 1), keyOf(id, to)];
        const found = selectEvents.all(...range) as unknown as [number, string][];
        // It was removed between the two looks.
        if (found.length < to - afterSeq && find(stream)?.id !== id) continue;
        const events = found.map(([packed, body], i) => ({
          stream,
          seq: afterSeq + 1 + i,
          event: unpack(body, packed === 1, textOf) as E,
        }));
        return { incarnation: id, last, events };
      }
    });
  const read: Streams<E>['read'] = async (...which) => (await readOf(...which)).events;
  const changed: Streams<E>['changed'] = (stream, afterSeq, signal) =>
    watch.until(stream, (last = lastSeq(stream)) => last > afterSeq, signal);

  return {
    append: appender.append,
    begin: appender.begin,
    read,
    changed,
    kindOf: (stream) => db.read(() => find(stream)?.kind ?? null),
    lastSeq: (stream) => db.read(() => lastSeq(stream)),
    appends: (stream) =>
      db.read(() => {
        const found = selectAppends.all(stream) as { id: string; seq: number }[];
        const ids = selectIds.get(stream)?.['ids'];
        return new Map([...found.map(({ id, seq }) => [id, seq] as const), ...namesOf(String(ids ?? ''))]);
      }),
    readOf,
    incarnation: (stream) => db.read(() => find(stream)?.id ?? 0),
    tail: (stream, afterSeq, signal) => tail({ readOf, changed }, stream, afterSeq, signal),
    cursor: (after) =>
      db.read(() => {
        const [now, from] = [newest(), after === undefined ? Number.NaN : placeOf(after)];
        return String(from <= now ? from : now);
      }),
    changedSince: (cursor, limit) =>
      db.read(() => {
        const after = placeOf(cursor);
        // The stretch that the cursor is in, and one more to see where the last one ends.
        const found = selectChanges.all(after, limit + 2) as { pos: number; name: string }[];
        const ends = found.map((_, at) => (at + 1 < found.length ? found[at + 1]!.pos - 1 : newest()));
        const from = ends.findIndex((end) => end > after);
        if (from === -1) return { cursor, streams: [] };
        const to = Math.min(found.length, from + limit);
        const streams = new Set(found.slice(from, to).map(({ name }) => name));
        return { cursor: String(ends[to - 1]), streams: [...streams] };
      }),
    changedAny: (cursor, signal) => watch.until(null, () => newest() > placeOf(cursor), signal),
  };
}

/** NaN for what is no cursor of ours: nothing is after it. */
const placeOf = (cursor: Cursor): number => (/^\d+$/.test(cursor) ? Number(cursor) : Number.NaN);
