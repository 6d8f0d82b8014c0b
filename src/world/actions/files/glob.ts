import { sep } from 'node:path';

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
const MAX_ALTERNATIVES = 256;

export function alternatives(pattern: string): string[] {
  let done = [''];
  let at = 0;
  while (at < pattern.length) {
    const open = pattern.indexOf('{', at);
    const group = open === -1 ? null : readGroup(pattern, open);
    if (group === null) {
      const until = open === -1 ? pattern.length : open + 1;
      done = done.map((text) => text + pattern.slice(at, until));
      at = until;
      continue;
    }
    const before = pattern.slice(at, open);
    done = done.flatMap((text) =>
      group.choices.flatMap(alternatives).map((choice) => text + before + choice),
    );
    if (done.length > MAX_ALTERNATIVES) return [pattern];
    at = group.end;
  }
  return done;
}

/** The choices of the braces that open here; null where they hold no comma or are not closed. */
function readGroup(pattern: string, open: number): { choices: string[]; end: number } | null {
  const choices: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < pattern.length; at += 1) {
    const char = pattern[at];
    if (char === '{') depth += 1;
    else if (char === '}') depth -= 1;
    if ((char === ',' && depth === 1) || (char === '}' && depth === 0)) {
      choices.push(pattern.slice(from, at));
      from = at + 1;
    }
    if (depth === 0) return choices.length > 1 ? { choices, end: at + 1 } : null;
  }
  return null;
}

export type Segment = '**' | ((name: string) => boolean);

/** The segments of one alternative, in order. */
export const segmentsOf = (pattern: string): Segment[] =>
  pattern
    .split(sep)
    .filter((part) => part !== '' && part !== '.')
    .map((part) => (part === '**' ? part : matcherOf(part)));

function matcherOf(part: string): (name: string) => boolean {
  if (!special.test(part)) return (name) => name === part;
  const pattern = compiled(part);
  const showsHidden = part.startsWith('.');
  return (name) => (showsHidden || !name.startsWith('.')) && pattern.test(name);
}

/** A list that is none, such as `[z-a]`, matches nothing. */
function compiled(part: string): RegExp {
  try {
    return new RegExp(`^${sourceOf(part)}$`, 'su');
  } catch {
    return /(?!)/;
  }
}

function sourceOf(part: string): string {
  let source = '';
  for (let at = 0; at < part.length; at += 1) {
    const char = part[at]!;
    const list = char === '[' ? /^\[([!^]?)(\]?[^\]]*)\]/.exec(part.slice(at)) : null;
    if (char === '*') source += source.endsWith('.*') ? '' : '.*';
    else if (char === '?') source += '.';
    else if (list === null) source += escaped(char);
    else {
      source += `[${list[1] ? '^' : ''}${list[2]!.replace(/[\\[\]^]/g, '\\$&')}]`;
      at += list[0].length - 1;
    }
  }
  return source;
}

const escaped = (char: string): string => char.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
