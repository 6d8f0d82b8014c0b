import type { StreamRow } from '../../../core/contract/index.ts';
import type { AnyEvent, AnyKind, Append, Appended, Begin, Kinds } from '../../../core/stream/index.ts';
import { type Packed, pack } from '../blobs.ts';
import { unknownKind, unknownStream } from '../errors.ts';
import { advance, type HeadGuesses, refusal, seqOf, withId } from '../heads.ts';
import { awaitsFrom, endsWith, isListedAlike } from '../listing-rules.ts';
import { textAdded } from '../search-rules.ts';
import { type PostgresDatabase, type Queries, storable } from './connection.ts';
import { isAwaited, writeEnd } from './ending.ts';
import {
  advanceListed,
  advanceStream,
  beginStream,
  findHead,
  insertBlobs,
  keepIds,
  lockName,
  outgrow,
  type StoredHead,
} from './heads.ts';
import { list, listedAs, waitingFor } from './listed.ts';
import type { LittleLogs } from './little-logs.ts';
import { keepScores } from './scores.ts';
import { keepText } from './search.ts';
import { createTogether, type PlainAppend } from './together.ts';

/** A stream that is to be begun has a kind; others have theirs in their head. Only what the store itself writes has no id. */
type Write = Omit<Append<AnyEvent>, 'id'> & { id: string | null; kind?: string };

/** All that an append comes to, worked out before anything is written. */
interface Planned {
  stream: string;
  kind: AnyKind;
  head: StoredHead;
  after: StoredHead;
  /** The ids that move to a table of their own. */
  movedIds: string | null;
  append: Write;
  packed: Packed[];
}

interface Written {
  head: StoredHead;
  /** All that were written to, and how far they go now. */
  streams: Map<string, number>;
}

const writtenAt = (stream: string, head: StoredHead): Written => ({
  head,
  streams: new Map([[stream, head.last]]),
});

export interface AppenderOptions {
  db: PostgresDatabase;
  kinds: Kinds;
  channel: string;
  /** Told before anything is written to the stream, so that what others write from then on is heard. */
  expect(stream: string): void;
  /** Told of every stream that an append of this process has written to, when it is committed. */
  committed(stream: string, last: number): void;
  /** What goes with the next append to its stream. */
  little: LittleLogs;
  guesses: HeadGuesses<StoredHead>;
  /** Streams as they were while nobody had claimed them, for whoever claims one next. */
  free: HeadGuesses<StoredHead>;
  /** Called in the transaction of the append, with each row that somebody has something to do for from now on. */
  enqueue?: ((tx: Queries, rows: readonly StreamRow[]) => Promise<void>) | undefined;
}

/** So many characters of append ids are kept with their stream: some thirty of them. */
const idsKept = 1000;

/**
 * Writes appends. Where a stream stands is read, or guessed, without a lock; the update of the stream then holds for exactly
 * this head, or changes nothing and it is read anew. Who ends a stream and who begins to wait for it take turns by a lock on
 * its name, which both take before any other: neither can miss the other, nor wait for it in a circle.
 */
export function createAppender({
  db,
  kinds,
  channel,
  expect,
  committed,
  little,
  guesses,
  enqueue,
}: AppenderOptions) {
  const together = createTogether(db);
  const kindOf = (name: string): AnyKind => {
    const kind = kinds.get(name);
    if (kind === undefined) throw unknownKind(name);
    return kind;
  };

  function plan(stream: string, head: StoredHead, append: Write, packed: Packed[]): Planned {
    const kind = kindOf(head.kind);
    const after = advance(kind, stream, head, append.events);
    if (append.id !== null) after.ids = withId(head.ids, append.id, head.last + 1);
    const movedIds = after.ids.length > idsKept ? after.ids : null;
    if (movedIds !== null) after.ids = '';
    return { stream, kind, head, after, movedIds, append, packed };
  }

  /** The names that others must not end, or begin to wait for, meanwhile. */
  const locksOf = ({ stream, head, after }: Planned): string[] => {
    if (after.row === null) return [];
    const awaited = awaitsFrom(head.row, after.row);
    return [...(endsWith(head.row, after.row) ? [stream] : []), ...(awaited === null ? [] : [awaited])];
  };

  /** Whether one statement is enough. */
  const isPlain = ({ kind, head, after, movedIds, append, packed }: Planned): boolean =>
    head.id !== 0 &&
    movedIds === null &&
    head.row !== null &&
    after.row !== null &&
    // Whoever but a driver changes how it is listed may have made something to do.
    (append.epoch !== undefined || isListedAlike(head.row, after.row)) &&
    packed.every(({ blobs }) => blobs.length === 0) &&
    append.events.every((event) => kind.textOf(event) === '' && kind.noteOf(event) === null);

  /** Null where the stream is not as the head says; nothing has been written then. */
  async function advanceTo(asking: Queries, planned: Planned): Promise<StoredHead | null> {
    const { stream, head, after, append, packed } = planned;
    const values = [
      ...[after.last, after.row && JSON.stringify(after.row), after.ids],
      ...[packed.map((one) => one.packed), packed.map(({ body }) => body), head.last],
    ];
    const asked = (sql: string, ...more: unknown[]) =>
      asking.query<{ id: number; epoch: number }>(sql, [...values, ...more]);
    const at = [head.id, head.epoch, append.id];
    const [moved] = await (head.id === 0
      ? asked(beginStream, stream, head.kind)
      : head.row === null || after.row === null || isListedAlike(head.row, after.row)
        ? asked(advanceStream, ...at)
        : asked(advanceListed, ...at, ...listedAs(after.row)));
    return moved === undefined ? null : { ...after, id: moved.id, epoch: moved.epoch };
  }

  async function writeIn(tx: Queries, planned: Planned): Promise<Written | null> {
    const { stream, kind, head: before, movedIds, append, packed } = planned;
    const head = await advanceTo(tx, planned);
    if (head === null) return null;
    const { id, row } = head;
    if (movedIds !== null) await tx.query(keepIds, [id, `{${movedIds}}`]);
    const blobs = packed.flatMap((one) => one.blobs);
    if (blobs.length > 0)
      await tx.query(insertBlobs, [id, blobs.map(({ hash }) => hash), blobs.map(({ text }) => text)]);
    if (before.id === 0)
      head.epoch = (await tx.query<{ epoch: number }>(outgrow, [id]))[0]?.epoch ?? head.epoch;
    const written = writtenAt(stream, head);
    if (row === null) return written;
    if (before.row === null) await list(tx, id, stream, row);
    await keepText(tx, id, before.row === null, textAdded(kind, append.events));
    await keepScores(tx, id, kind, append.events);
    // A driver sees to its stream itself; whoever else writes may have made something to do.
    if (append.epoch === undefined) await enqueue?.(tx, [row]);
    return tellWaiting(tx, written, before.row, row);
  }

  /** Whoever waits for a stream is told of its end in the transaction that ended it, or in the one that began to wait. */
  async function tellWaiting(
    tx: Queries,
    written: Written,
    before: StreamRow | null,
    after: StreamRow,
  ): Promise<Written> {
    const { id: stream, updatedAt: at } = after;
    if (endsWith(before, after)) {
      for (const waiting of await waitingFor(tx, stream)) {
        const told = await tellOfEnd(tx, waiting, after, at);
        for (const [name, last] of told.streams) written.streams.set(name, last);
      }
    }
    const awaited = awaitsFrom(before, after);
    const child = awaited === null ? null : ((await findHead(tx, awaited, null))?.row ?? null);
    if (child === null || child.endedAt === null) return written;
    const { head, streams } = await tellOfEnd(tx, stream, child, at);
    return { head, streams: new Map([...written.streams, ...streams]) };
  }

  async function tellOfEnd(tx: Queries, waiting: string, child: StreamRow, at: number): Promise<Written> {
    const head = (await findHead(tx, waiting, null, 'FOR UPDATE OF s'))!;
    const { childEnded, name } = kindOf(head.kind);
    if (childEnded === undefined) throw new Error(`a ${name} waits, and has no childEnded`);
    const events = [childEnded(child, at)];
    return (await writeIn(tx, plan(waiting, head, { id: null, events }, events.map(pack))))!;
  }

  /** Looks where the stream stands, and whether the append is to be written there. */
  async function look(stream: string, append: Write, packed: Packed[]): Promise<Appended | StoredHead> {
    const found = await findHead(db, stream, append.id);
    const before = found && (found.before ?? (append.id && seqOf(found.ids, append.id)));
    if (before) {
      // The answer was lost, and who waits was told of nothing.
      committed(stream, found.last);
      return { ok: true, seq: before, repeated: true };
    }
    if (append.kind === undefined && found === undefined) throw unknownStream(stream);
    const head = found ?? { id: 0, kind: append.kind!, last: 0, epoch: 0, row: null, ids: '' };
    const refused = refusal(head, append);
    if (refused) return refused;
    if (packed.length === 0) return { ok: true, seq: head.last + 1, repeated: false };
    return head;
  }

  /** What a driver writes goes together with what other drivers write. */
  async function writePlain(planned: Planned): Promise<Written | null> {
    const isHeld = await together(await plainly(planned));
    return isHeld ? writtenAt(planned.stream, planned.after) : null;
  }

  async function plainly({ stream, head, after, append, packed }: Planned): Promise<PlainAppend> {
    const { id, last, epoch } = head;
    const row = JSON.stringify(after.row);
    const listed = isListedAlike(head.row!, after.row!) ? null : after.row;
    const logs = await little.take(stream);
    return { id, last, epoch, name: append.id, after: { ...after, row }, events: packed, listed, logs };
  }

  /** `sent` is told what a transaction comes to before it is committed: whether it was, nobody may be told. */
  async function writeAt(planned: Planned, sent: (written: Written) => void): Promise<Written | null> {
    const locks = locksOf(planned);
    const { stream, head: before, after, append } = planned;
    const isDrivers = append.epoch !== undefined;
    const isSimple = isPlain(planned);
    const isAlone = isSimple && locks.length === 0;
    if (isAlone && isDrivers) return writePlain(planned);
    if (isSimple && isDrivers && locks.length === 1 && endsWith(before.row, after.row!)) {
      const ended = await writeEnd(db, channel, { ...(await plainly(planned)), stream, listed: after.row! });
      if (ended !== isAwaited) return ended ? writtenAt(stream, after) : null;
    }
    await little.settle(stream);
    if (isAlone) {
      // Asked again after a lost answer it changes nothing, and is then found by its id.
      const head = await advanceTo(db, planned);
      return head && writtenAt(stream, head);
    }
    return db.transact(
      async (tx) => {
        for (const name of locks.toSorted()) await tx.query(lockName, [channel, name]);
        const written = await writeIn(tx, planned);
        if (written !== null) sent(written);
        return written;
      },
      { repeatable: true },
    );
  }

  async function write(stream: string, given: Append<AnyEvent> & { kind?: string }): Promise<Appended> {
    const append = { ...given, id: storable(given.id) };
    const packed = append.events.map(pack);
    expect(stream);
    /** Others that a transaction of unknown outcome has written to. */
    let others: [stream: string, last: number][] = [];
    for (let guess = guesses.forAppend(stream, append); ; guess = undefined) {
      const head = guess ?? (await look(stream, append, packed));
      if ('ok' in head) {
        if (head.ok && head.repeated) for (const other of others) committed(...other);
        return head;
      }
      let written: Written | null;
      try {
        written = await writeAt(plan(stream, head, append, packed), ({ streams }) => {
          others = [...streams].filter(([name]) => name !== stream);
        });
      } catch (error) {
        guesses.forget(stream);
        throw error;
      }
      if (written === null) continue;
      guesses.keep(stream, written.head);
      for (const [name, last] of written.streams) committed(name, last);
      return { ok: true, seq: head.last + 1, repeated: false };
    }
  }

  return {
    append: write,
    begin: async (stream: string, { kind, ...given }: Begin<AnyEvent>) =>
      write(stream, { ...given, kind: kindOf(kind).name, expectedSeq: 0 }),
  };
}
