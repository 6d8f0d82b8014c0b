import { sep } from 'node:path';
import { expandBraces, namePattern } from '../../../core/shell/index.ts';

/**
 * The pattern language of LIST_FILES, one segment between slashes at a time:
 *
 *   *  any characters · ?  one character · [a-z]  one of them, [!a-z] one of the others · {ts,js}  either
 *   **  any number of folders, where it is a segment of its own
 *
 * Names that begin with a dot are matched only by a segment that begins with a dot.
 */
const special = /[*?[{]/;

/** What comes before the first segment with a pattern in it, and that segment with all that follow. */
export function splitPattern(pattern: string): { base: string; rest: string } {
  const parts = pattern.split(sep);
  const first = parts.findIndex((part) => special.test(part));
  const at = first === -1 ? parts.length - 1 : first;
  const base = parts.slice(0, at).join(sep);
  const isAbsolute = pattern.startsWith(sep);
  return { base: base === '' ? (isAbsolute ? sep : '.') : base, rest: parts.slice(at).join(sep) };
}

/** `a{b,c}` is two patterns. Bounded: what would be more than so many stays as it is written. */
export const alternatives = (pattern: string): string[] =>
  expandBraces(pattern, { most: 256, quotes: false, ranges: false }) ?? [pattern];

export type Segment = '**' | ((name: string) => boolean);

/** The segments of one alternative, in order. */
export const segmentsOf = (pattern: string): Segment[] =>
  pattern
    .split(sep)
    .filter((part) => part !== '' && part !== '.')
    .map((part) => (part === '**' ? part : matcherOf(part)));

/** A list that is none, such as `[z-a]`, matches nothing. */
function matcherOf(part: string): (name: string) => boolean {
  if (!special.test(part)) return (name) => name === part;
  const pattern = namePattern([{ text: part, active: true }]);
  return (name) => pattern?.test(name) ?? false;
}
