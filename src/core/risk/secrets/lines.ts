import type { SecretRange } from './find.ts';
import { pemBegin, pemEnd } from './patterns.ts';
import type { SecretStream } from './types.ts';

/**
 * The stream is read line by line, because no secret but a private key crosses a line end; so how the text
 * was cut into chunks cannot matter. Three states:
 *
 *   open ── line with BEGIN PRIVATE KEY ──▶ in key ── END, or too much of it ──▶ open
 *   open ── line longer than `longest` ──▶ cut where no secret is cut ──▶ open
 */
const longest = 16_384;
const overlap = 1_024;
const block = 32_768;
/** A key longer than this is none; without a limit one stray BEGIN would hide the rest of a log. */
const keyLimit = 65_536;
const hidden = '[secret]';

interface LineRules {
  /** Secrets of some whole lines: sorted, not overlapping. */
  ranges(text: string): SecretRange[];
  /** Characters that must be held back because a known value with spaces may be under way. */
  readonly hold: number;
}

/** Words after which a secret may come; a line is held back from the first of them on. */
const herald = /passw|passphrase|secret|token|key|auth|bearer|credential|cookie|-u[ \t=]|--user|login|-----/i;

export function createLines({ ranges, hold }: LineRules): SecretStream {
  let rest = '';
  /** How much of `rest`, the unfinished line, was given out already. */
  let given = 0;
  let inKey = false;
  let keyLength = 0;

  /** `text` from `from` to `to` with its secrets hidden. Secrets are looked for in all of it. */
  const redact = (text: string, from = 0, to = text.length): string => hide(text, ranges(text), from, to);

  /** Filters complete lines, some of which may belong to a key. The first `skip` characters were given out. */
  const complete = (text: string, skip: number): string => {
    if (!inKey && !text.includes('-----BEGIN ')) return redact(text, skip);
    let output = '';
    let first = skip;
    for (const line of splitLines(text)) {
      output += keyLine(line, first);
      first = 0;
    }
    return output;
  };

  const keyLine = (line: string, skip: number): string => {
    if (!inKey) {
      const begin = pemBegin.exec(line);
      if (!begin) return redact(line, skip);
      const after = line.slice(begin.index);
      const shown = redact(line.slice(0, begin.index), skip) + hidden;
      const end = pemEnd.exec(after);
      if (end) return shown + keyLine(after.slice(end.index + end[0].length), 0);
      inKey = true;
      keyLength = after.length;
      return shown + (/[\r\n]$/.test(line) ? '\n' : '');
    }
    keyLength += line.length;
    const end = pemEnd.exec(line);
    if (end) {
      inKey = false;
      const tail = line.slice(end.index + end[0].length);
      return /^\r?\n?$/.test(tail) ? '' : keyLine(tail, 0);
    }
    if (keyLength > keyLimit) inKey = false;
    return '';
  };

  /** How much of an unfinished line is certain: up to a space, before any herald, short of any cut. */
  const certain = (line: string): number => {
    if (inKey) return 0;
    const warned = herald.exec(line)?.index ?? line.length;
    const limit = Math.min(warned, line.length - hold, longest / 2);
    return limit <= 0 ? 0 : Math.max(line.lastIndexOf(' ', limit - 1), line.lastIndexOf('\t', limit - 1)) + 1;
  };

  /** Moves a place out of a known value with spaces in it. */
  const outside = (line: string, place: number): number => {
    if (hold === 0 || place <= given) return place;
    const around = ranges(line).find((range) => range.start < place && range.end > place);
    return around ? around.start : place;
  };

  /** Where to cut a line that is too long: at a space, and never inside a secret. */
  const cutOf = (line: string): number => {
    const window = line.slice(0, longest);
    let cut = longest - overlap;
    const space = window.lastIndexOf(' ', cut - 1) + 1;
    if (space > longest / 2) cut = space;
    for (const range of ranges(window))
      if (range.start < cut && range.end > cut) cut = range.start > 0 ? range.start : range.end;
    const key = pemBegin.exec(window);
    if (key && !inKey && key.index > 0 && key.index < cut && key.index + key[0].length > cut) cut = key.index;
    return cut;
  };

  /** Filters whatever of `rest` is finished, block by block, and keeps what is not. */
  const takeAll = (): string => {
    let output = '';
    let start = 0;
    for (;;) {
      let end = shortLines(rest, start);
      if (end === start) {
        if (rest.length - start <= longest) break;
        end = start + cutOf(rest.slice(start, start + longest));
      }
      output += complete(rest.slice(start, end), Math.min(given, end - start));
      given = Math.max(0, given - (end - start));
      start = end;
    }
    if (start > 0) rest = rest.slice(start);
    return output;
  };

  return {
    push(chunk) {
      if (chunk === '') return '';
      rest += chunk;
      const output = takeAll();
      const safe = outside(rest, certain(rest));
      if (safe <= given) return output;
      const more = redact(rest, given, safe);
      given = safe;
      return output + more;
    },
    flush() {
      const output = rest === '' ? '' : complete(rest, given);
      rest = '';
      given = 0;
      inKey = false;
      return output;
    },
  };
}

/** `text` from `from` to `to` with these parts of it hidden: sorted, not overlapping. */
export function hide(text: string, found: readonly SecretRange[], from = 0, to = text.length): string {
  if (found.length === 0) return from === 0 && to === text.length ? text : text.slice(from, to);
  let output = '';
  let at = from;
  for (const range of found) {
    if (range.end <= at || range.start >= to) continue;
    output += text.slice(at, Math.max(at, range.start)) + hidden;
    at = range.end;
  }
  return at < to ? output + text.slice(at, to) : output;
}

const lineEnd = (text: string, from: number): number => {
  const feed = text.indexOf('\n', from);
  const back = text.indexOf('\r', from);
  if (feed === -1 && back === -1) return text.length;
  return (feed === -1 ? back : back === -1 ? feed : Math.min(feed, back)) + 1;
};

const isLineEnd = (code: number): boolean => code === 10 || code === 13;

function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, start);
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

/**
 * The end of a run of finished lines from `start` that are all short enough, of about `block` characters:
 * patterns are quick on small texts. `start` itself where the first line is not finished or too long.
 */
function shortLines(text: string, start: number): number {
  let at = start;
  while (at - start < block) {
    let end = Math.min(at + longest, text.length);
    while (end > at && !isLineEnd(text.charCodeAt(end - 1))) end--;
    if (end <= at) break;
    at = end;
  }
  return at;
}
