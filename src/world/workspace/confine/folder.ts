import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { type Entry, entryAt, kindOf } from './entry.ts';
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
  /** What is there now: this folder, or nothing where it was removed. */
  entry(): Entry;
  /** A folder in it. Follows no link: where there is one, or no folder, it throws as the system does. */
  open(name: string): HeldFolder;
  close(): void;
}

/** Refers to a file without opening it: needs no right to read, and no device notices. Linux only. */
const O_PATH = 0o10000000;
const { O_DIRECTORY, O_NOFOLLOW } = constants;

/** Whether folders can be held by descriptor. */
export const canHold = process.platform === 'linux';

/** Opens the folder that a path leads to, links followed. It is held first, and then asked where it really is. */
export function openFolder(path: string, hold = canHold): HeldFolder {
  if (!hold) return watched(realpathSync(path));
  const fd = openSync(path, O_PATH | O_DIRECTORY);
  try {
    return held(readlinkSync(ownPath(fd)), fd);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

const ownPath = (fd: number): string => `/proc/self/fd/${fd}`;

function held(path: string, fd: number): HeldFolder {
  const at = (name: string): string => `${ownPath(fd)}/${name}`;
  let isOpen = true;
  return {
    path,
    at,
    // Asked of the descriptor: the way through /proc takes six times as long.
    entry: () => entryOf(fstatSync(fd)),
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
    entry: () => {
      check();
      return entryAt(path);
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

/** What was removed is nowhere, though it is held. */
const entryOf = (stats: Stats): Entry =>
  stats.nlink === 0 ? { kind: 'absent', stats: null } : { kind: kindOf(stats), stats };

const turned = (path: string): ConfinementError =>
  new ConfinementError('changed', `${path} was changed while it was looked at`);
