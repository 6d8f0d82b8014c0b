/** What text with braces is made of: `quotes` keep what is in them as it is, `ranges` count (`{1..3}`). */
export interface BraceRules {
  readonly most: number;
  readonly quotes: boolean;
  readonly ranges: boolean;
}

/** As bash reads a word. */
const asBash: BraceRules = { most: 256, quotes: true, ranges: true };

/**
 * `a{b,c}d` → `abd acd`, `{1..3}` → `1 2 3`, as text: quotes stay as they are. Null where there are too many or where
 * a range is one that we do not read (letters to digits).
 */
export function expandBraces(text: string, rules: BraceRules = asBash): string[] | null {
  const brace = firstBrace(text, rules);
  if (brace === undefined) return [text];
  if (brace === null) return null;
  const tails = expandBraces(text.slice(brace.end), rules);
  if (tails === null) return null;
  const made: string[] = [];
  for (const choice of brace.choices) {
    const middles = expandBraces(choice, rules);
    if (middles === null || made.length + middles.length * tails.length > rules.most) return null;
    for (const middle of middles) {
      for (const tail of tails) made.push(text.slice(0, brace.start) + middle + tail);
    }
  }
  return made;
}

interface Brace {
  start: number;
  end: number;
  choices: string[];
}

function firstBrace(text: string, rules: BraceRules): Brace | null | undefined {
  for (let start = 0; start < text.length; start = after(text, start, rules)) {
    if (text[start] !== '{') continue;
    const edges = [start];
    let depth = 0;
    for (let i = start; i < text.length; i = after(text, i, rules)) {
      if (text[i] === '{') depth += 1;
      else if (text[i] === ',' && depth === 1) edges.push(i);
      else if (text[i] === '}' && --depth === 0) {
        const inside = text.slice(start + 1, i);
        edges.push(i);
        if (edges.length === 2 && !(rules.ranges && inside.includes('..'))) break;
        const choices = edges.length > 2 ? between(text, edges) : range(inside, rules.most);
        return choices && { start, end: i + 1, choices };
      }
    }
  }
  return undefined;
}

/** The next place that is not inside quotes, an escape or `${…}`. */
function after(text: string, i: number, { quotes }: BraceRules): number {
  const char = text[i];
  if (!quotes) return i + 1;
  if (char === '\\') return i + 2;
  if (char === '$' && text[i + 1] === '{') {
    const close = text.indexOf('}', i);
    return close === -1 ? text.length : close + 1;
  }
  if (char !== "'" && char !== '"') return i + 1;
  const close = text.indexOf(char, i + 1);
  return close === -1 ? text.length : close + 1;
}

const between = (text: string, edges: readonly number[]): string[] =>
  edges.slice(1).map((edge, index) => text.slice((edges[index] ?? 0) + 1, edge));

/** `{1..9..2}`, `{01..10}` with its zeros, `{a..e}`. */
function range(inside: string, most: number): string[] | null {
  const match = /^(?:(-?\d{1,6})\.\.(-?\d{1,6})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d{1,6}))?$/.exec(inside);
  if (!match) return null;
  const [, low, high, first, last, step] = match;
  const [from, to] =
    first === undefined ? [Number(low), Number(high)] : [first.charCodeAt(0), last!.charCodeAt(0)];
  const by = Math.max(1, Math.abs(Number(step ?? 1)));
  const count = Math.floor(Math.abs(to - from) / by) + 1;
  if (count > most) return null;
  const padded = [low, high].some((end) => /^-?0\d/.test(end ?? ''));
  const width = padded ? Math.max(low!.length, high!.length) : 0;
  return Array.from({ length: count }, (_, i) => {
    const value = from + (to < from ? -i : i) * by;
    if (first !== undefined) return String.fromCharCode(value);
    const digits = String(Math.abs(value));
    return value < 0 ? `-${digits.padStart(width - 1, '0')}` : digits.padStart(width, '0');
  });
}
