import type { AnyEvent, AnyKind, Append, Appended, Begin, Kinds } from '../../../core/stream/index.ts';
import { isUniqueViolation, StoreError } from '../errors.ts';
import { advance, createHeadGuesses, type Head, refusal } from '../heads.ts';
import { endsWith } from '../listing-rules.ts';
import { type Packed, pack } from './blobs.ts';
import type { Database } from './database.ts';
import { createListed } from './listed.ts';
import { keyOf } from './schema.ts';
import { createScoreKeeper } from './scores.ts';
import { createTextKeeper } from './search.ts';

interface StoredHead extends Head {
  id: number;
}

/** A stream that is to be begun has a kind; others have theirs in their head. */
type Write = Append<AnyEvent> & { kind?: string };

/**
 * Writes appends. What is remembered of a stream's head is only a guess: the update of the stream holds for exactly this
 * head or changes nothing, and a repeated id violates a constraint. In both cases the careful way decides.
 */
export function createAppender(db: Database, kinds: Kinds) {
  const listing = createListed(db);
  const keepText = createTextKeeper(db);
  const keepScores = createScoreKeeper(db);
  const sql = statements(db);
  const guesses = createHeadGuesses<StoredHead>();

  const kindOf = (name: string): AnyKind => {
    const kind = kinds.get(name);
    if (kind === undefined) throw unknownKind(name);
    return kind;
  };

  /** Null where the stream no longer stands where `head` says; nothing has been written then. */
  function writeAt(stream: string, head: StoredHead, append: Write, packed: Packed[]): StoredHead | null {
    const { id, last, epoch, row: before } = head;
    const kind = kindOf(head.kind);
    const after = advance(kind, stream, head, append.events);
    const row = after.row && JSON.stringify(after.row);
    if (sql.advance.run(after.last, row, id, stream, last, epoch).changes === 0) return null;
    sql.insertAppend.run(id, append.id, last + 1);
    for (let i = 0; i < packed.length; i++) {
      const { body, packed: isPacked, blobs } = packed[i]!;
      sql.insertEvent.run(keyOf(id, last + 1 + i), isPacked ? 1 : 0, body);
      for (const { hash, text } of blobs) {
        sql.insertBlob.run(hash, text);
        sql.insertBlobRef.run(id, hash);
      }
    }
    if (after.row) {
      listing.save(id, stream, before, after.row);
      keepText(id, kind, before === null, append.events);
      keepScores(id, kind, append.events);
      if (endsWith(before, after.row)) {
        for (const waiting of listing.wake(stream, after.row.updatedAt))
          sql.insertAppend.run(waiting, null, 0);
      }
    }
    return after;
  }

  /** Looks first, then writes. */
  function writeCarefully(stream: string, append: Write, packed: Packed[]): Appended | StoredHead {
    const found = sql.head.get(append.id, stream) as unknown as FoundHead | undefined;
    if (found && found.before !== null) return { ok: true, seq: found.before, repeated: true };
    if (append.kind === undefined && found === undefined) throw unknownStream(stream);
    const head = found ?? { id: 0, kind: append.kind!, last: 0, epoch: 0, row: null };
    const refused = refusal(head, append);
    if (refused) return refused;
    if (packed.length === 0) return { ok: true, seq: head.last + 1, repeated: false };
    const id = found?.id ?? Number(sql.insertStream.run(stream, head.kind).lastInsertRowid);
    return writeAt(stream, { ...head, id, row: parseRow(head.row) }, append, packed)!;
  }

  async function write(stream: string, append: Write): Promise<Appended> {
    const packed = append.events.map(pack);
    const guess = guesses.forAppend(stream, append);
    let written: Appended | StoredHead;
    try {
      written = await db.write(
        () => (guess && writeAt(stream, guess, append, packed)) ?? writeCarefully(stream, append, packed),
      );
    } catch (error) {
      guesses.forget(stream);
      if (!isUniqueViolation(error)) throw error;
      written = await db.write(() => writeCarefully(stream, append, packed));
    }
    if ('ok' in written) return written;
    guesses.keep(stream, written);
    return { ok: true, seq: written.last - packed.length + 1, repeated: false };
  }

  return {
    append: write,
    begin: (stream: string, { kind, ...given }: Begin<AnyEvent>) => {
      const { name } = kindOf(kind);
      return write(stream, { ...given, kind: name, expectedSeq: 0 });
    },
  };
}

const parseRow = (row: string | null): Head['row'] => (row === null ? null : JSON.parse(row));

export const unknownStream = (stream: string) =>
  new StoreError(
    'stream-unknown',
    `There is no run ${stream}. List the runs there are with: planwright runs`,
  );

const unknownKind = (kind: string) =>
  new StoreError(
    'kind-unknown',
    `This version of planwright does not know streams of the kind ${JSON.stringify(kind)}. Upgrade planwright.`,
  );

interface FoundHead {
  id: number;
  kind: string;
  last: number;
  epoch: number;
  row: string | null;
  /** Where an earlier append with the same id began; null where there is none. */
  before: number | null;
}

const statements = (db: Database) => ({
  head: db.prepare(`
    SELECT s.id, s.kind, s.last_seq AS last, s.epoch, s.row, a.seq AS before
    FROM streams s LEFT JOIN appends a ON a.stream = s.id AND a.id = ? WHERE s.name = ?`),
  insertStream: db.prepare('INSERT INTO streams (name, kind, last_seq, epoch) VALUES (?, ?, 0, 0)'),
  advance: db.prepare(`
    UPDATE streams SET last_seq = ?, row = ? WHERE id = ? AND name = ? AND last_seq = ? AND epoch = ?`),
  insertAppend: db.prepare(`
    INSERT INTO appends (pos, stream, id, seq)
    VALUES ((SELECT coalesce(max(pos), 0) FROM appends) + 1, ?, ?, ?)`),
  insertEvent: db.prepare('INSERT INTO events (key, packed, body) VALUES (?, ?, ?)'),
  insertBlob: db.prepare('INSERT OR IGNORE INTO blobs (hash, text) VALUES (?, ?)'),
  insertBlobRef: db.prepare('INSERT OR IGNORE INTO blob_refs (stream, hash) VALUES (?, ?)'),
});
