import type { PostgresDatabase } from './connection.ts';

/**
 * Wakes those who wait for an event. Appends of this process say so themselves; those of others are heard on a channel.
 * What is said there may be lost with the connection: whoever waits then looks, and so do all of them every few seconds.
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
  /** This process has committed to this stream, which goes so far now. */
  committed(stream: string, last: number): void;
  /** Listens although nobody waits; the function returned lets it go. */
  keepOn(): () => void;
  close(): void;
}

const LOOK_MS = 2000;

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

  const wake = (stream: string, last: number): void => {
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

  const broke = (): void => {
    listening = null;
    hangUp = null;
  };
  const listen = (): Promise<void> => {
    listening ??= db.listen(channel, hear, broke).then(
      (stop) => {
        hangUp = stop;
        if (isClosed) stop();
      },
      () => broke(),
    );
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
      void listen().then(() => look(waiter));
      await promise;
      waiters.delete(waiter);
      signal.removeEventListener('abort', waiter.wake);
    },
    committed: wake,
    keepOn() {
      kept++;
      void listen();
      start();
      return () => {
        kept--;
      };
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      hangUp?.();
      for (const waiter of waiters) waiter.wake();
    },
  };
}
