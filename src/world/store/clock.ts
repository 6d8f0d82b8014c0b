import type { Clock } from '../../core/stream/index.ts';

const longestTimer = 2 ** 31 - 1;

const clock = (keepsAlive: boolean): Clock => ({
  now: Date.now,
  async sleepUntil(until, signal) {
    while (!signal.aborted) {
      const left = until - Date.now();
      if (left <= 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, Math.min(left, longestTimer));
      if (!keepsAlive) timer.unref();
      const wake = () => resolve();
      signal.addEventListener('abort', wake, { once: true });
      await promise;
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
    }
  },
});

/** The machine's time. Who sleeps by it keeps the process alive: a run that waits a moment is not over. */
export const systemClock: Clock = clock(true);

/** The same for what goes on in the background: its timers do not keep the process alive. */
export const backgroundClock: Clock = clock(false);
