import { accessSync, chmodSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StoreError, type StoreErrorCode, toStoreError } from '../errors.ts';
import { makeFolder } from '../folder.ts';
import { connect, type Database } from './database.ts';
import { applicationId, madeBy, migrations, onOneLine } from './schema.ts';

export interface DatabaseOptions {
  dir: string;
  lockTimeoutMs: number;
}

/**
 * Opens the file, and makes it where it is missing. On a disk that has no room left, or that cannot be written, what is there
 * can still be read:
 *
 *   as always ──disk-full──▶ alone: with no shared memory beside it, so that it needs no room
 *       └──store-readonly──▶ to read: a write is refused
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const file = join(options.dir, 'planwright.db');
  try {
    return await open(options, file, asAlways);
  } catch (error) {
    const failure = toStoreError(error, existing(file) ? file : options.dir);
    const otherwise = otherways[failure.code];
    if (otherwise === undefined || !existing(file)?.size) throw failure;
    return open(options, file, otherwise).catch((second: unknown) => {
      throw second instanceof StoreError && second.code === 'store-locked' ? second : failure;
    });
  }
}

interface Way {
  /** May throw, before the file is opened. */
  prepare?(dir: string, file: string): void;
  handle(file: string): DatabaseSync;
  /** How it is used from now on. */
  pragmas: string;
}

// Fewer, larger checkpoints: each costs two syncs of the main file.
const durable = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864;';

const asAlways: Way = {
  prepare: prepareFiles,
  handle: (file) => new DatabaseSync(file),
  pragmas: durable,
};

const otherways: { readonly [C in StoreErrorCode]?: Way } = {
  'disk-full': {
    handle(file) {
      const handle = new DatabaseSync(file);
      handle.exec('PRAGMA locking_mode = EXCLUSIVE');
      return handle;
    },
    pragmas: durable,
  },
  'store-readonly': { handle: readOnly, pragmas: '' },
};

/** With nothing beside it, it is all there is; else somebody writes, or was cut short, and that is read too. */
function readOnly(file: string): DatabaseSync {
  const isWhole = !existing(`${file}-shm`) && !existing(`${file}-wal`)?.size;
  const url = pathToFileURL(file);
  if (isWhole) url.search = 'immutable=1';
  return new DatabaseSync(url, { readOnly: true });
}

async function open({ dir, lockTimeoutMs }: DatabaseOptions, file: string, way: Way): Promise<Database> {
  let handle: DatabaseSync | undefined;
  try {
    way.prepare?.(dir, file);
    handle = way.handle(file);
    const db = connect(handle, file, lockTimeoutMs);
    await db.read(() => refuseOthers(db, file));
    await db.read(() => {
      // Said of a file that is there already, it would be written each time.
      if (pragma(db, 'user_version') === 0) db.exec('PRAGMA auto_vacuum = INCREMENTAL');
      db.exec(way.pragmas);
    });
    await migrate(db);
    return db;
  } catch (error) {
    handle?.close();
    throw error;
  }
}

/** Longer than some twenty calls of a guard make it. */
const LONG_LOG = 1024 * 1024;

/**
 * Whether the log of what was written is so long that it should not be left behind. Whoever opens the store when nobody else has
 * it open reads all of the log, and no longer knows what of it is in the main file: the log of processes that never close the store
 * has no end.
 */
export const isLogLong = (dir: string): boolean =>
  (existing(`${join(dir, 'planwright.db')}-wal`)?.size ?? 0) > LONG_LOG;

const existing = (path: string) => statSync(path, { throwIfNoEntry: false });

/** A folder and a file that only their owner can read. SQLite gives -wal and -shm the mode of the main file. */
function prepareFiles(dir: string, file: string): void {
  makeFolder(dir);
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
