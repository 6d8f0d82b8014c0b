import type { RunEvent, RunRow, StoredEvent } from '../../core/contract/index.ts';
import type { Append, Appended, Journal } from '../../core/engine/index.ts';
import { pack, unpack } from './blobs.ts';
import type { Database } from './database.ts';
import { StoreError } from './errors.ts';
import { keyOf } from './migrations.ts';
import { createRows } from './rows.ts';
import type { Watch } from './watch.ts';

export type Project = (row: RunRow | null, event: StoredEvent<RunEvent>) => RunRow | null;

/** An event with its place among the events of all streams. */
export interface PositionedEvent extends StoredEvent {
  pos: number;
}

export interface SqliteJournal extends Journal {
  /** Events of all streams after `afterPos`, in the order of their commits; `limit` counts appends. */
  readAll(afterPos: number, limit: number): Promise<PositionedEvent[]>;
  /** Resolves once any stream may hold an event after `afterPos`, or when the signal aborts. Never rejects. */
  changedAny(afterPos: number, signal: AbortSignal): Promise<void>;
}

interface Head {
  id: number;
  last: number;
  epoch: number;
  row: string | null;
  /** Where an earlier append with the same id began; null where there is none. */
  before: number | null;
}

interface AppendRow {
  pos: number;
  stream: number;
  name: string;
  seq: number;
  count: number;
}

export function createJournal(db: Database, watch: Watch, project: Project): SqliteJournal {
  const rows = createRows(db);
  const selectHead = db.prepare(`
    SELECT s.id, s.last_seq AS last, s.epoch, s.row, a.seq AS before
    FROM streams s LEFT JOIN appends a ON a.stream = s.id AND a.id = ? WHERE s.name = ?`);
  const insertStream = db.prepare(
    "INSERT INTO streams (name, kind, last_seq, epoch) VALUES (?, 'stream', 0, 0)",
  );
  const updateStream = db.prepare('UPDATE streams SET last_seq = ?, kind = ?, row = ? WHERE id = ?');
  const insertEvent = db.prepare('INSERT INTO events (key, packed, body) VALUES (?, ?, ?)');
  const insertAppend = db.prepare(`
    INSERT INTO appends (pos, stream, id, seq, count)
    VALUES ((SELECT coalesce(max(pos), 0) FROM appends) + ?1, ?2, ?3, ?4, ?1)`);
  const insertBlob = db.prepare('INSERT OR IGNORE INTO blobs (hash, text) VALUES (?, ?)');
  const insertBlobRef = db.prepare('INSERT OR IGNORE INTO blob_refs (stream, hash) VALUES (?, ?)');
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

  /** One transaction's work. Everything that can be made beforehand has been. */
  function write(stream: string, append: Append<RunEvent>, packed: ReturnType<typeof pack>[]): Appended {
    const head = selectHead.get(append.id, stream) as unknown as Head | undefined;
    if (head && head.before !== null) return { ok: true, seq: head.before, repeated: true };
    if (append.epoch !== undefined && append.epoch !== head?.epoch) return { ok: false, why: 'stale' };
    const last = head?.last ?? 0;
    if (append.expectedSeq !== undefined && append.expectedSeq !== last)
      return { ok: false, why: 'conflict' };
    if (append.expectedSeq === undefined && last === 0) throw unknownStream(stream);

    const id = head?.id ?? Number(insertStream.run(stream).lastInsertRowid);
    const before = head?.row ? (JSON.parse(head.row) as RunRow) : null;
    let row = before;
    for (let i = 0; i < packed.length; i++) {
      const { body, packed: isPacked, blobs } = packed[i]!;
      const seq = last + 1 + i;
      for (const { hash, text } of blobs) {
        insertBlob.run(hash, text);
        insertBlobRef.run(id, hash);
      }
      insertEvent.run(keyOf(id, seq), isPacked ? 1 : 0, body);
      row = project(row, { stream, seq, event: append.events[i]! });
    }
    insertAppend.run(packed.length, id, append.id, last + 1);
    updateStream.run(last + packed.length, row ? 'run' : 'stream', row && JSON.stringify(row), id);
    if (row) rows.save(id, before, row);
    return { ok: true, seq: last + 1, repeated: false };
  }

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
    async append(stream, append) {
      const packed = append.events.map(pack);
      const appended = await db.write(() => write(stream, append, packed));
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
    changedAny: (afterPos, signal) =>
      watch.until(null, () => Number(selectPos.get()?.['pos'] ?? 0) > afterPos, signal),
  };
}

const unknownStream = (stream: string) =>
  new StoreError(
    'stream-unknown',
    `There is no run ${stream}. List the runs there are with: planwright runs`,
  );
