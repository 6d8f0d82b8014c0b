import type { RunRow } from '../../core/contract/index.ts';
import { isRequest } from '../../core/contract/index.ts';
import type { Clock } from '../../core/stream/index.ts';
import { createDispatcher } from '../../world/queue/index.ts';
import { systemClock } from '../../world/store/index.ts';
import type { App } from './app.ts';
import type { Rested } from './runs.ts';

/** Drives runs for as long as the process stays: what `serve` does besides answering. */
export interface Drivers {
  /** The run has something to do, and this process is to see to it. */
  dispatch(run: string): void;
  /** How many runs are being driven here now. */
  active(): number;
  /** Lets what is driven here come to rest at its next event boundary, and resolves then. */
  stop(): Promise<void>;
}

export interface DriversOptions {
  onError(run: string, error: unknown): void;
  /**
   * How long whoever wrote a request in another process has to see to it alone: a terminal drives what it starts,
   * in its own environment.
   */
  courtesyMs?: number;
  /** How often to look for runs that a dead driver left. */
  lookMs?: number;
  clock?: Clock;
}

const batch = 500;

/**
 * A run is taken up when somebody here dispatches it; when a request that another process wrote has gone unanswered
 * for a while; when it is due; and when it is `running` though nobody drives it (or being planned, or mended). Resting runs cost nothing.
 */
export function startDrivers(app: App, options: DriversOptions): Drivers {
  const { onError, courtesyMs = 1500, lookMs = 5000, clock = systemClock } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const active = new Set<string>();
  const dispatcher = createDispatcher({
    concurrency: app.config.values.concurrency,
    clock,
    onError,
    async drive(run) {
      active.add(run);
      try {
        return { wakeAt: nextTry(await app.runs.drive(run, { signal })) };
      } finally {
        active.delete(run);
      }
    },
  });

  const later = new Set<string>();
  const dispatchLater = async (run: string) => {
    if (later.has(run)) return;
    later.add(run);
    await clock.sleepUntil(clock.now() + courtesyMs, signal);
    later.delete(run);
    if (!signal.aborted && (await hasUnanswered(app, run))) dispatcher.dispatch(run);
  };

  const follow = async (from: number) => {
    let pos = from;
    while (!signal.aborted) {
      const changed = await app.store.changedStreams(pos, batch);
      for (const run of changed.streams) if (!active.has(run)) void dispatchLater(run).catch(ignore);
      pos = changed.pos;
      if (changed.streams.length === 0) await app.store.changedAny(pos, signal);
    }
  };
  const look = async () => {
    while (!signal.aborted) {
      const rows = await leftRuns(app);
      for (const { id } of rows) if (!active.has(id)) dispatcher.dispatch(id);
      await clock.sleepUntil(clock.now() + lookMs, signal);
    }
  };
  const failed = (error: unknown) => {
    if (!signal.aborted) onError('', error);
  };
  const ended = Promise.all([
    answerWhatWaits(app, dispatcher.dispatch).catch(failed),
    app.store.position().then(follow).catch(failed),
    look().catch(failed),
  ]);

  return {
    dispatch: dispatcher.dispatch,
    active: () => active.size,
    async stop() {
      stopping.abort();
      await dispatcher.stop();
      await ended;
    },
  };
}

/** Runs that go on by themselves: due, or going on though their driver may be gone. */
async function leftRuns(app: App): Promise<RunRow[]> {
  const due = await app.store.dueRuns(systemClock.now());
  return [...due, ...(await app.store.runs({ state: ['planning', 'running', 'recovering'], limit: 1000 }))];
}

/** At the start: requests that were written while nobody was there. */
async function answerWhatWaits(app: App, dispatch: (run: string) => void): Promise<void> {
  const rows = await app.store.runs({ state: ['agreeing', 'waiting', 'paused', 'failed'], limit: 10_000 });
  for (const { id } of rows) if (await hasUnanswered(app, id)) dispatch(id);
}

/** How far back a request can lie that nobody has answered: a driver answers before it does anything else. */
const recent = 100;

async function hasUnanswered(app: App, run: string): Promise<boolean> {
  const last = await app.store.lastSeq(run);
  const events = await app.store.read(run, Math.max(0, last - recent));
  const answered = new Set(events.map(({ event }) => ('answers' in event ? event.answers : undefined)));
  return events.some(({ seq, event }) => isRequest(event) && !answered.has(seq));
}

/** When to try again by ourselves: a run whose folder is taken waits its turn. */
const nextTry = ({ why, wakeAt }: Rested): number | null =>
  why === 'workspace-busy' ? systemClock.now() + TURN_MS : wakeAt;

const TURN_MS = 2000;
const ignore = () => {};
