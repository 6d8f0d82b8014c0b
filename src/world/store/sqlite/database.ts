import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { monotonic } from '../../process/monotonic.ts';
import { isBusy, locked, StoreError, toStoreError } from '../errors.ts';
import { createYield, pauseFor } from './giving-way.ts';

/** In their order, or by their names. */
type Values = (SQLInputValue | Record<string, SQLInputValue>)[];
type Found = Record<string, SQLOutputValue>;

/** Compiled when it is first used: of what a process opens the store for, it needs a few. */
export interface Statement {
  all(...values: Values): Found[];
  get(...values: Values): Found | undefined;
  iterate(...values: Values): NodeJS.Iterator<Found>;
  run(...values: Values): { changes: number | bigint };
}

/** One connection. Bodies are synchronous, so a transaction is never open across an await. */
export interface Database {
  file: string;
  /** `asArrays`: what is found is a list of values, in the order of the columns. */
  prepare(sql: string, options?: { asArrays: boolean }): Statement;
  exec(sql: string): void;
  /**
   * Runs the body in one `BEGIN IMMEDIATE` transaction that is on the disk when the promise resolves; an
   * error undoes all of it. Calls run in the order in which they were made. While another process holds the
   * lock it is tried again; after `lockTimeoutMs` it throws `store-locked`. What is only `ofThisBoot` is not synced: it
   * outlives every process, and is on the disk with the next that is.
   */
  write<T>(body: () => T, options?: { ofThisBoot: boolean }): Promise<T>;
  /** Runs the body against the newest commit. Does not wait for writers. */
  read<T>(body: () => T): Promise<T>;
  /** Gives unused pages back to the disk. */
  shrink(): Promise<void>;
  /** A number that changes when another connection has committed. */
  version(): number;
  isOpen(): boolean;
  close(): void;
}

/** What every way of opening the file makes of it. */
export function connect(handle: DatabaseSync, file: string, lockTimeoutMs: number): Database {
  const begin = handle.prepare('BEGIN IMMEDIATE');
  const commit = handle.prepare('COMMIT');
  const dataVersion = handle.prepare('PRAGMA data_version');
  dataVersion.setReturnArrays(true);
  const giveWay = createYield();
  let queue: Promise<unknown> = Promise.resolve();
  let queued = 0;

  const rollback = () => {
    try {
      if (handle.isTransaction) handle.exec('ROLLBACK');
    } catch {
      // The first error says what happened; SQLite has undone the transaction by itself.
    }
  };
  const asStoreError = (error: unknown): unknown =>
    typeof (error as { code?: unknown })?.code === 'string' ? toStoreError(error, file) : error;

  const transact = <T>(body: () => T): T => {
    begin.run();
    try {
      const value = body();
      commit.run();
      return value;
    } catch (error) {
      rollback();
      throw error;
    }
  };

  /** In a write-ahead log NORMAL syncs no commit, and FULL syncs what came before with its own. */
  const unsynced = <T>(commits: () => T): T => {
    handle.exec('PRAGMA synchronous = NORMAL');
    try {
      return commits();
    } finally {
      handle.exec('PRAGMA synchronous = FULL');
    }
  };

  /** Tries until the lock is free; throws what is not about the lock at once. */
  const insist = async <T>(attempt: () => T): Promise<T> => {
    const deadline = monotonic() + lockTimeoutMs;
    for (let tries = 1; ; tries++) {
      assertOpen();
      try {
        return attempt();
      } catch (error) {
        if (!isBusy(error)) throw asStoreError(error);
        if (monotonic() >= deadline) throw locked(file, error);
        giveWay.sawContention();
      }
      await pauseFor(tries);
    }
  };

  const assertOpen = () => {
    if (!handle.isOpen) throw new StoreError('store-closed', 'The store was closed. Open it again to go on.');
  };

  return {
    file,
    prepare: (sql, options) =>
      whenUsed(() => {
        const statement = handle.prepare(sql);
        if (options?.asArrays) statement.setReturnArrays(true);
        return statement;
      }),
    exec: (sql) => handle.exec(sql),
    async write(body, options) {
      const attempt = options?.ofThisBoot ? () => unsynced(() => transact(body)) : () => transact(body);
      if (queued === 0) {
        assertOpen();
        const pause = giveWay.due();
        if (pause === undefined) {
          try {
            return attempt();
          } catch (error) {
            if (!isBusy(error)) throw asStoreError(error);
            giveWay.sawContention();
          }
        } else queue = pause;
      }
      queued++;
      const turn = queue.then(() => insist(attempt)).finally(() => queued--);
      queue = turn.catch(() => {});
      return turn;
    },
    async read(body) {
      assertOpen();
      try {
        return body();
      } catch (error) {
        if (!isBusy(error)) throw asStoreError(error);
      }
      return insist(body);
    },
    async shrink() {
      await insist(() => handle.exec('PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE);'));
    },
    version: () => Number((dataVersion.get() as unknown as unknown[])[0]),
    isOpen: () => handle.isOpen,
    close() {
      if (handle.isOpen) handle.close();
    },
  };
}

function whenUsed(compile: () => StatementSync): Statement {
  let compiled: StatementSync | null = null;
  const statement = () => (compiled ??= compile());
  return {
    all: (...values) => statement().all(...(values as SQLInputValue[])),
    get: (...values) => statement().get(...(values as SQLInputValue[])),
    iterate: (...values) => statement().iterate(...(values as SQLInputValue[])),
    run: (...values) => statement().run(...(values as SQLInputValue[])),
  };
}
