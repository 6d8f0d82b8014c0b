const MAX_WORDS = 256;

/**
 * `a{b,c}d` → `abd acd`, `{1..3}` → `1 2 3`, as text: quotes stay as they are. Null where there are too many or
 * where a range is one that we do not read (steps, letters to digits).
 */
export function expandBraces(text: string): string[] | null {
  const brace = firstBrace(text);
  if (brace === undefined) return [text];
  if (brace === null) return null;
  const tails = expandBraces(text.slice(brace.end));
  if (tails === null) return null;
  const made: string[] = [];
  for (const choice of brace.choices) {
    const middles = expandBraces(choice);
    if (middles === null || made.length + middles.length * tails.length > MAX_WORDS) return null;
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

function firstBrace(text: string): Brace | null | undefined {
  for (let start = 0; start < text.length; start = after(text, start)) {
    if (text[start] !== '{') continue;
    const edges = [start];
    let depth = 0;
    for (let i = start; i < text.length; i = after(text, i)) {
      if (text[i] === '{') depth += 1;
      else if (text[i] === ',' && depth === 1) edges.push(i);
      else if (text[i] === '}' && --depth === 0) {
        const inside = text.slice(start + 1, i);
        edges.push(i);
        if (edges.length === 2 && !inside.includes('..')) break;
        const choices = edges.length > 2 ? between(text, edges) : range(inside);
        return choices && { start, end: i + 1, choices };
      }
    }
  }
  return undefined;
}

/** The next place that is not inside quotes, an escape or `${…}`. */
function after(text: string, i: number): number {
  const char = text[i];
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

function range(inside: string): string[] | null {
  const numbers = /^(-?\d{1,6})\.\.(-?\d{1,6})$/.exec(inside);
  if (!numbers) return null;
  const [from, to] = [Number(numbers[1]), Number(numbers[2])];
  const padded = /^-?0\d/.test(numbers[1] ?? '') || /^-?0\d/.test(numbers[2] ?? '');
  if (padded || Math.abs(to - from) >= MAX_WORDS) return null;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => String(from + (to < from ? -i : i)));
}
