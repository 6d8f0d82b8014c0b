import { closeSync, constants, openSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ConfinementError } from './errors.ts';

/**
 * A folder of the workspace that is held, so that nobody can put another one in its place.
 *
 * On Linux it is held by a descriptor, and `at` names its entries through that: a link that is put on the way there
 * is not followed, because the way is not walked again. Elsewhere the way is looked at again before each use, which
 * leaves a moment between look and use.
 */
export interface HeldFolder {
  /** Where it really was when it was opened. */
  readonly path: string;
  /** A path to an entry, for calls that follow no link at the end. Valid until `close`. */
  at(name: string): string;
  /** A folder in it. Follows no link: where there is one, or no folder, it throws as the system does. */
  open(name: string): HeldFolder;
  close(): void;
}

/** Refers to a file without opening it: needs no right to read, and no device notices. Linux only. */
const O_PATH = 0o10000000;
const { O_DIRECTORY, O_NOFOLLOW } = constants;

/** Whether folders can be held by descriptor. */
export const canHold = process.platform === 'linux';

/** Opens a folder by its real path. */
export function openFolder(path: string, hold = canHold): HeldFolder {
  if (!hold) return watched(path);
  const folder = held(path, openSync(path, O_PATH | O_DIRECTORY | O_NOFOLLOW));
  try {
    if (readlinkSync(folder.at('.').slice(0, -2)) !== path) throw turned(path);
    return folder;
  } catch (error) {
    folder.close();
    throw error;
  }
}

function held(path: string, fd: number): HeldFolder {
  const at = (name: string): string => `/proc/self/fd/${fd}/${name}`;
  let isOpen = true;
  return {
    path,
    at,
    open: (name) => held(join(path, name), openSync(at(name), O_PATH | O_DIRECTORY | O_NOFOLLOW)),
    close() {
      if (isOpen) closeSync(fd);
      isOpen = false;
    },
  };
}

function watched(path: string): HeldFolder {
  const check = (): void => {
    if (realpathSync(path) !== path) throw turned(path);
  };
  check();
  return {
    path,
    at(name) {
      check();
      return join(path, name);
    },
    open: (name) => {
      check();
      const inner = join(path, name);
      closeSync(openSync(inner, O_DIRECTORY | O_NOFOLLOW));
      return watched(inner);
    },
    close() {},
  };
}

const turned = (path: string): ConfinementError =>
  new ConfinementError('changed', `${path} was changed while it was looked at`);
