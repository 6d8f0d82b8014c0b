import type { Clock } from '../../core/stream/index.ts';

/** Sees to it that runs are driven. Whoever changes a run dispatches it; who drives it, and when, is decided here. */
export interface Dispatcher {
  /** The run has something to do. It is driven at least once from now on, never twice at the same time. */
  dispatch(runId: string): void;
  /** Resolves when nothing is queued or active. Runs that are due later do not count. */
  idle(): Promise<void>;
  /** Starts nothing more and resolves when what is active has come to rest. Later dispatches do nothing. */
  stop(): Promise<void>;
}

export interface Driven {
  /** When it is due again by itself. */
  wakeAt?: number | null;
  /** The machine that can go on with it, where this one cannot. */
  belongsTo?: string;
}

export interface DispatcherOptions {
  /** How many runs are active at the same time, at most. */
  concurrency: number;
  clock: Clock;
  /** Drives the run until it rests. */
  drive(runId: string): Promise<Driven>;
  /**
   * Called when `drive` rejects. The run is left alone until it is dispatched again; in a fleet an error that is `retryable`
   * has it driven again. Must not throw.
   */
  onError(runId: string, error: unknown): void;
}

/**
 * The life of a run in here:
 *
 *              dispatch             a place is free            rests
 *   (unknown) ──────────▶ queued ──────────────────▶ active ──────────▶ (unknown)
 *                           ▲ ▲                        │ │
 *                           │ └── dispatched meanwhile─┘ │ rests with wakeAt
 *                           │                            ▼
 *                           └──── wakeAt, dispatch ── sleeping
 *
 * Queued runs start in the order in which they came.
 */
export function createDispatcher({ concurrency, clock, drive, onError }: DispatcherOptions): Dispatcher {
  const queued = new Set<string>();
  const active = new Map<string, { isWantedAgain: boolean }>();
  const sleeping = new Map<string, AbortController>();
  let idleWaiters: (() => void)[] = [];
  let isStopped = false;

  function enqueue(runId: string): void {
    sleeping.get(runId)?.abort();
    sleeping.delete(runId);
    queued.add(runId);
    startNext();
  }

  function startNext(): void {
    for (const runId of queued) {
      if (active.size >= concurrency) return;
      queued.delete(runId);
      void activate(runId);
    }
  }

  async function activate(runId: string): Promise<void> {
    const activity = { isWantedAgain: false };
    active.set(runId, activity);
    let wakeAt: number | null = null;
    try {
      wakeAt = (await drive(runId)).wakeAt ?? null;
    } catch (error) {
      onError(runId, error);
    }
    active.delete(runId);
    if (!isStopped) {
      if (activity.isWantedAgain) queued.add(runId);
      else if (wakeAt !== null) void sleep(runId, wakeAt);
      startNext();
    }
    if (active.size + queued.size === 0) {
      for (const resolve of idleWaiters) resolve();
      idleWaiters = [];
    }
  }

  async function sleep(runId: string, wakeAt: number): Promise<void> {
    const alarm = new AbortController();
    sleeping.set(runId, alarm);
    await clock.sleepUntil(wakeAt, alarm.signal);
    if (!alarm.signal.aborted) enqueue(runId);
  }

  const idle = (): Promise<void> =>
    active.size + queued.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          idleWaiters.push(resolve);
        });

  return {
    dispatch(runId) {
      if (isStopped) return;
      const activity = active.get(runId);
      if (activity) activity.isWantedAgain = true;
      else if (!queued.has(runId)) enqueue(runId);
    },
    idle,
    async stop() {
      isStopped = true;
      queued.clear();
      for (const alarm of sleeping.values()) alarm.abort();
      sleeping.clear();
      await idle();
    },
  };
}
