import type { AnyEvent, Cursor, Kinds, Streams } from '../../../core/stream/index.ts';
import { StoreError } from '../errors.ts';
import { tail } from '../tail.ts';
import { createAppender } from './append.ts';
import { unpack } from './blobs.ts';
import type { Database } from './database.ts';
import { keyOf } from './schema.ts';
import type { Watch } from './watch.ts';

export function createStreams<E extends AnyEvent>(db: Database, watch: Watch, kinds: Kinds): Streams<E> {
  const appender = createAppender(db, kinds, watch.committed);
  const selectBlob = db.prepare('SELECT text FROM blobs WHERE hash = ?');
  const selectStream = db.prepare('SELECT id, kind, last_seq AS last FROM streams WHERE name = ?');
  const selectEvents = db.prepare('SELECT packed, body FROM events WHERE key BETWEEN ? AND ? ORDER BY key');
  selectEvents.setReturnArrays(true);
  const selectAppends = db.prepare(`
    SELECT a.pos, s.name FROM appends a LEFT JOIN streams s ON s.id = a.stream
    WHERE a.pos > ? ORDER BY a.pos LIMIT ?`);
  const selectPos = db.prepare('SELECT max(pos) AS pos FROM appends');

  const textOf = (hash: string): string => {
    const blob = selectBlob.get(hash);
    if (!blob)
      throw new StoreError('store-corrupt', `${db.file} lacks a value (${hash}). Restore it from a backup.`);
    return String(blob['text']);
  };
  const find = (stream: string) =>
    selectStream.get(stream) as { id: number; kind: string; last: number } | undefined;
  const lastSeq = (stream: string): number => find(stream)?.last ?? 0;
  const newest = (): number => Number(selectPos.get()?.['pos'] ?? 0);

  const read: Streams<E>['read'] = (stream, afterSeq, limit = Number.POSITIVE_INFINITY) =>
    db.read(() => {
      const found = find(stream);
      if (!found || found.last <= afterSeq) return [];
      const range = [keyOf(found.id, afterSeq + 1), keyOf(found.id, Math.min(found.last, afterSeq + limit))];
      return (selectEvents.all(...range) as unknown as [number, string][]).map(([packed, body], i) => ({
        stream,
        seq: afterSeq + 1 + i,
        event: unpack(body, packed === 1, textOf) as E,
      }));
    });
  const changed: Streams<E>['changed'] = (stream, afterSeq, signal) =>
    watch.until(stream, () => lastSeq(stream) > afterSeq, signal);

  return {
    append: appender.append,
    begin: appender.begin,
    read,
    changed,
    kindOf: (stream) => db.read(() => find(stream)?.kind ?? null),
    lastSeq: (stream) => db.read(() => lastSeq(stream)),
    tail: (stream, afterSeq, signal) => tail({ read, changed }, stream, afterSeq, signal),
    cursor: (after) =>
      db.read(() => {
        const [now, from] = [newest(), after === undefined ? Number.NaN : placeOf(after)];
        return String(from <= now ? from : now);
      }),
    changedSince: (cursor, limit) =>
      db.read(() => {
        const found = selectAppends.all(placeOf(cursor), limit) as { pos: number; name: string | null }[];
        const streams = found.flatMap(({ name }) => (name === null ? [] : [name]));
        return { cursor: String(found.at(-1)?.pos ?? cursor), streams: [...new Set(streams)] };
      }),
    changedAny: (cursor, signal) => watch.until(null, () => newest() > placeOf(cursor), signal),
  };
}

/** NaN for what is no cursor of ours: nothing is after it. */
const placeOf = (cursor: Cursor): number => (/^\d+$/.test(cursor) ? Number(cursor) : Number.NaN);
