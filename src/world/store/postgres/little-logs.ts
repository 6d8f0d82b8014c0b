import type { LogName } from '../../../core/stream/index.ts';
import type { Queries } from './connection.ts';
import { writeWhole } from './logs.ts';

/** All of a log that is little, and of which nothing came from stderr. */
export interface LittleLog {
  /** Chosen by whoever wrote it. */
  id: number;
  name: LogName;
  bytes: Uint8Array;
}

/** No longer log is little. */
export const littleBytes = 4096;

const WAIT_MS = 100;

/**
 * Logs that were ended with something still to be said of their stream. They go with the next append to it, in its statement, so
 * that whoever reads what came of an attempt finds what it said; and by themselves where none comes soon. Nothing of it throws: a
 * log that cannot be written is one that is not there.
 */
export interface LittleLogs {
  keep(log: LittleLog): void;
  /** Those of the stream that wait, when none is on its way any more: it is for the caller to write them. */
  take(stream: string): Promise<readonly LittleLog[]>;
  /** Resolves when none of the stream waits, or is on its way. Null where that is so. */
  settle(stream: string): Promise<void> | null;
  close(): Promise<void>;
}

export function createLittleLogs(db: Queries): LittleLogs {
  const waiting = new Map<string, LittleLog[]>();
  const underWay = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  const takeNow = (stream: string): readonly LittleLog[] => {
    const logs = waiting.get(stream) ?? [];
    waiting.delete(stream);
    return logs;
  };
  const write = async (logs: readonly LittleLog[], before: Promise<void> | undefined): Promise<void> => {
    await before;
    for (const log of logs) await writeWhole(db, log).catch(() => {});
  };
  const settle = (stream: string): Promise<void> | null => {
    const logs = takeNow(stream);
    const before = underWay.get(stream);
    if (logs.length === 0) return before ?? null;
    const done = write(logs, before).then(() => {
      if (underWay.get(stream) === done) underWay.delete(stream);
    });
    underWay.set(stream, done);
    return done;
  };
  const settleAll = (): Promise<unknown> =>
    Promise.all([...waiting.keys(), ...underWay.keys()].map((stream) => settle(stream)));

  return {
    keep(log) {
      const [stream] = log.name;
      const others = waiting.get(stream);
      if (others === undefined) waiting.set(stream, [log]);
      else others.push(log);
      timer ??= setTimeout(() => {
        timer = undefined;
        void settleAll();
      }, WAIT_MS).unref();
    },
    async take(stream) {
      await underWay.get(stream);
      return takeNow(stream);
    },
    settle,
    async close() {
      clearTimeout(timer);
      await settleAll();
    },
  };
}
