import { appendFileSync, readFileSync, statSync } from 'node:fs';
import type { OutputRange } from '../../../core/stream/index.ts';
import { errorsOf } from './files.ts';

/** A log may have megabytes of single lines: of more than this nothing is noted. */
const mostBytes = 256 * 1024;

/** Notes which bytes of a log came from stderr. It is written after them, so that it never says more than there is. */
export function noteErrors(log: string) {
  const path = errorsOf(log);
  let size: number | null = null;
  return (start: number, end: number): void => {
    size ??= notedErrors(log);
    if (size > mostBytes) return;
    const line = `${start} ${end}\n`;
    appendFileSync(path, line, { mode: 0o600 });
    size += line.length;
  };
}

export const notedErrors = (log: string): number =>
  statSync(errorsOf(log), { throwIfNoEntry: false })?.size ?? 0;

/** What was noted, with what lies side by side taken together. A line that is not whole is none. */
export function readErrors(log: string): OutputRange[] {
  if (notedErrors(log) === 0) return [];
  const lines = readFileSync(errorsOf(log), 'utf8').split('\n').slice(0, -1);
  return joinRanges(lines.map((line) => line.split(' ').map(Number) as OutputRange));
}

/** Those that lie side by side as one; they come in order. */
export function joinRanges(ranges: Iterable<OutputRange>): OutputRange[] {
  const joined: OutputRange[] = [];
  for (const [start, end] of ranges) {
    const last = joined.at(-1);
    if (last !== undefined && last[1] === start) last[1] = end;
    else joined.push([start, end]);
  }
  return joined;
}
