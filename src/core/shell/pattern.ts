/** One piece of a word: text that stands for itself, or text whose `*`, `?` and `[…]` match names. */
export interface PatternPiece {
  readonly text: string;
  readonly active: boolean;
}

export const hasPattern = (pieces: readonly PatternPiece[]): boolean =>
  pieces.some((piece) => piece.active && /[*?]|\[.*\]/s.test(piece.text));

export const plainText = (pieces: readonly PatternPiece[]): string =>
  pieces.map((piece) => piece.text).join('');

/** For a pattern with the `u` flag, where only what has a meaning may be escaped. */
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
const escapedInSet = (text: string): string => text.replace(/[\\^[\]-]/g, '\\$&');

const classes: Readonly<Record<string, string>> = {
  alpha: '\\p{L}',
  digit: '0-9',
  alnum: '\\p{L}\\p{N}',
  upper: '\\p{Lu}',
  lower: '\\p{Ll}',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`{-~',
  xdigit: '0-9A-Fa-f',
  word: '\\p{L}\\p{N}_',
};

/** One component of a pattern as bash matches it against one name; null where it is beyond what we read. */
export function namePattern(pieces: readonly PatternPiece[]): RegExp | null {
  let source = '';
  for (const piece of pieces) {
    const made = piece.active ? activeSource(piece.text) : escaped(piece.text);
    if (made === null) return null;
    source += made;
  }
  // A dot at the start of a name is matched by a dot only.
  const dotted = plainText(pieces).startsWith('.');
  try {
    return new RegExp(`^${dotted ? '' : '(?!\\.)'}${source}$`, 'su');
  } catch {
    return null;
  }
}

function activeSource(text: string): string | null {
  let source = '';
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? '';
    if (char === '*') source += '.*';
    else if (char === '?') source += '.';
    else if (char === '\\') return null;
    else if (char === '[') {
      const set = bracket(text, i);
      if (set === null) return null;
      if (set === undefined) source += '\\[';
      else {
        source += set.source;
        i = set.end;
      }
    } else source += escaped(char);
  }
  return source;
}

/** `[a-z]`, `[!x]`, `[[:alpha:]]`. Undefined where it is no set, null where it is one that we do not read. */
function bracket(text: string, start: number): { source: string; end: number } | null | undefined {
  let i = start + 1;
  const negated = text[i] === '!' || text[i] === '^';
  if (negated) i += 1;
  let inside = '';
  for (let first = true; i < text.length; first = false) {
    const char = text[i] ?? '';
    if (char === ']' && !first) return { source: `[${negated ? '^/' : ''}${inside}]`, end: i };
    if (char === '[' && (text[i + 1] === '.' || text[i + 1] === '=')) return null;
    const named = char === '[' ? /^\[:(\w+):\]/.exec(text.slice(i)) : null;
    if (named) {
      const known = Object.hasOwn(classes, named[1] ?? '') ? classes[named[1] ?? ''] : undefined;
      if (known === undefined) return null;
      inside += known;
      i += named[0].length;
    } else {
      const dash = char === '-' && !first && text[i + 1] !== ']';
      inside += dash ? '-' : escapedInSet(char);
      i += 1;
    }
  }
  return undefined;
}
