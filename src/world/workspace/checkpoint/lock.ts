import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { CheckpointError } from './errors.ts';

export interface Lock {
  /** Does the work while no other process and nobody else in this one holds the lock. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

const isBusy = (error: unknown): boolean => (Number((error as { errcode?: number }).errcode) & 0xff) === 5;

/**
 * An exclusive lock that ends with its process, however that ends. Node offers no `flock`; SQLite does, in the
 * form of an exclusive transaction on an empty database.
 */
export function openLock(folder: string, name: string, timeoutMs: number): Lock {
  const database = new DatabaseSync(join(folder, name));
  database.exec('PRAGMA busy_timeout = 0');
  let queue: Promise<unknown> = Promise.resolve();

  let isPlain = false;
  const tryToTake = (): boolean => {
    try {
      // Nothing is ever written, and yet a journal would be made and removed each time. It is busy where somebody holds it.
      if (!isPlain) database.exec('PRAGMA journal_mode = MEMORY');
      isPlain = true;
      database.exec('BEGIN EXCLUSIVE');
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  };
  const take = async (): Promise<void> => {
    const until = performance.now() + timeoutMs;
    while (!tryToTake()) {
      if (performance.now() > until)
        throw new CheckpointError(
          'checkpoints-locked',
          `Another process keeps ${folder} locked. Wait for it or end it, then try again.`,
        );
      await sleep(5 + Math.random() * 20);
    }
  };
  const holdAlone = async <T>(work: () => Promise<T>): Promise<T> => {
    await take();
    try {
      return await work();
    } finally {
      database.exec('ROLLBACK');
    }
  };
  return {
    hold: (work) => {
      const result = queue.then(() => holdAlone(work));
      queue = result.catch(() => {});
      return result;
    },
    close: () => database.close(),
  };
}
