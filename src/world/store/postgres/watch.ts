import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresDatabase } from './connection.ts';

/**
 * Wakes those who wait for an event. Appends of this process say so themselves; those of others are heard on a channel.
 * It is said there when it is committed, for all that came meanwhile at once: in the transaction itself it would have every
 * commit of the database wait for the one before. So it may be lost with the connection, or with who should have said it:
 * whoever waits then looks, and so do all of them every few seconds.
 *
 *   deaf ──somebody waits──▶ connecting ──▶ listening ──the connection breaks──▶ deaf, and all look
 *
 * Nothing of it keeps the process alive.
 */
export interface PostgresWatch {
  /**
   * Resolves once `isDue()` is true, when the signal aborts, or when the store closes. Never rejects. `stream` says whose
   * commits matter; null: everybody's. Where it is said how far the stream goes, that is compared with `after`.
   */
  until(
    stream: string | null,
    after: number,
    isDue: () => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<void>;
  /** This process is about to write to the stream: what others write to it from now on is remembered. */
  expect(stream: string): void;
  /** This process has committed to this stream, which goes so far now: those who wait for it are told, here and elsewhere. */
  committed(stream: string, last: number): void;
  /** Listens although nobody waits; the function returned lets it go. */
  keepOn(): () => void;
  /** Resolves when what was committed has been said. */
  close(): Promise<void>;
}

const LOOK_MS = 2000;
/** After something was said, what comes within this time is said at its end: nobody who looks on sees the difference. */
const SAY_MS = 25;
/** So many streams are followed without anybody waiting for them. */
const MOST_FOLLOWED = 1000;

/** A stream that this process writes to, since it began to while it was listening. */
interface Followed {
  /** How far it went when this process wrote to it last. */
  written: number;
  /** How far it goes by what was heard. */
  heard: number;
}

interface Waiter {
  stream: string | null;
  after: number;
  isDue(): Promise<boolean>;
  wake(): void;
}

/** `told` hears what is said to this process, of its own name. */
export function createWatch(
  db: PostgresDatabase,
  channel: string,
  self: string,
  told: () => void,
): PostgresWatch {
  const waiters = new Set<Waiter>();
  let kept = 0;
  let listening: Promise<void> | null = null;
  let hangUp: (() => void) | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isListening = false;
  const followed = new Map<string, Followed>();
  const unsaid = new Map<string, number>();
  let saying: Promise<void> | null = null;
  const closing = new AbortController();

  const say = async (): Promise<void> => {
    while (unsaid.size > 0) {
      const said = [...unsaid].map(([stream, last]) => (stream.length > 1000 ? '' : `${last} ${stream}`));
      unsaid.clear();
      // Where it cannot be said, those who wait look.
      await db.query(sayAll, [channel, said]).catch(() => {});
      await sleep(SAY_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
    saying = null;
  };
  /** Nothing but our own was written since, as far as is known to whoever hears all that is said. */
  const isFollowedTo = (stream: string | null, after: number): boolean => {
    const known = stream === null ? undefined : followed.get(stream);
    return isListening && known?.written === after && known.heard <= after;
  };
  const wake = (stream: string, last: number): void => {
    const known = followed.get(stream);
    if (known !== undefined && last > known.heard) known.heard = last;
    for (const waiter of waiters) {
      if (waiter.stream === null || (waiter.stream === stream && last > waiter.after)) waiter.wake();
    }
  };
  const hear = (said: string): void => {
    const [, last, name = ''] = /^(-?\d+) (.*)$/s.exec(said) ?? [];
    if (last === undefined) void lookAll();
    else if (last !== '-1') wake(name, Number(last));
    else if (name === self) told();
  };
  /** A store that cannot be asked keeps its waiters: it is asked again. */
  const look = async (waiter: Waiter): Promise<void> => {
    if (await waiter.isDue().catch(() => !db.isOpen())) waiter.wake();
  };
  const lookAll = async (): Promise<void> => {
    for (const waiter of [...waiters]) await look(waiter);
  };

  const listen = (): Promise<void> => {
    if (listening !== null) return listening;
    const broke = (): void => {
      isListening = false;
      followed.clear();
      listening = null;
      hangUp = null;
    };
    const current = db.listen(channel, hear, broke).then((stop) => {
      if (listening !== current) return;
      isListening = true;
      hangUp = stop;
      if (isClosed) stop();
    }, broke);
    listening = current;
    return listening;
  };
  const tick = (): void => {
    timer = undefined;
    if (isClosed || waiters.size + kept === 0) return;
    // Listened to again before it is looked: what comes in between is noticed by one or the other.
    listen()
      .then(lookAll)
      .then(() => {
        if (kept > 0) told();
      })
      .finally(start);
  };
  const start = (): void => {
    if (timer === undefined && !isClosed && waiters.size + kept > 0)
      timer = setTimeout(tick, LOOK_MS).unref();
  };

  return {
    async until(stream, after, isDue, signal) {
      if (isClosed || signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiter: Waiter = { stream, after, isDue, wake: resolve };
      waiters.add(waiter);
      signal.addEventListener('abort', waiter.wake, { once: true });
      start();
      if (!isFollowedTo(stream, after)) void listen().then(() => look(waiter));
      await promise;
      waiters.delete(waiter);
      signal.removeEventListener('abort', waiter.wake);
    },
    expect(stream) {
      if (!isListening || followed.has(stream)) return;
      const [oldest] = followed.keys();
      if (followed.size >= MOST_FOLLOWED) followed.delete(oldest!);
      followed.set(stream, { written: 0, heard: 0 });
    },
    committed(stream, last) {
      const known = followed.get(stream);
      if (known !== undefined && last > known.written) known.written = last;
      unsaid.set(stream, last);
      if (!isClosed) saying ??= say();
      wake(stream, last);
    },
    keepOn() {
      kept++;
      void listen();
      start();
      return () => {
        kept--;
      };
    },
    async close() {
      isClosed = true;
      closing.abort();
      clearTimeout(timer);
      hangUp?.();
      for (const waiter of waiters) waiter.wake();
      await saying;
    },
  };
}

/** Not worth waiting for the disk: what it is about is there. */
const sayAll = `
  SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, said) FROM unnest($2::text[]) AS given (said)`;
