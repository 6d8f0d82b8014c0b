import type { StreamRow } from '../../core/contract/index.ts';
import type { Clock } from '../../core/stream/index.ts';
import { createDispatcher } from '../../world/queue/index.ts';
import { systemClock } from '../../world/store/index.ts';
import type { App } from './app.ts';
import { belongsTo, longer, maySoonBeTaken, nextTry } from './drivers.ts';
import { startReporting } from './reporting.ts';
import { homeFirst } from './sources.ts';

export interface WorkerOptions {
  /** Told of each run as it comes to rest. */
  onRest(row: StreamRow): void;
  onError(run: string, error: unknown): void;
  /** What this program says that it is, to those who look who drives. */
  version?: string;
  /** Stay, and take up runs as they come to be due; until it aborts: then they rest at their next boundary. */
  watch?: AbortSignal;
  clock?: Clock;
}

const LOOK_MS = 1000;
const MOST = 1000;
/** What was dispatched in a fleet is somebody's by then; or whoever had it, and would have tried it again, is gone. */
const TAKEN_UP_MS = 30_000;

/**
 * Drives every stream that could go on by itself: those that a dead driver left, those that are due, those whose
 * question somebody has answered. Resolves when none is left, or when the signal aborts.
 */
export async function driveAll(
  app: App,
  { onRest, onError, version = '', watch, clock = systemClock }: WorkerOptions,
): Promise<void> {
  /** How each was when it was dispatched; while it is the same it is left alone until then. */
  const seen = new Map<string, { seq: number; tries: number; until: number }>();
  /** Those of another machine which anybody may take up that has waited for it. */
  const lookAgain = new Map<string, number>();
  const { lease } = app.config.values;
  const patience = homeFirst(lease === null ? undefined : lease * 1000);
  /** Those whose folder was busy: their turn comes. */
  const waiting = new Set<string>();
  const active = new Set<string>();
  const tell = async (run: string) => {
    const row = await app.streams.row(run);
    if (row !== null) onRest(row);
  };
  const dispatcher = (app.fleet?.dispatcher ?? createDispatcher)({
    concurrency: app.config.values.concurrency,
    clock,
    onError,
    async drive(run) {
      waiting.delete(run);
      active.add(run);
      const mostRuns = app.config.values['runs.most'];
      const how = watch === undefined ? { mostRuns } : { mostRuns, signal: watch };
      const rested = await app.streams.drive(run, how).catch((error: unknown) => {
        const found = seen.get(run);
        if (found !== undefined) found.until = clock.now() + longer(LOOK_MS, found.tries);
        active.delete(run);
        throw error;
      });
      active.delete(run);
      // Whoever has it now may be gone later: then it is due again.
      if (rested.why === 'lost' || rested.why === 'claimed') seen.delete(run);
      const found = seen.get(run);
      if (found !== undefined && (rested.why === 'elsewhere' || rested.why === 'unreadable'))
        found.until = Number.POSITIVE_INFINITY;
      if (maySoonBeTaken(rested)) lookAgain.set(run, clock.now() + patience);
      if (rested.why === 'workspace-busy' || rested.why === 'full') waiting.add(run);
      else if (rested.why !== 'claimed' && rested.why !== 'stopped') await tell(run);
      // What was stopped here is for others, at once.
      if (rested.why === 'stopped') return { wakeAt: clock.now() };
      return { wakeAt: watch === undefined ? null : nextTry(rested), ...belongsTo(rested) };
    },
  });
  const look = async () => {
    const now = clock.now();
    const rows = await app.streams.due(now, MOST);
    for (const { id, seq } of rows) {
      const found = seen.get(id);
      const isSame = found?.seq === seq;
      const again = lookAgain.get(id) ?? Number.POSITIVE_INFINITY;
      if (isSame && now < Math.min(found.until, again)) continue;
      lookAgain.delete(id);
      const tries = isSame ? found.tries + 1 : 0;
      const until = app.fleet === null ? Number.POSITIVE_INFINITY : now + longer(TAKEN_UP_MS, tries);
      seen.set(id, { seq, tries, until });
      dispatcher.dispatch(id);
    }
    const due = new Set(rows.map(({ id }) => id));
    if (rows.length < MOST) for (const id of seen.keys()) if (!due.has(id)) seen.delete(id);
  };
  const reporting =
    watch === undefined ? null : startReporting(app, { as: 'worker', version, active: () => active.size });
  try {
    await look();
    while (watch !== undefined && !watch.aborted) {
      await clock.sleepUntil(clock.now() + LOOK_MS, watch);
      // Whoever looks for work does not stop looking because the store was away.
      await look().catch((error: unknown) => onError('', error));
    }
    if (watch === undefined) await dispatcher.idle();
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
    await reporting?.stop();
  }
}
