import type { Clock, Cursor } from '../../core/stream/index.ts';
import { createDispatcher } from '../../world/queue/index.ts';
import { systemClock } from '../../world/store/index.ts';
import type { App } from './app.ts';
import type { Rested } from './streams.ts';

/** Drives runs for as long as the process stays: what `serve` does besides answering. */
export interface Drivers {
  /** The run has something to do, and this process is to see to it. */
  dispatch(run: string): void;
  /** The run whose folder this one waits for, as it was found when this one was last tried. */
  waitsFor(run: string): { run: string; pid: number | null } | null;
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
 * for a while; when it is due; and when it is `running` though nobody drives it (or being planned, or mended). Resting runs cost
 * nothing, and neither do those that cannot go on here.
 */
export function startDrivers(app: App, options: DriversOptions): Drivers {
  const { onError, courtesyMs = 1500, lookMs = 5000, clock = systemClock } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const active = new Set<string>();
  /** Those that cannot go on here, on another host or not to be read, and how far they had come. */
  const stuck = new Map<string, number>();
  const turns = new Map<string, { run: string; pid: number | null }>();
  const dispatcher = createDispatcher({
    concurrency: app.config.values.concurrency,
    clock,
    onError,
    async drive(run) {
      active.add(run);
      try {
        const rested = await app.streams.drive(run, { signal });
        if (rested.why === 'elsewhere' || rested.why === 'unreadable') stuck.set(run, rested.seq);
        else stuck.delete(run);
        const { why, busyWith, by } = rested;
        if (why === 'workspace-busy' && busyWith !== undefined)
          turns.set(run, { run: busyWith, pid: by?.pid ?? null });
        else turns.delete(run);
        return { wakeAt: nextTry(rested) };
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
    const row = await app.streams.row(run);
    if (!signal.aborted && row !== null && row.unanswered.length > 0) dispatcher.dispatch(run);
  };

  /** It is said, and after a while it is tried again: whoever looks for work does not stop looking. */
  const failed = async (error: unknown) => {
    if (!signal.aborted) onError('', error);
    await clock.sleepUntil(clock.now() + lookMs, signal);
  };
  const begin = async (): Promise<Cursor> => {
    for (;;) {
      try {
        return await app.streams.cursor();
      } catch (error) {
        await failed(error);
        if (signal.aborted) return '';
      }
    }
  };
  const follow = async (from: Cursor) => {
    let cursor = from;
    while (!signal.aborted) {
      try {
        const changed = await app.streams.changedSince(cursor, batch);
        for (const run of changed.streams) if (!active.has(run)) void dispatchLater(run).catch(ignore);
        cursor = changed.cursor;
        if (changed.streams.length === 0) await app.streams.changedAny(cursor, signal);
      } catch (error) {
        await failed(error);
      }
    }
  };
  const mayGoOn = async (id: string): Promise<boolean> =>
    !stuck.has(id) || (await app.streams.lastSeq(id)) !== stuck.get(id);
  const look = async () => {
    // What is there when we come is nobody else's; afterwards whoever asked for something has the first try.
    let courtesy = 0;
    while (!signal.aborted) {
      try {
        // Those that are stuck are due for ever: they must not take the places of others.
        const rows = await app.streams.due(clock.now() - courtesy, batch + stuck.size);
        const due = new Set(rows.map(({ id }) => id));
        for (const id of stuck.keys()) if (!due.has(id)) stuck.delete(id);
        for (const id of due) if (!active.has(id) && (await mayGoOn(id))) dispatcher.dispatch(id);
        courtesy = courtesyMs;
      } catch (error) {
        await failed(error);
      }
      await clock.sleepUntil(clock.now() + lookMs, signal);
    }
  };
  const ended = Promise.all([begin().then(follow), look()]);

  return {
    dispatch: dispatcher.dispatch,
    waitsFor: (run) => turns.get(run) ?? null,
    active: () => active.size,
    async stop() {
      stopping.abort();
      await dispatcher.stop();
      await ended;
    },
  };
}

/** When to try again by ourselves: a run whose folder is taken waits its turn. */
export const nextTry = ({ why, wakeAt }: Rested): number | null =>
  why === 'workspace-busy' ? systemClock.now() + TURN_MS : wakeAt;

const TURN_MS = 2000;
const ignore = () => {};
