import { statfsSync } from 'node:fs';

/**
 * What a store can refuse, in one word that a machine can act on.
 *
 *   store-newer     written by a later version of the program
 *   store-other     written by a version that was never released, with other tables
 *   store-foreign   a database of some other program
 *   store-corrupt   not a database, or one with damaged pages
 *   store-readonly  the folder or a file in it cannot be written
 *   disk-full       no space left, or over quota
 *   store-locked    another process kept the database for longer than we wait
 *   store-io        any other failure of the disk
 *   store-unreachable  the database server is not there, or has gone away: the same again may go through
 *   store-key       the key that values are sealed with is missing or damaged
 *   stream-unknown  a request or an outcome for a stream that does not exist
 *   kind-unknown    a stream of a kind that this program does not have
 *   store-closed    used after `close`
 */
export type StoreErrorCode =
  | 'store-newer'
  | 'store-other'
  | 'store-foreign'
  | 'store-corrupt'
  | 'store-readonly'
  | 'disk-full'
  | 'store-locked'
  | 'store-io'
  | 'store-unreachable'
  | 'store-key'
  | 'stream-unknown'
  | 'kind-unknown'
  | 'store-closed';

/** The only error this room throws. Its message is a sentence that says what happened and what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  /** How a command ends that could not go on because of this. */
  readonly exitCode: number = 1;

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** SQLite's primary result codes, the low byte of `errcode`. */
const sqlite = {
  perm: 3,
  busy: 5,
  locked: 6,
  readonly: 8,
  ioerr: 10,
  corrupt: 11,
  full: 13,
  cantopen: 14,
  notadb: 26,
};
const primary = (error: unknown): number =>
  (error as { code?: unknown })?.code === 'ERR_SQLITE_ERROR'
    ? Number((error as { errcode?: number }).errcode) & 0xff
    : 0;

/** Another connection has the lock: worth trying again. */
export const isBusy = (error: unknown): boolean => {
  const code = primary(error);
  return code === sqlite.busy || code === sqlite.locked;
};

const full = (where: string, cause: unknown) =>
  new StoreError(
    'disk-full',
    `The disk that holds ${where} is full. Nothing was lost; free some space and try again.`,
    cause,
  );
const readonly = (where: string, cause: unknown) =>
  new StoreError(
    'store-readonly',
    `${where} cannot be written. Make it writable for you, or choose another folder with PLANWRIGHT_HOME.`,
    cause,
  );
const unmakeable = (where: string, cause: unknown) =>
  new StoreError('store-io', `${where} cannot be made. Choose another folder with PLANWRIGHT_HOME.`, cause);
export const corrupt = (where: string, cause: unknown) =>
  new StoreError(
    'store-corrupt',
    `${where} is damaged or is not a database. It was left as it is: move it away together with its -wal and -shm files, or restore it from a backup.`,
    cause,
  );
export const locked = (where: string, cause: unknown) =>
  new StoreError(
    'store-locked',
    `Another process keeps ${where} locked. Wait for it or end it, then try again.`,
    cause,
  );

export const unknownStream = (stream: string) =>
  new StoreError(
    'stream-unknown',
    `There is no run ${stream}. List the runs there are with: planwright runs`,
  );

export const unknownKind = (kind: string) =>
  new StoreError(
    'kind-unknown',
    `This version of planwright does not know streams of the kind ${JSON.stringify(kind)}. Upgrade planwright.`,
  );

/** Says in a StoreError what went wrong at `where`; one that is one already stays as it is. */
export function toStoreError(error: unknown, where: string): StoreError {
  if (error instanceof StoreError) return error;
  switch ((error as { code?: unknown })?.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return full(where, error);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return readonly(where, error);
    // A file stands in the way, or it is where no folder can be made.
    case 'ENOTDIR':
    case 'EEXIST':
    case 'ENOENT':
      return unmakeable(where, error);
  }
  switch (primary(error)) {
    case sqlite.full:
      return full(where, error);
    case sqlite.perm:
    case sqlite.readonly:
      return readonly(where, error);
    case sqlite.corrupt:
    case sqlite.notadb:
      return corrupt(where, error);
    case sqlite.busy:
    case sqlite.locked:
      return locked(where, error);
    case sqlite.ioerr:
    case sqlite.cantopen:
      // SQLite reports a full disk as a plain I/O error where it maps its shared memory.
      if (hasNoSpace(where)) return full(where, error);
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError(
    'store-io',
    `${where} could not be used: ${reason}. Check the disk and try again.`,
    error,
  );
}

function hasNoSpace(path: string): boolean {
  try {
    const disk = statfsSync(path);
    return disk.bavail * disk.bsize < 64 * 1024;
  } catch {
    return false;
  }
}
