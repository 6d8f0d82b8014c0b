import type { StreamRow } from '../../core/contract/index.ts';
import { createDispatcher } from '../../world/queue/index.ts';
import { systemClock } from '../../world/store/index.ts';
import type { App } from './app.ts';
import { nextTry } from './drivers.ts';

export interface WorkerOptions {
  /** Told of each run as it comes to rest. */
  onRest(row: StreamRow): void;
  onError(run: string, error: unknown): void;
  /** Stay, and take up runs as they come to be due; until it aborts. */
  watch?: AbortSignal;
}

const LOOK_MS = 1000;
const MOST = 1000;

/**
 * Drives every stream that could go on by itself: those that a dead driver left, those that are due, those whose
 * question somebody has answered. Resolves when none is left, or when the signal aborts.
 */
export async function driveAll(app: App, { onRest, onError, watch }: WorkerOptions): Promise<void> {
  const seen = new Map<string, number>();
  /** Those whose folder was busy: their turn comes. */
  const waiting = new Set<string>();
  const tell = async (run: string) => {
    const row = await app.streams.row(run);
    if (row !== null) onRest(row);
  };
  const dispatcher = createDispatcher({
    concurrency: app.config.values.concurrency,
    clock: systemClock,
    onError,
    async drive(run) {
      waiting.delete(run);
      const rested = await app.streams.drive(run).catch((error: unknown) => {
        seen.delete(run);
        throw error;
      });
      if (rested.why === 'lost') seen.delete(run);
      if (rested.why === 'workspace-busy') waiting.add(run);
      else if (rested.why !== 'claimed') await tell(run);
      return { wakeAt: watch === undefined ? null : nextTry(rested) };
    },
  });
  const look = async () => {
    for (const row of await app.streams.due(systemClock.now(), MOST)) {
      if (seen.get(row.id) === row.updatedAt) continue;
      seen.set(row.id, row.updatedAt);
      dispatcher.dispatch(row.id);
    }
  };
  try {
    await look();
    while (watch !== undefined && !watch.aborted) {
      await systemClock.sleepUntil(systemClock.now() + LOOK_MS, watch);
      await look();
    }
    await dispatcher.idle();
    // What was in the way may have been a run of ours, which is done now. For what others do nobody waits here.
    for (
      let before = Number.POSITIVE_INFINITY;
      watch === undefined && waiting.size > 0 && waiting.size < before;
    ) {
      before = waiting.size;
      for (const run of [...waiting]) dispatcher.dispatch(run);
      await dispatcher.idle();
    }
    for (const run of waiting) await tell(run);
  } finally {
    await dispatcher.stop();
  }
}
