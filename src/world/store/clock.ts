import type { Clock } from '../../core/stream/index.ts';

const longestTimer = 2 ** 31 - 1;

async function pause(ms: number, signal: AbortSignal, keepsAlive: boolean): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  if (!keepsAlive) timer.unref();
  const wake = () => resolve();
  signal.addEventListener('abort', wake, { once: true });
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', wake);
}

/** So long, whatever the machine's clock is set to meanwhile; it does not keep the process alive. */
export const backgroundPause = (ms: number, signal: AbortSignal): Promise<void> => pause(ms, signal, false);

const clock = (keepsAlive: boolean): Clock => ({
  now: Date.now,
  async sleepUntil(until, signal) {
    while (!signal.aborted) {
      const left = until - Date.now();
      if (left <= 0) return;
      await pause(Math.min(left, longestTimer), signal, keepsAlive);
    }
  },
});

/** The machine's time. Who sleeps by it keeps the process alive: a run that waits a moment is not over. */
export const systemClock: Clock = clock(true);

/** The same for what goes on in the background: its timers do not keep the process alive. */
export const backgroundClock: Clock = clock(false);
