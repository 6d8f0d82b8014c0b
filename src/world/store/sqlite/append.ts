import type { StreamRow } from '../../../core/contract/index.ts';
import type { AnyEvent, AnyKind, Append, Appended, Begin, Kinds } from '../../../core/stream/index.ts';
import { type Packed, pack } from '../blobs.ts';
import { unknownKind, unknownStream } from '../errors.ts';
import { advance, createHeadGuesses, type Head, refusal, seqOf, withId } from '../heads.ts';
import { awaitsFrom, endsWith } from '../listing-rules.ts';
import type { Database } from './database.ts';
import { createListed } from './listed.ts';
import { keyOf } from './schema.ts';
import { createScoreKeeper } from './scores.ts';
import { createTextKeeper } from './search.ts';

interface StoredHead extends Head {
  id: number;
}

/** A stream that is to be begun has a kind; others have theirs in their head. Only what the store itself writes has no id. */
type Write = Omit<Append<AnyEvent>, 'id'> & { id: string | null; kind?: string };

/** `head` is that of the append's own stream; `streams` are all that were written to; `pos` is its own last one. */
interface Written {
  seq: number;
  pos: number;
  head: StoredHead;
  streams: string[];
}

/** So many characters of append ids are kept with their stream: some thirty of them. */
const idsKept = 1000;

/**
 * Writes appends. What is remembered of a stream's head is only a guess: the update of the stream holds for exactly this
 * head and an id that is not known, or changes nothing. Then the careful way decides. `committed` is told of every stream
 * that an append has written to.
 */
export function createAppender(
  db: Database,
  kinds: Kinds,
  committed: (stream: string, last?: number) => void,
) {
  const listing = createListed(db);
  const keepText = createTextKeeper(db);
  const keepScores = createScoreKeeper(db);
  const sql = statements(db);
  const insertEvents = createEventWriter(db);
  const guesses = createHeadGuesses<StoredHead>();
  /** The last append of this process: a guess as well, whose position is compared with those of others. */
  let lastWritten: Newest | null = null;
  const kindOf = (name: string): AnyKind => {
    const kind = kinds.get(name);
    if (kind === undefined) throw unknownKind(name);
    return kind;
  };

  const findHead = (stream: string, append: string | null) =>
    sql.head.get(append, stream) as unknown as FoundHead | undefined;
  const rowOf = (stream: string): StreamRow | null => parseRow(findHead(stream, null)?.row ?? null);

  /** Null where something is not as `head` or `known` says; nothing has been written then. */
  function writeAt(
    stream: string,
    head: StoredHead,
    append: Write,
    packed: Packed[],
    known: Newest | null = null,
  ): Written | null {
    const { id, last, epoch, row: before } = head;
    const kind = kindOf(head.kind);
    const after = advance(kind, stream, head, append.events);
    if (append.id !== null) after.ids = withId(head.ids, append.id, last + 1);
    const ids = after.ids;
    if (ids.length > idsKept) after.ids = '';
    const row = after.row && JSON.stringify(after.row);
    const newest = known?.stream === id ? known : (sql.newest.get() as unknown as Newest);
    const pos = newest.pos + 1;
    if (sql.advance.run(after.last, row, after.ids, pos, id, last, epoch, append.id).changes === 0)
      return null;
    if (ids !== after.ids) sql.keepIds.run(id, `{${ids}}`);
    if (newest.stream !== id) sql.insertChange.run(pos, id);
    insertEvents(keyOf(id, last + 1), packed);
    for (const { hash, text } of packed.flatMap(({ blobs }) => blobs)) {
      sql.insertBlob.run(hash, text);
      sql.insertBlobRef.run(id, hash);
    }
    const written = { seq: last + 1, pos, head: after, streams: [stream] };
    if (!after.row) return written;
    listing.save(id, stream, before, after.row);
    keepText(id, kind, before === null, append.events);
    keepScores(id, kind, append.events);
    return tellWaiting(written, before, after.row);
  }

  /** Whoever waits for a stream is told of its end in the transaction that ended it, or in the one that began to wait. */
  function tellWaiting(written: Written, before: StreamRow | null, after: StreamRow): Written {
    const { id: stream, updatedAt: at } = after;
    if (endsWith(before, after)) {
      for (const waiting of listing.waitingFor(stream))
        written.streams.push(...tellOfEnd(waiting, after, at).streams);
    }
    const awaited = awaitsFrom(before, after);
    const child = awaited === null ? null : rowOf(awaited);
    if (child === null || child.endedAt === null) return written;
    const { head, pos } = tellOfEnd(stream, child, at);
    return { ...written, head, pos };
  }

  function tellOfEnd(waiting: string, child: StreamRow, at: number): Written {
    const head = findHead(waiting, null)!;
    const { childEnded, name } = kindOf(head.kind);
    if (childEnded === undefined) throw new Error(`a ${name} waits, and has no childEnded`);
    const events = [childEnded(child, at)];
    return writeAt(waiting, { ...head, row: parseRow(head.row) }, { id: null, events }, events.map(pack))!;
  }

  /** Looks first, then writes. */
  function writeCarefully(stream: string, append: Write, packed: Packed[]): Appended | Written {
    const found = findHead(stream, append.id);
    const before = found && (found.before ?? (append.id && seqOf(found.ids, append.id)));
    if (before) return { ok: true, seq: before, repeated: true };
    if (append.kind === undefined && found === undefined) throw unknownStream(stream);
    const head = found ?? { id: 0, kind: append.kind!, last: 0, epoch: 0, row: null, ids: '' };
    const refused = refusal(head, append);
    if (refused) return refused;
    if (packed.length === 0) return { ok: true, seq: head.last + 1, repeated: false };
    const { id, epoch } = found ?? (sql.insertStream.get(stream, head.kind) as unknown as StoredHead);
    return writeAt(stream, { ...head, id, epoch, row: parseRow(head.row) }, append, packed)!;
  }

  async function write(stream: string, append: Append<AnyEvent> & { kind?: string }): Promise<Appended> {
    const packed = append.events.map(pack);
    const guess = guesses.forAppend(stream, append);
    let written: Appended | Written;
    try {
      written = await db.write(
        () =>
          (guess && writeAt(stream, guess, append, packed, lastWritten)) ??
          writeCarefully(stream, append, packed),
        { ofThisBoot: append.ofThisBoot === true },
      );
    } catch (error) {
      guesses.forget(stream);
      lastWritten = null;
      throw error;
    }
    if ('ok' in written) return written;
    const { head, pos, streams } = written;
    guesses.keep(stream, head);
    lastWritten = streams.length === 1 ? { stream: head.id, pos } : null;
    for (const name of streams) committed(name, name === stream ? head.last : undefined);
    return { ok: true, seq: written.seq, repeated: false };
  }

  return {
    append: write,
    begin: async (stream: string, { kind, ...given }: Begin<AnyEvent>) =>
      write(stream, { ...given, kind: kindOf(kind).name, expectedSeq: 0 }),
  };
}

const parseRow = (row: string | null): Head['row'] => (row === null ? null : JSON.parse(row));

interface FoundHead {
  id: number;
  kind: string;
  last: number;
  epoch: number;
  row: string | null;
  ids: string;
  /** Where an earlier append with the same id began; null where there is none, or where it is one of the newest. */
  before: number | null;
}

/** The position of the newest append of all, and the stream of the newest that is left; 0 where none is. */
export interface Newest {
  pos: number;
  stream: number;
}

export const selectNewest = `
  SELECT max(u.pos, coalesce(s.pos, 0)) AS pos, coalesce(s.id, 0) AS stream FROM used u
  LEFT JOIN changes c ON c.pos = (SELECT max(pos) FROM changes) LEFT JOIN streams s ON s.id = c.stream`;

/** At most so many events are inserted by one statement. */
const eventsAtOnce = 4;

function createEventWriter(db: Database) {
  const inserts = Array.from({ length: eventsAtOnce }, (_, more) =>
    db.prepare(`INSERT INTO events (key, packed, body) VALUES (?, ?, ?)${', (?, ?, ?)'.repeat(more)}`),
  );
  return (firstKey: number, packed: readonly Packed[]): void => {
    for (let from = 0; from < packed.length; from += eventsAtOnce) {
      const values: (number | string)[] = [];
      const to = Math.min(packed.length, from + eventsAtOnce);
      for (let at = from; at < to; at++)
        values.push(firstKey + at, packed[at]!.packed ? 1 : 0, packed[at]!.body);
      inserts[to - from - 1]!.run(...values);
    }
  };
}

const statements = (db: Database) => ({
  head: db.prepare(`
    SELECT s.id, s.kind, s.last_seq AS last, s.epoch, s.row, s.ids, a.seq AS before
    FROM streams s LEFT JOIN appends a ON a.stream = s.id AND a.id = ? WHERE s.name = ?`),
  newest: db.prepare(selectNewest),
  insertStream: db.prepare(`
    INSERT INTO streams (name, kind, last_seq, epoch, pos, ids) SELECT ?, ?, 0, epoch, 0, '' FROM used
    RETURNING id, epoch`),
  advance: db.prepare(`
    UPDATE streams SET last_seq = ?1, row = ?2, ids = ?3, pos = ?4 WHERE id = ?5 AND last_seq = ?6 AND epoch = ?7
    AND ?4 > max(pos, (SELECT u.pos FROM used u), coalesce((SELECT max(c.pos) FROM changes c), 0)) AND NOT EXISTS (SELECT 1 FROM appends a WHERE a.stream = ?5 AND a.id = ?8)`),
  keepIds: db.prepare('INSERT INTO appends (stream, id, seq) SELECT ?, key, value FROM json_each(?)'),
  insertChange: db.prepare('INSERT INTO changes (pos, stream) VALUES (?, ?)'),
  insertBlob: db.prepare('INSERT OR IGNORE INTO blobs (hash, text) VALUES (?, ?)'),
  insertBlobRef: db.prepare('INSERT OR IGNORE INTO blob_refs (stream, hash) VALUES (?, ?)'),
});
