import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../world/store/folder.ts';
import { AppError } from './errors.ts';

/** The text of a file, or null where there is none. Other failures are thrown. */
export function readIfThere(path: string): string | null {
  // Most of what is asked for is not there, and to be thrown at costs many times the look.
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return null;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Replaces a file whole or not at all; for its owner only. Throws an AppError where that cannot be done. */
export function writePrivate(path: string, text: string): void {
  const next = `${path}.${process.pid}.tmp`;
  try {
    makeFolder(dirname(path));
    writeFileSync(next, text, { mode: 0o600 });
    chmodSync(next, 0o600);
    renameSync(next, path);
  } catch (cause) {
    if (existsSync(next)) rmSync(next, { force: true });
    const why = cause instanceof Error ? cause.message.replace(/,.*/s, '') : String(cause);
    const mend =
      'Make room for it and let yourself write there, or choose another folder with PLANWRIGHT_HOME.';
    throw new AppError('not-kept', `${path} could not be written: ${why}. ${mend}`, { cause });
  }
}
