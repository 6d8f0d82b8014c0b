import { StoreError } from '../errors.ts';

/** Of the connection, whatever was asked over it: as Node and the driver name them. */
const broken = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** What the driver says without a code. */
const brokenWords = /connection terminated|connection error|not queryable|timeout|client was closed/i;

/** 08: connection; 57P: shut down, crashed, starting; 53300: no connection left; 25P03: silent for too long in a transaction. */
const unreachable = /^(08...|57P0[1-5]|53300|25P03)$/;
/** The transaction was undone for the sake of another, and has not happened. */
const undone = new Set(['40001', '40P01']);

/** As Node names what is wrong with a certificate; and what the driver says of a server that has none. */
const untrusted = /CERT|SELF_SIGNED|^ERR_TLS_|^UNABLE_TO_/;
const withoutTls = /does not support SSL/i;

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');

/** The server was not there, or went away. What was being written may be written or not. */
export function isLostConnection(error: unknown): boolean {
  if (error instanceof StoreError) return error.code === 'store-unreachable';
  const code = codeOf(error);
  if (code !== '') return broken.has(code) || unreachable.test(code);
  return error instanceof Error && brokenWords.test(error.message);
}

/** Nothing was written, and the same again may go through. */
export const isUndone = (error: unknown): boolean => undone.has(codeOf(error));

/** Says in a StoreError what went wrong; one that is one already stays as it is, and so does what is a fault of ours. */
export function toStoreError(error: unknown, where: string): unknown {
  if (error instanceof StoreError) return error;
  if (isLostConnection(error)) return new UnreachableStore(where, error);
  const code = codeOf(error);
  if (code === 'ERR_INVALID_URL') {
    // Not with its cause, which holds the address and so the password.
    const what = `The address of the database cannot be read. Write it as postgres://user:password@host:port/name; what is special in a password is written as in every address (@ is %40, / is %2F).`;
    return new StoreError('store-io', what);
  }
  const said = error instanceof Error ? error.message : String(error);
  if (untrusted.test(code) || withoutTls.test(said)) {
    const what = `${where} was not talked to: ${said}. With TLS the address says whose certificate is trusted: ?sslmode=verify-full&sslrootcert=FILE.`;
    return new StoreError('store-io', what, error);
  }
  if (code === '53100') {
    const what = `The disk of ${where} is full. Nothing was lost; free some space and try again.`;
    return new StoreError('disk-full', what, error);
  }
  if (code === '25006' || code === '42501') {
    const what = `${where} cannot be written (${said}). Connect to the primary, as a role that may write.`;
    return new StoreError('store-readonly', what, error);
  }
  if (code.startsWith('28') || code === '3D000') {
    const what = `${where} could not be opened: ${said}. Check the user, the password and the database's name.`;
    return new StoreError('store-io', what, error);
  }
  if (code.startsWith('XX')) {
    const what = `${where} is damaged: ${said}. Restore it from a backup.`;
    return new StoreError('store-corrupt', what, error);
  }
  return /^[0-9A-Z]{5}$/.test(code)
    ? new StoreError('store-io', `${where} could not be used: ${said}.`, error)
    : error;
}

/** The same append may be sent again: its id says whether it was written. */
class UnreachableStore extends StoreError {
  readonly retryable = true;

  constructor(where: string, cause: unknown) {
    const said = cause instanceof Error ? cause.message : String(cause);
    super(
      'store-unreachable',
      `${where} cannot be reached (${said}). See that PostgreSQL is running and that the address is right, then try again.`,
      cause,
    );
  }
}
