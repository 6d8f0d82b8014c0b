import type { Database } from './database.ts';

/**
 * Wakes those who wait for an event. Appends of this process say so themselves; appends of other processes
 * are noticed by one poller, which asks SQLite for its data version (two microseconds) every 10 ms while
 * something happens and every 50 ms when nothing does. It is off while nobody waits, and its timer never
 * keeps the process alive.
 */
export interface Watch {
  /**
   * Resolves once `isDue()` may be true, when the signal aborts, or when the store closes. Never rejects.
   * `stream` says whose commits matter; null: everybody's. Where it is known what the stream's last event is, `isDue` is
   * told and need not ask the database.
   */
  until(stream: string | null, isDue: IsDue, signal: AbortSignal): Promise<void>;
  /** This process has committed to this stream, `last` being its last event where that is known. */
  committed(stream: string, last?: number): void;
  /** Called after commits of other processes, as long as anything keeps the poller on. */
  onForeign(listener: () => void): void;
  /** Keeps the poller on although nobody waits; the function returned lets it go. */
  keepOn(): () => void;
  close(): void;
}

const quickMs = 10;
const slowMs = 50;

type IsDue = (last?: number) => boolean;

interface Waiter {
  stream: string | null;
  isDue: IsDue;
  wake(): void;
}

export function createWatch(db: Database): Watch {
  const waiters = new Set<Waiter>();
  const listeners: (() => void)[] = [];
  let kept = 0;
  let timer: NodeJS.Timeout | undefined;
  let delay = quickMs;
  let seen = 0;
  let isClosed = false;

  const wakeDue = (stream?: string, last?: number) => {
    for (const waiter of waiters) {
      const concerns = stream === undefined || waiter.stream === null || waiter.stream === stream;
      if (concerns && isDueOrBroken(waiter, waiter.stream === null ? undefined : last)) waiter.wake();
    }
  };

  const poll = () => {
    timer = undefined;
    const version = versionOrBroken(db);
    if (version !== seen) {
      seen = version;
      delay = quickMs;
      for (const listener of listeners) listener();
      wakeDue();
    } else delay = Math.min(slowMs, delay + 1);
    start();
  };
  const start = () => {
    if (timer !== undefined || isClosed || (waiters.size === 0 && kept === 0)) return;
    timer = setTimeout(poll, delay).unref();
  };
  const begin = () => {
    if (timer === undefined) {
      seen = versionOrBroken(db);
      delay = quickMs;
    }
    start();
  };

  return {
    async until(stream, isDue, signal) {
      if (isClosed || signal.aborted) return;
      // The poller first, the look second: what is committed in between is noticed by one or the other.
      begin();
      if (isDueOrBroken({ isDue })) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiter: Waiter = { stream, isDue, wake: resolve };
      waiters.add(waiter);
      start();
      signal.addEventListener('abort', waiter.wake, { once: true });
      await promise;
      waiters.delete(waiter);
      signal.removeEventListener('abort', waiter.wake);
    },
    committed: wakeDue,
    onForeign(listener) {
      listeners.push(listener);
    },
    keepOn() {
      kept++;
      begin();
      return () => {
        kept--;
      };
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const waiter of waiters) waiter.wake();
    },
  };
}

/** A store that cannot be asked wakes its waiters: they read, and get the error where it can be handled. */
function isDueOrBroken(waiter: Pick<Waiter, 'isDue'>, last?: number): boolean {
  try {
    return waiter.isDue(last);
  } catch {
    return true;
  }
}

function versionOrBroken(db: Database): number {
  try {
    return db.version();
  } catch {
    return Number.NaN;
  }
}
