import type { Clock } from '../../core/stream/index.ts';

/** Milliseconds. Every call has all three. */
export interface Timeouts {
  firstByte: number;
  /** Between two pieces of an answer. */
  idle: number;
  total: number;
}

export interface Deadline {
  /** Aborts when a limit has passed, or with the caller's signal. */
  signal: AbortSignal;
  /** Something has arrived: it is no longer the first byte that is waited for. */
  heard(): void;
  /** Which limit has passed, in words; null where none has. */
  passed(): string | null;
  /** Ends the watching. Must be called. */
  end(): void;
}

/** One sleeper for all three limits: `heard` only moves a number, so a fast answer costs no timers. */
export function startDeadline(clock: Clock, timeouts: Timeouts, caller: AbortSignal): Deadline {
  const controller = new AbortController();
  const over = new AbortController();
  const start = clock.now();
  let passed: string | null = null;
  let last: number | null = null;
  let firstByte = new AbortController();
  const due = (): [number, string] => {
    const total: [number, string] = [
      start + timeouts.total,
      `no whole answer within ${seconds(timeouts.total)}`,
    ];
    const next: [number, string] =
      last === null
        ? [start + timeouts.firstByte, `no answer within ${seconds(timeouts.firstByte)}`]
        : [last + timeouts.idle, `the answer stopped for ${seconds(timeouts.idle)}`];
    return next[0] < total[0] ? next : total;
  };
  const watch = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const [at, words] = due();
      if (clock.now() >= at) {
        passed = words;
        controller.abort(new Error(words));
        return;
      }
      await clock.sleepUntil(at, AbortSignal.any([over.signal, firstByte.signal]));
      if (firstByte.signal.aborted) firstByte = new AbortController();
    }
  };
  const onCaller = () => controller.abort(caller.reason);
  if (caller.aborted) onCaller();
  else caller.addEventListener('abort', onCaller, { once: true });
  void watch();
  return {
    signal: controller.signal,
    heard: () => {
      if (last === null) firstByte.abort(quietly);
      last = clock.now();
    },
    passed: () => passed,
    end: () => {
      caller.removeEventListener('abort', onCaller);
      over.abort(quietly);
    },
  };
}

/** A reason of our own: without one an error with a stack is made, for nobody. */
const quietly = 'over';

const seconds = (ms: number): string => `${Number((ms / 1000).toFixed(2))} s`;
