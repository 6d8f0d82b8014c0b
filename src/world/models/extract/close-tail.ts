/**
 * JSON that breaks off, closed: what was begun and cannot stand (half a word, a key without its value, a comma) is
 * left out, and what is open is closed. Null where nothing was open, or where it is broken elsewhere. Linear, and
 * without recursion, so that length and depth do not matter.
 */
export function closeTail(text: string): string | null {
  const open: string[] = [];
  /** Where the text can be cut so that closing makes it whole, and what had to be closed there. */
  let good: { end: number; depth: number } | null = null;
  let at = 0;
  /** Within an object: whether a key is due, its colon, its value, or what comes after. */
  let due: 'value' | 'key' | 'colon' | 'after' = 'value';
  const mark = () => {
    good = { end: at, depth: open.length };
  };
  while (at < text.length) {
    const char = text[at]!;
    if (char === ' ' || char === '\n' || char === '\r' || char === '\t') {
      at += 1;
      continue;
    }
    if (char === '{' || char === '[') {
      if (due !== 'value') return null;
      open.push(char === '{' ? '}' : ']');
      at += 1;
      due = char === '{' ? 'key' : 'value';
      mark();
    } else if (char === '}' || char === ']') {
      if (open.pop() !== char) return null;
      at += 1;
      due = 'after';
      if (open.length === 0) return null;
      mark();
    } else if (char === ',') {
      if (due !== 'after') return null;
      due = open.at(-1) === '}' ? 'key' : 'value';
      at += 1;
    } else if (char === ':') {
      if (due !== 'colon') return null;
      due = 'value';
      at += 1;
    } else if (char === '"') {
      const end = stringEnd(text, at);
      if (due !== 'key' && due !== 'value') return null;
      if (end === -1) {
        return due === 'value' ? closed(`${withoutHalfEscape(text)}"`, open) : cut(text, good, open);
      }
      at = end;
      if (due === 'key') due = 'colon';
      else {
        due = 'after';
        mark();
      }
    } else {
      if (due !== 'value') return null;
      const end = wordEnd(text, at);
      // A number or a word at the very end may be half of one.
      if (end === text.length) return cut(text, good, open);
      if (!/^(true|false|null|-?\d+(\.\d+)?([eE][+-]?\d+)?)$/.test(text.slice(at, end))) return null;
      at = end;
      due = 'after';
      mark();
    }
  }
  return open.length === 0 ? null : cut(text, good, open);
}

const closed = (text: string, open: readonly string[]): string => text + open.toReversed().join('');

function cut(
  text: string,
  good: { end: number; depth: number } | null,
  open: readonly string[],
): string | null {
  return good === null ? null : closed(text.slice(0, good.end), open.slice(0, good.depth));
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return -1;
}

function wordEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !/[\s,:{}[\]"]/.test(text[at]!)) at += 1;
  return at;
}

/** `\` and `\u12` at the end would swallow the quote. */
const withoutHalfEscape = (text: string): string =>
  /(^|[^\\])(\\\\)*\\(u[0-9a-fA-F]{0,3})?$/.test(text.slice(-64))
    ? text.replace(/\\(u[0-9a-fA-F]{0,3})?$/, '')
    : text;
