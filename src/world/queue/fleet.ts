import { setTimeout as sleep } from 'node:timers/promises';
import type { ConstructorOptions, PgBoss } from 'pg-boss';
import { dueAt, type StreamRow } from '../../core/contract/index.ts';
import { anywhere, depthOf, jobOf, makeQueue } from './activations.ts';
import { prepare } from './asking.ts';
import type { Dispatcher, DispatcherOptions } from './dispatcher.ts';
import { createFleetDispatcher } from './fleet-dispatcher.ts';

export const queueSchema = 'planwright_queue';

export interface FleetQueueOptions {
  /** `postgres://…` */
  url: string;
  /** The schema of the queue, which is pg-boss's own. */
  schema?: string;
  /** The machine that this process is on. */
  host: string;
  /** How long whoever writes here has to drive what it writes by itself, before a worker may. */
  courtesySeconds: number;
  /** A worker that is not heard of for so long is taken for dead. */
  heartbeatSeconds?: number;
}

/** Asks in the transaction that is under way. */
interface Transaction {
  query(sql: string, values?: readonly unknown[]): Promise<unknown[]>;
}

/** The activations of a fleet: each is a stream that somebody has something to do for. */
export interface FleetQueue {
  /** In the transaction that makes them due: what is written is dispatched, and what is undone is not. */
  enqueue(tx: Transaction, rows: readonly StreamRow[]): Promise<void>;
  /** Takes up what the fleet has to do: what is for any machine, and what is for this one. */
  dispatcher(options: DispatcherOptions): Dispatcher;
  /** Makes the schema of the queue, or brings it up to date, where that is not done yet. */
  make(): Promise<void>;
  /** How many activations wait, and how many are active. */
  depth(): Promise<{ waiting: number; active: number }>;
  close(): Promise<void>;
}

/** Who waits at a screen comes first. */
const priorities: Readonly<Record<string, number>> = { chat: 20 };
const asked = 10;

const producing: ConstructorOptions = { supervise: false, schedule: false, useListenNotify: false };
const working: ConstructorOptions = {
  schedule: false,
  useListenNotify: true,
  superviseIntervalSeconds: 1,
  monitorIntervalSeconds: 1,
};

const OPEN_AGAIN_MS = 1000;

/** Loads nothing and connects to nothing before it is used. */
export function createFleetQueue(options: FleetQueueOptions): FleetQueue {
  const { url, schema = queueSchema, host, courtesySeconds, heartbeatSeconds = 10 } = options;
  const opened = new Set<Promise<PgBoss>>();

  const open = (
    how: ConstructorOptions,
    connections: number,
    heard: (queue: string | null) => void = () => {},
  ): Promise<PgBoss> => {
    const opening = (async () => {
      const { PgBoss } = await import('pg-boss');
      const boss = new PgBoss({ connectionString: url, schema, max: connections, ...how });
      prepare(boss.getDb(), heard);
      // What goes wrong with a job is told where it is driven; the rest is tried again by itself.
      boss.on('error', () => {});
      try {
        await boss.start();
        await makeQueue(boss, anywhere, heartbeatSeconds);
      } catch (error) {
        await boss.stop({ graceful: false, close: true }).catch(() => {});
        throw error;
      }
      return boss;
    })();
    opened.add(opening);
    opening.catch(() => opened.delete(opening));
    return opening;
  };
  let producer: Promise<PgBoss> | null = null;
  /** One that could not be opened is opened anew by whoever comes next. */
  const produce = (): Promise<PgBoss> => {
    if (producer !== null) return producer;
    const opening = open(producing, 1);
    producer = opening;
    opening.catch(() => {
      producer = null;
    });
    return opening;
  };
  /** Whoever takes things up does not stop because the server was away, or had no connection left, as it began. */
  const openAtLast = async (
    tell: (error: unknown) => void,
    heard: (queue: string | null) => void,
    signal: AbortSignal,
  ): Promise<PgBoss> => {
    for (;;) {
      try {
        return await open(working, 4, heard);
      } catch (error) {
        tell(error);
        await sleep(OPEN_AGAIN_MS, undefined, { signal });
      }
    }
  };

  return {
    async enqueue(tx, rows) {
      const due = rows.filter((row) => (dueAt(row) ?? Number.POSITIVE_INFINITY) <= row.updatedAt);
      if (due.length === 0) return;
      const boss = await produce();
      const db = {
        executeSql: async (sql: string, values?: unknown[]) => ({ rows: await tx.query(sql, values) }),
      };
      for (const { id, kind, unanswered } of due) {
        const priority = priorities[kind] ?? (unanswered.length > 0 ? asked : 0);
        const later = courtesySeconds > 0 ? { startAfter: courtesySeconds } : {};
        await boss.send(anywhere, { stream: id }, { ...jobOf(id, priority), ...later, db });
      }
    },
    depth: async () => depthOf(await produce(), schema),
    make: async () => void (await produce()),
    dispatcher(given) {
      const stopping = new AbortController();
      const tell = (error: unknown) => given.onError('', error);
      const opening = openAtLast(tell, (queue) => dispatcher.heard(queue), stopping.signal);
      const dispatcher = createFleetDispatcher(opening, { schema, host, heartbeatSeconds }, given);
      const stop = () => {
        stopping.abort();
        return dispatcher.stop();
      };
      return { ...dispatcher, stop };
    },
    async close() {
      for (const opening of opened) {
        const boss = await opening.catch(() => null);
        await boss?.stop({ graceful: false, close: true });
      }
    },
  };
}
