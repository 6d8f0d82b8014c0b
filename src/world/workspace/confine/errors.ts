/**
 * Why a path may not be used.
 * outside: it leads out of the workspace · missing: a folder on the way is not there · not-a-folder: something else
 * is in its place · special: a pipe, a device or a socket · changed: it was changed while it was looked at
 * bad-path: it is no path of a file
 */
export type ConfinementCode = 'outside' | 'missing' | 'not-a-folder' | 'special' | 'changed' | 'bad-path';

/** Its message is a clause that says what is wrong with which path. */
export class ConfinementError extends Error {
  readonly code: ConfinementCode;
  constructor(code: ConfinementCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConfinementError';
    this.code = code;
  }
}
