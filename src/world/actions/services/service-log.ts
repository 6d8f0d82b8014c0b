import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Expectation } from '../../../core/contract/index.ts';
import { TAIL_BYTES } from '../../process/index.ts';
import { type OutputWatch, watchOutput } from '../expectations/output.ts';
import type { OutputFilter } from '../ports.ts';

/** How much is read of a log at once, and how far back a new reader begins. */
const READ_BYTES = 1024 * 1024;

/** The end of a log, secrets taken out. Empty where it cannot be read. */
export function tailOf(path: string, newFilter?: () => OutputFilter): { text: string; bytes: number } {
  const { bytes, size } = readFrom(path, null, TAIL_BYTES);
  const filter = newFilter?.();
  const clean = filter ? Buffer.concat([filter.write(bytes), filter.flush()]) : bytes;
  return { text: clean.toString(), bytes: size };
}

/** The last few lines, for a message. */
export function lastLines(text: string, count = 3): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-count).join(' ⏎ ');
}

/**
 * Watches a log for what is expected of the output. A service has one log for both of its streams, so both are
 * looked at, whichever is named.
 */
export function watchLog(path: string, expectation: Expectation): OutputWatch | null {
  const watch = watchOutput(expectation);
  if (watch === null || !('stream' in expectation)) return null;
  const stream = expectation.stream === 'stderr' ? 'stderr' : 'stdout';
  let at = 0;
  return {
    see: () => {},
    result() {
      for (;;) {
        const { bytes } = readFrom(path, at, READ_BYTES);
        if (bytes.length === 0) return watch.result();
        at += bytes.length;
        watch.see(stream, bytes);
      }
    },
  };
}

/** From a place on, or, for null, the last `limit` bytes. */
function readFrom(path: string, from: number | null, limit: number): { bytes: Buffer; size: number } {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return { bytes: Buffer.alloc(0), size: 0 };
  }
  try {
    const { size } = fstatSync(fd);
    const at = from ?? Math.max(0, size - limit);
    const buffer = Buffer.alloc(Math.max(0, Math.min(limit, size - at)));
    return { bytes: buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, at)), size };
  } finally {
    closeSync(fd);
  }
}
