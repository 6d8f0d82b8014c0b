import type { RunEvent, StoredEvent } from '../../core/contract/index.ts';
import type { Journal } from '../../core/stream/index.ts';
import { createAppender, type Project } from './append.ts';
import { unpack } from './blobs.ts';
import type { Database } from './database.ts';
import { StoreError } from './errors.ts';
import { keyOf } from './migrations.ts';
import type { Watch } from './watch.ts';

/** An event with its place among the events of all streams. */
export interface PositionedEvent extends StoredEvent {
  pos: number;
}

export interface SqliteJournal extends Journal<RunEvent> {
  /** Events of all streams after `afterPos`, in the order of their commits; `limit` counts appends. */
  readAll(afterPos: number, limit: number): Promise<PositionedEvent[]>;
  /** How far a stream goes; 0 for an unknown one. */
  lastSeq(stream: string): Promise<number>;
  /** The place of the newest event of all. */
  position(): Promise<number>;
  /** Which streams have events after `afterPos`, and up to where that was looked at; `limit` counts appends. */
  changedStreams(afterPos: number, limit: number): Promise<{ pos: number; streams: string[] }>;
  /** Resolves once any stream may hold an event after `afterPos`, or when the signal aborts. Never rejects. */
  changedAny(afterPos: number, signal: AbortSignal): Promise<void>;
}

interface AppendRow {
  pos: number;
  stream: number;
  name: string;
  seq: number;
  count: number;
}

export function createJournal(db: Database, watch: Watch, project: Project): SqliteJournal {
  const append = createAppender(db, project);
  const selectBlob = db.prepare('SELECT text FROM blobs WHERE hash = ?');
  const selectLast = db.prepare('SELECT last_seq FROM streams WHERE name = ?');
  const selectStream = db.prepare('SELECT id, last_seq AS last FROM streams WHERE name = ?');
  const selectEvents = db.prepare('SELECT packed, body FROM events WHERE key BETWEEN ? AND ? ORDER BY key');
  selectEvents.setReturnArrays(true);
  const selectAppends = db.prepare(`
    SELECT a.pos, a.stream, s.name, a.seq, a.count FROM appends a JOIN streams s ON s.id = a.stream
    WHERE a.pos > ? ORDER BY a.pos LIMIT ?`);
  const selectPos = db.prepare('SELECT max(pos) AS pos FROM appends');

  const textOf = (hash: string): string => {
    const blob = selectBlob.get(hash);
    if (!blob)
      throw new StoreError('store-corrupt', `${db.file} lacks a value (${hash}). Restore it from a backup.`);
    return String(blob['text']);
  };

  const lastSeq = (stream: string): number => Number(selectLast.get(stream)?.['last_seq'] ?? 0);
  /** Events of a stream from one place to another, both included. */
  const eventsOf = (stream: string, id: number, from: number, to: number): StoredEvent[] =>
    (selectEvents.all(keyOf(id, from), keyOf(id, to)) as unknown as [number, string][]).map(
      ([packed, body], i) => ({
        stream,
        seq: from + i,
        event: unpack(body, packed === 1, textOf) as RunEvent,
      }),
    );

  return {
    async append(stream, given) {
      const appended = await append(stream, given);
      if (appended.ok && !appended.repeated) watch.committed(stream);
      return appended;
    },
    read: (stream, afterSeq, limit = Number.POSITIVE_INFINITY) =>
      db.read(() => {
        const found = selectStream.get(stream) as { id: number; last: number } | undefined;
        if (!found || found.last <= afterSeq) return [];
        return eventsOf(stream, found.id, afterSeq + 1, Math.min(found.last, afterSeq + limit));
      }),
    changed: (stream, afterSeq, signal) => watch.until(stream, () => lastSeq(stream) > afterSeq, signal),
    readAll: (afterPos, limit) =>
      db.read(() => {
        const appends = selectAppends.all(afterPos, limit) as unknown as AppendRow[];
        return appends.flatMap(({ pos, stream, name, seq, count }) => {
          const first = pos - count + 1;
          const seen = Math.max(0, afterPos + 1 - first);
          return eventsOf(name, stream, seq + seen, seq + count - 1).map((stored, i) => ({
            pos: first + seen + i,
            ...stored,
          }));
        });
      }),
    lastSeq: (stream) => db.read(() => lastSeq(stream)),
    position: () => db.read(() => Number(selectPos.get()?.['pos'] ?? 0)),
    changedStreams: (afterPos, limit) =>
      db.read(() => {
        const appends = selectAppends.all(afterPos, limit) as unknown as AppendRow[];
        return {
          pos: appends.at(-1)?.pos ?? afterPos,
          streams: [...new Set(appends.map(({ name }) => name))],
        };
      }),
    changedAny: (afterPos, signal) =>
      watch.until(null, () => Number(selectPos.get()?.['pos'] ?? 0) > afterPos, signal),
  };
}
