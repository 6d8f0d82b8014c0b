import type { RunEvent, RunRow, StoredEvent } from '../../core/contract/index.ts';
import type { Append, Appended } from '../../core/stream/index.ts';
import { type Packed, pack } from './blobs.ts';
import type { Database } from './database.ts';
import { isUniqueViolation, StoreError } from './errors.ts';
import { keyOf } from './migrations.ts';
import { createRows, parseRow } from './rows.ts';
import { createScoreKeeper } from './scores.ts';
import { createTextKeeper } from './search.ts';

export type Project = (row: RunRow | null, event: StoredEvent<RunEvent>) => RunRow | null;

/** Where a stream stands. */
interface Head {
  id: number;
  last: number;
  epoch: number;
  row: RunRow | null;
}

const rememberedHeads = 256;

/**
 * Writes appends. Of streams that it wrote last it remembers where they stood, which saves two look-ups and a
 * parse each time. What it remembers is only a guess: the update of the stream holds for exactly this head or
 * changes nothing, and a repeated id violates a constraint. In both cases the careful way decides.
 */
export function createAppender(db: Database, project: Project) {
  const rows = createRows(db);
  const keepText = createTextKeeper(db);
  const keepScores = createScoreKeeper(db);
  const sql = statements(db);
  const remembered = new Map<string, Head>();

  const remember = (stream: string, head: Head): void => {
    remembered.delete(stream);
    remembered.set(stream, head);
    if (remembered.size > rememberedHeads) remembered.delete(remembered.keys().next().value!);
  };

  /** Null where the stream no longer stands where `head` says; nothing has been written then. */
  function writeAt(stream: string, head: Head, append: Append<RunEvent>, packed: Packed[]): Head | null {
    let row = head.row;
    for (let i = 0; i < packed.length; i++) {
      row = project(row, { stream, seq: head.last + 1 + i, event: append.events[i]! });
    }
    const last = head.last + packed.length;
    const kind = row ? 'run' : 'stream';
    const { changes } = sql.advance.run(
      last,
      kind,
      row && JSON.stringify(row),
      head.id,
      stream,
      head.last,
      head.epoch,
    );
    if (changes === 0) return null;
    sql.insertAppend.run(packed.length, head.id, append.id, head.last + 1);
    for (let i = 0; i < packed.length; i++) {
      const { body, packed: isPacked, blobs } = packed[i]!;
      sql.insertEvent.run(keyOf(head.id, head.last + 1 + i), isPacked ? 1 : 0, body);
      for (const { hash, text } of blobs) {
        sql.insertBlob.run(hash, text);
        sql.insertBlobRef.run(head.id, hash);
      }
    }
    if (row) {
      rows.save(head.id, head.row, row);
      keepText(head.id, head.row === null, append.events);
      keepScores(head.id, append.events);
    }
    return { id: head.id, last, epoch: head.epoch, row };
  }

  /** Looks first, then writes. */
  function writeCarefully(stream: string, append: Append<RunEvent>, packed: Packed[]): Appended | Head {
    const found = sql.head.get(append.id, stream) as unknown as FoundHead | undefined;
    if (found && found.before !== null) return { ok: true, seq: found.before, repeated: true };
    const refused = refusal(found ?? { last: 0 }, append);
    if (refused) return refused;
    const last = found?.last ?? 0;
    if (append.expectedSeq === undefined && last === 0) throw unknownStream(stream);
    if (packed.length === 0) return { ok: true, seq: last + 1, repeated: false };
    const id = found?.id ?? Number(sql.insertStream.run(stream).lastInsertRowid);
    const row = found?.row ? parseRow(found.row) : null;
    return writeAt(stream, { id, last, epoch: found?.epoch ?? 0, row }, append, packed)!;
  }

  function writeFrom(guess: Head | undefined, stream: string, append: Append<RunEvent>, packed: Packed[]) {
    const isFit = guess !== undefined && packed.length > 0 && refusal(guess, append) === null;
    return (isFit && writeAt(stream, guess, append, packed)) || writeCarefully(stream, append, packed);
  }

  return async (stream: string, append: Append<RunEvent>): Promise<Appended> => {
    const packed = append.events.map(pack);
    const guess = remembered.get(stream);
    let written: Appended | Head;
    try {
      written = await db.write(() => writeFrom(guess, stream, append, packed));
    } catch (error) {
      remembered.delete(stream);
      if (!isUniqueViolation(error)) throw error;
      written = await db.write(() => writeCarefully(stream, append, packed));
    }
    if ('ok' in written) return written;
    remember(stream, written);
    return { ok: true, seq: written.last - packed.length + 1, repeated: false };
  };
}

function refusal(head: { last: number; epoch?: number }, append: Append<RunEvent>): Appended | null {
  if (append.epoch !== undefined && append.epoch !== head.epoch) return { ok: false, why: 'stale' };
  if (append.expectedSeq !== undefined && append.expectedSeq !== head.last)
    return { ok: false, why: 'conflict' };
  return null;
}

const unknownStream = (stream: string) =>
  new StoreError(
    'stream-unknown',
    `There is no run ${stream}. List the runs there are with: planwright runs`,
  );

interface FoundHead {
  id: number;
  last: number;
  epoch: number;
  row: string | null;
  /** Where an earlier append with the same id began; null where there is none. */
  before: number | null;
}

const statements = (db: Database) => ({
  head: db.prepare(`
    SELECT s.id, s.last_seq AS last, s.epoch, s.row, a.seq AS before
    FROM streams s LEFT JOIN appends a ON a.stream = s.id AND a.id = ? WHERE s.name = ?`),
  insertStream: db.prepare("INSERT INTO streams (name, kind, last_seq, epoch) VALUES (?, 'stream', 0, 0)"),
  advance: db.prepare(`
    UPDATE streams SET last_seq = ?, kind = ?, row = ?
    WHERE id = ? AND name = ? AND last_seq = ? AND epoch = ?`),
  insertAppend: db.prepare(`
    INSERT INTO appends (pos, stream, id, seq, count)
    VALUES ((SELECT coalesce(max(pos), 0) FROM appends) + ?1, ?2, ?3, ?4, ?1)`),
  insertEvent: db.prepare('INSERT INTO events (key, packed, body) VALUES (?, ?, ?)'),
  insertBlob: db.prepare('INSERT OR IGNORE INTO blobs (hash, text) VALUES (?, ?)'),
  insertBlobRef: db.prepare('INSERT OR IGNORE INTO blob_refs (stream, hash) VALUES (?, ?)'),
});
