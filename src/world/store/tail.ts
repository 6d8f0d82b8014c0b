import type { StoredEvent } from '../../core/contract/index.ts';
import { StoreError } from './errors.ts';
import type { PositionedEvent, SqliteJournal } from './journal.ts';

const batch = 1000;

export interface Tails {
  /** The stream's events after `afterSeq`, then each new one as it is written, until the signal aborts. */
  tail(stream: string, afterSeq: number, signal: AbortSignal): AsyncIterable<StoredEvent>;
  /** The same over all streams, by position. */
  tailAll(afterPos: number, signal: AbortSignal): AsyncIterable<PositionedEvent>;
}

/**
 * A tail also ends when its store is closed. Waiting in one does not keep the process alive: whoever follows
 * it has a reason of its own to live.
 */
export const createTails = (journal: SqliteJournal): Tails => ({
  tail: (stream, afterSeq, signal) =>
    follow(
      afterSeq,
      (event) => event.seq,
      (after) => journal.read(stream, after, batch),
      (after) => journal.changed(stream, after, signal),
      signal,
    ),
  tailAll: (afterPos, signal) =>
    follow(
      afterPos,
      (event) => event.pos,
      (after) => journal.readAll(after, batch),
      (after) => journal.changedAny(after, signal),
      signal,
    ),
});

async function* follow<T>(
  after: number,
  placeOf: (item: T) => number,
  read: (after: number) => Promise<T[]>,
  changed: (after: number) => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  while (!signal.aborted) {
    const items = await read(after).catch(noneWhenClosed);
    if (items === null) return;
    for (const item of items) {
      if (signal.aborted) return;
      yield item;
      after = placeOf(item);
    }
    if (items.length === 0) await changed(after);
  }
}

function noneWhenClosed(error: unknown): null {
  if (error instanceof StoreError && error.code === 'store-closed') return null;
  throw error;
}
