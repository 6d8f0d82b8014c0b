import type { StoredEvent } from '../../core/contract/index.ts';
import type { AnyEvent, Streams } from '../../core/stream/index.ts';
import { StoreError } from './errors.ts';

const batch = 1000;

/**
 * The stream's events after `afterSeq`, then each new one as it is written, until the signal aborts or the store is
 * closed, or until the name means another stream. Waiting in one does not keep the process alive: whoever follows it has a reason
 * of its own to live.
 */
export async function* tail<E extends AnyEvent>(
  { readOf, changed }: Pick<Streams<E>, 'readOf' | 'changed'>,
  stream: string,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent<E>> {
  let after = afterSeq;
  let followed = 0;
  while (!signal.aborted) {
    const read = await readOf(stream, after, batch).catch(noneWhenClosed);
    if (read === null || (followed !== 0 && read.incarnation !== followed)) return;
    followed = read.incarnation;
    const { events } = read;
    for (const stored of events) {
      if (signal.aborted) return;
      yield stored;
      after = stored.seq;
    }
    if (events.length < batch) await changed(stream, after, signal);
  }
}

function noneWhenClosed(error: unknown): null {
  if (error instanceof StoreError && error.code === 'store-closed') return null;
  throw error;
}
