import { appendFileSync, closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { endOf } from './files.ts';

/** In the folder of a stream: a line for each of its logs that has ended. */
const fileIn = (folder: string): string => join(folder, 'ends');

/**
 * Says that nothing more will come. It is begun by a line break, so that what somebody was killed in, or a full disk cut off,
 * spoils no line but its own.
 */
export const noteEnd = (log: string): void =>
  appendFileSync(fileIn(dirname(log)), `\n${basename(endOf(log))}`, { mode: 0o600 });

export const hasEnded = (log: string): boolean => endsIn(dirname(log)).has(basename(endOf(log)));

/** What has been read of such a file: it only ever grows, and is read on from there. */
interface Known {
  file: string;
  size: number;
  /** The line that was read last, which may go on. */
  last: string;
  lines: Set<string>;
}
const known = new Map<string, Known>();
const KNOWN = 64;

const nothing: ReadonlySet<string> = new Set();

/** The names of the logs in a folder that have ended, each with `.end`. */
export function endsIn(folder: string): ReadonlySet<string> {
  const path = fileIn(folder);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return nothing;
  const one = knownOf(path, stats);
  while (one.size < stats.size) {
    const read = readFrom(path, one.size, stats.size - one.size);
    if (read.length === 0) break;
    const lines = (one.last + read.toString('latin1')).split('\n');
    for (const line of lines) if (line.endsWith('.end')) one.lines.add(line);
    one.last = lines.at(-1)!;
    one.size += read.length;
  }
  return one.lines;
}

/** A folder that was removed and made anew has another file, though its number may be the same. */
function knownOf(path: string, { ino, birthtimeMs, size }: Stats): Known {
  const file = `${ino} ${birthtimeMs}`;
  const before = known.get(path);
  if (before?.file === file && before.size <= size) return before;
  const one: Known = { file, size: 0, last: '', lines: new Set() };
  known.delete(path);
  known.set(path, one);
  for (const oldest of known.keys()) {
    if (known.size <= KNOWN) break;
    known.delete(oldest);
  }
  return one;
}

/** Empty where it has gone meanwhile, with its stream. */
function readFrom(path: string, from: number, length: number): Buffer {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
  try {
    const bytes = Buffer.allocUnsafe(Math.min(length, 1 << 20));
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
  } finally {
    closeSync(fd);
  }
}
