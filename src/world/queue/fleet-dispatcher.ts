import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, PgBoss } from 'pg-boss';
import { isSameHost } from '../../core/contract/index.ts';
import { anywhere, isQuiet, jobOf, makeQueue, queueAt } from './activations.ts';
import type { Dispatcher, DispatcherOptions } from './dispatcher.ts';
import { openSeats, type Seats } from './seats.ts';

interface Activation {
  stream: string;
}

/** Of a fleet: it is told when something was put into a queue. */
export interface FleetDispatcher extends Dispatcher {
  /** Null: nobody knows which one, or whether. */
  heard(queue: string | null): void;
}

const IDLE_MS = 100;

/**
 * The life of an activation:
 *
 *   dispatch, or an append ──▶ created ──a worker has a place──▶ active ──rests──▶ completed
 *                                 ▲                                │
 *                                 ├── of another machine: to the queue of that one
 *                                 ├── wakeAt, by this process or by whoever looks for what is due
 *                                 └── retry: its worker is silent, or the database was away
 *
 * One that is dispatched while it is active is created beside it, and becomes active when that one has ended.
 */
export function createFleetDispatcher(
  starting: Promise<PgBoss>,
  { schema, host, heartbeatSeconds }: { schema: string; host: string; heartbeatSeconds: number },
  { concurrency, clock, drive, onError }: DispatcherOptions,
): FleetDispatcher {
  const here = queueAt(host);
  /** By queue: what is to be sent, and whether somebody does so. */
  const wanted = new Map<string, Set<string>>();
  const sending = new Map<string, Promise<void>>();
  const sleeping = new Map<string, AbortController>();
  const active = new Set<string>();
  /** Taken up, and waiting for a place. */
  const ahead = { [anywhere]: 0, [here]: 0 };
  const ending = new Set<Promise<void>>();
  let isStopped = false;

  /**
   * What comes while something is on its way goes with the next: the one before may have been taken up before this process hears that
   * it has arrived, and is no answer to whoever comes later. Where it still waits, the queue keeps one of the two.
   */
  const send = (stream: string, queue = anywhere): void => {
    const streams = wanted.get(queue) ?? new Set();
    wanted.set(queue, streams.add(stream));
    if (!sending.has(queue)) sending.set(queue, sendAll(queue, streams));
  };
  const sendAll = async (queue: string, streams: Set<string>): Promise<void> => {
    const boss = await starting.catch(() => null);
    while (streams.size > 0) {
      const batch = [...streams];
      streams.clear();
      try {
        const jobs = batch.map((stream) => ({ data: { stream }, ...jobOf(stream) }));
        await (boss ?? (await starting)).insert(queue, jobs);
      } catch (error) {
        for (const stream of batch) onError(stream, error);
      }
    }
    sending.delete(queue);
  };
  const allSent = (): Promise<unknown> => Promise.all(sending.values());
  const wake = async (stream: string, at: number): Promise<void> => {
    sleeping.get(stream)?.abort();
    const alarm = new AbortController();
    sleeping.set(stream, alarm);
    await clock.sleepUntil(at, alarm.signal);
    if (alarm.signal.aborted) return;
    sleeping.delete(stream);
    send(stream);
  };

  /** An error of the run itself is told, and left alone; what was only in its way is tried again, here or elsewhere. */
  async function perform({ data: { stream } }: Job<Activation>, from: string): Promise<void> {
    ahead[from]! += 1;
    while (active.has(stream) || active.size >= concurrency) await Promise.race(ending);
    ahead[from]! -= 1;
    if (isStopped) return send(stream);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    active.add(stream);
    ending.add(ended);
    // The next one may be taken.
    if (from === here) places.get(here)?.look();
    sleeping.get(stream)?.abort();
    sleeping.delete(stream);
    try {
      const { wakeAt = null, belongsTo } = await drive(stream);
      if (belongsTo !== undefined && !isSameHost(belongsTo, host)) {
        await makeQueue(await starting, queueAt(belongsTo), heartbeatSeconds);
        send(stream, queueAt(belongsTo));
      } else if (wakeAt !== null) {
        if (wakeAt <= clock.now()) send(stream);
        else if (!isStopped) void wake(stream, wakeAt);
      }
    } catch (error) {
      onError(stream, error);
      if (error instanceof Error && 'retryable' in error && error.retryable === true) throw error;
    } finally {
      active.delete(stream);
      ending.delete(ended);
      end();
      if (from === here) places.get(anywhere)?.look();
    }
  }

  const places = new Map<string, Seats>();
  const working = starting.then(async (boss) => {
    await makeQueue(boss, here, heartbeatSeconds);
    const open = (queue: string, room: () => number) =>
      places.set(
        queue,
        openSeats<Activation>(boss, {
          ...{ queue, heartbeatSeconds, room },
          perform: (job) => perform(job, queue),
        }),
      );
    open(anywhere, () => concurrency - active.size - ahead[anywhere]! - ahead[here]!);
    // What is for this machine alone is taken one ahead: what others could do does not keep it out.
    open(here, () => 1 - ahead[here]!);
  });
  working.catch((error: unknown) => onError('', error));

  const isIdle = async (): Promise<boolean> => {
    await allSent();
    if (!(await isQuiet(await starting, schema, [anywhere, here]))) return false;
    return sending.size === 0 && active.size === 0;
  };

  return {
    dispatch(stream) {
      if (!isStopped) send(stream);
    },
    heard(queue) {
      for (const [name, one] of places) if (queue === null || queue === name) one.look();
    },
    async idle() {
      await working;
      while (!isStopped && !(await isIdle())) await sleep(IDLE_MS);
    },
    async stop() {
      isStopped = true;
      for (const alarm of sleeping.values()) alarm.abort();
      sleeping.clear();
      await allSent();
      await working.catch(() => {});
      await Promise.all([...places.values()].map((one) => one.stop()));
      // What came to rest meanwhile is passed on.
      await allSent();
    },
  };
}
