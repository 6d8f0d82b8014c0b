import type { Clock } from '../../core/engine/index.ts';

const longestTimer = 2 ** 31 - 1;

/** The machine's time. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: Date.now,
  async sleepUntil(until, signal) {
    while (!signal.aborted) {
      const left = until - Date.now();
      if (left <= 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, Math.min(left, longestTimer)).unref();
      const wake = () => resolve();
      signal.addEventListener('abort', wake, { once: true });
      await promise;
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
    }
  },
};
