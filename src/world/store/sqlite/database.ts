import { accessSync, chmodSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { isBusy, locked, StoreError, toStoreError } from '../errors.ts';
import { createYield, pauseFor } from './giving-way.ts';
import { applicationId, madeBy, migrations, onOneLine } from './schema.ts';

/** One connection. Bodies are synchronous, so a transaction is never open across an await. */
export interface Database {
  file: string;
  prepare(sql: string): StatementSync;
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

export interface DatabaseOptions {
  dir: string;
  lockTimeoutMs: number;
}

export async function openDatabase({ dir, lockTimeoutMs }: DatabaseOptions): Promise<Database> {
  const file = join(dir, 'planwright.db');
  let handle: DatabaseSync | undefined;
  try {
    prepareFiles(dir, file);
    handle = new DatabaseSync(file);
    const db = connect(handle, file, lockTimeoutMs);
    await db.read(() => refuseOthers(db, file));
    await db.read(() => {
      db.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
      // Fewer, larger checkpoints: each costs two syncs of the main file.
      db.exec('PRAGMA journal_size_limit = 67108864;');
    });
    await migrate(db);
    return db;
  } catch (error) {
    handle?.close();
    throw toStoreError(error, existing(file) ? file : dir);
  }
}

const existing = (path: string) => statSync(path, { throwIfNoEntry: false });

/** A folder and a file that only their owner can read. SQLite gives -wal and -shm the mode of the main file. */
function prepareFiles(dir: string, file: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (statSync(dir).mode & 0o077) chmodSync(dir, 0o700);
  accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  const stat = existing(file);
  if (!stat) closeSync(openSync(file, 'a', 0o600));
  else {
    // Not opened here: closing a second descriptor would drop the locks of a connection in this process.
    accessSync(file, constants.R_OK | constants.W_OK);
    if (stat.mode & 0o077) chmodSync(file, 0o600);
  }
}

const pragma = (db: Database, name: string): number =>
  Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);

function refuseOthers(db: Database, file: string): void {
  const version = pragma(db, 'user_version');
  const id = pragma(db, 'application_id');
  const tables = new Set(
    db
      .prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL')
      .all()
      .map(({ sql }) => onOneLine(String(sql))),
  );
  if (tables.size === 0 && version === 0) return;
  if (id !== applicationId) {
    throw new StoreError(
      'store-foreign',
      `${file} is a database of another program. Move it away, or choose another folder with PLANWRIGHT_HOME.`,
    );
  }
  if (version > migrations.length) {
    throw new StoreError(
      'store-newer',
      `${file} was written by a newer version of planwright (database version ${version}, this one knows ${migrations.length}). Upgrade planwright, or choose another folder with PLANWRIGHT_HOME.`,
    );
  }
  // Between releases a migration may change: what it once made is then nothing that this version can use.
  if (madeBy(version).some((statement) => !tables.has(statement))) {
    throw new StoreError(
      'store-other',
      `${file} was written by a version of planwright that was never released, and its tables are not those that this one makes. It was left as it is: move it away together with its -wal and -shm files, or choose another folder with PLANWRIGHT_HOME.`,
    );
  }
}

/** Each migration in one transaction; whoever comes second finds it done. */
async function migrate(db: Database): Promise<void> {
  const versionNow = () => pragma(db, 'user_version');
  let version = await db.read(versionNow);
  while (version < migrations.length) {
    version = await db.write(() => {
      const found = versionNow();
      const migration = migrations[found];
      if (migration === undefined) return found;
      db.exec(migration);
      db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${found + 1};`);
      return found + 1;
    });
  }
}

function connect(handle: DatabaseSync, file: string, lockTimeoutMs: number): Database {
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
    const deadline = performance.now() + lockTimeoutMs;
    for (let tries = 1; ; tries++) {
      assertOpen();
      try {
        return attempt();
      } catch (error) {
        if (!isBusy(error)) throw asStoreError(error);
        if (performance.now() >= deadline) throw locked(file, error);
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
    prepare: (sql) => handle.prepare(sql),
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
