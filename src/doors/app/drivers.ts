import type { RunState } from '../../core/contract/index.ts';
import type { AgentRunState, TaskState } from '../../core/contract/tasks/index.ts';
import type { Clock, Cursor } from '../../core/stream/index.ts';
import { createDispatcher } from '../../world/queue/index.ts';
import { systemClock } from '../../world/store/index.ts';
import type { App } from './app.ts';
import { homeFirst } from './sources.ts';
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
  /** Which runs to look after besides those that are dispatched here; all where it is left out. */
  minds?: (run: string) => boolean;
}

const batch = 500;

/**
 * A run is taken up when somebody here dispatches it; when a request that another process wrote has gone unanswered
 * for a while; when it is due; and when it is `running` though nobody drives it (or being planned, or mended). Resting runs cost
 * nothing, and neither do those that cannot go on here.
 */
export function startDrivers(app: App, options: DriversOptions): Drivers {
  const { onError, courtesyMs = 1500, lookMs = 5000, clock = systemClock, minds = () => true } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const active = new Set<string>();
  /** Those that cannot go on here, on another host, not to be read or failing: how far they had come, and how long that holds. */
  const stuck = new Map<string, { seq: number; until: number; tries: number }>();
  const turns = new Map<string, { run: string; pid: number | null }>();
  const dispatcher = (app.fleet?.dispatcher ?? createDispatcher)({
    concurrency: app.config.values.concurrency,
    clock,
    onError,
    async drive(run) {
      active.add(run);
      try {
        const rested = await app.streams.drive(run, { signal, mostRuns: app.config.values['runs.most'] });
        const until = maySoonBeTaken(rested) ? clock.now() + homeFirst() : Number.POSITIVE_INFINITY;
        if (rested.why === 'elsewhere' || rested.why === 'unreadable')
          stuck.set(run, { seq: rested.seq, until, tries: 0 });
        else stuck.delete(run);
        const { why, busyWith, by } = rested;
        if (why === 'workspace-busy' && busyWith !== undefined)
          turns.set(run, { run: busyWith, pid: by?.pid ?? null });
        else turns.delete(run);
        // From here on what is asked of it is followed: what was asked before is on its row.
        active.delete(run);
        await passOn(run, rested.seq);
        return { wakeAt: nextTry(rested), ...belongsTo(rested) };
      } catch (error) {
        const tries = stuck.get(run)?.tries ?? 0;
        const seq = await app.streams.lastSeq(run).catch(() => -1);
        stuck.set(run, { seq, until: clock.now() + longer(lookMs, tries), tries: tries + 1 });
        throw error;
      } finally {
        active.delete(run);
      }
    },
  });

  /** Who waits for a stream, as far as it was driven here. */
  const parents = new Map<string, string>();
  /**
   * What a stream waits for is this process's to drive, and so is the stream when that has ended. What another process asked of
   * it after it was looked at for the last time was not followed, for it was driven.
   */
  const passOn = async (run: string, seen: number) => {
    const row = await app.streams.row(run);
    if (row?.unanswered.some(({ seq }) => seq > seen)) void dispatchLater(run).catch(ignore);
    if (row?.awaits != null) {
      parents.set(row.awaits, run);
      dispatcher.dispatch(row.awaits);
    }
    const parent = row?.endedAt == null ? undefined : parents.get(run);
    if (parent === undefined) return;
    parents.delete(run);
    dispatcher.dispatch(parent);
  };

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
        for (const run of changed.streams)
          if (minds(run) && !active.has(run)) void dispatchLater(run).catch(ignore);
        cursor = changed.cursor;
        if (changed.streams.length === 0) await app.streams.changedAny(cursor, signal);
      } catch (error) {
        await failed(error);
      }
    }
  };
  const mayGoOn = async (id: string): Promise<boolean> => {
    const since = stuck.get(id);
    return since === undefined || clock.now() >= since.until || (await app.streams.lastSeq(id)) !== since.seq;
  };
  const look = async () => {
    // What is there when we come is nobody else's; afterwards whoever asked for something has the first try.
    let courtesy = 0;
    while (!signal.aborted) {
      try {
        // Those that are stuck are due for ever: they must not take the places of others.
        const rows = await app.streams.due(clock.now() - courtesy, batch + stuck.size);
        const due = new Set(rows.map(({ id }) => id));
        for (const id of stuck.keys()) if (!due.has(id)) stuck.delete(id);
        for (const id of due)
          if (minds(id) && !active.has(id) && (await mayGoOn(id))) dispatcher.dispatch(id);
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

const LONGEST_MS = 5 * 60_000;
/** What comes to nothing is tried again after twice as long: it may be the clone of a repository that is away. */
export const longer = (first: number, tries: number): number => Math.min(LONGEST_MS, first * 2 ** tries);

/** When to try again by ourselves: a run whose folder is taken, or for which there is no place, waits its turn. */
export const nextTry = ({ why, wakeAt }: Rested): number | null =>
  why === 'workspace-busy' || why === 'full' ? systemClock.now() + TURN_MS : wakeAt;

/** What comes from a git source, and whose machine may be lost: whoever finds it so after a while takes it up. */
export const maySoonBeTaken = ({ why, state }: Rested): boolean => {
  if (why !== 'elsewhere') return false;
  const { gitSource, created, begun } = (state ?? {}) as Partial<RunState & TaskState & AgentRunState>;
  return (
    (gitSource ?? created?.gitSource ?? begun?.given.repository.gitSource) !== undefined && gitSource !== null
  );
};

/** The machine that a stream lives on, where this one cannot go on with it. */
export function belongsTo({ why, state }: Rested): { belongsTo?: string } {
  const host = (state as { place?: { host: string } } | null)?.place?.host;
  return why === 'elsewhere' && host ? { belongsTo: host } : {};
}

const TURN_MS = 2000;
const ignore = () => {};
