/** A stretch of one line in one look. Colours are the sixteen names, or `#rrggbb`. */
export interface AnsiSpan {
  text: string;
  fg?: string;
  bg?: string;
  bold?: true;
  dim?: true;
  italic?: true;
  underline?: true;
  inverse?: true;
}
export type AnsiLook = Omit<AnsiSpan, 'text'>;

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
// CSI sequences, OSC strings, and two-character escapes: all are taken out, only colours mean something here.
const escapes = /\x1b(?:\[([0-9;:?]*)([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[()][A-Z0-9]|[=>78MDEHc])/g;

/** One line as spans, and the look that it leaves for the next. Never throws; what it does not know is dropped. */
export function ansiLine(line: string, from: AnsiLook = {}): { spans: AnsiSpan[]; look: AnsiLook } {
  if (!line.includes('\x1b')) {
    const text = overwritten(line);
    return { spans: text === '' ? [] : [{ text, ...from }], look: from };
  }
  const spans: AnsiSpan[] = [];
  let look = from;
  let at = 0;
  const push = (raw: string) => {
    const text = overwritten(raw);
    if (text !== '') spans.push({ text, ...look });
  };
  for (const match of line.matchAll(escapes)) {
    push(line.slice(at, match.index));
    if (match[2] === 'm') look = restyled(look, match[1] ?? '');
    at = match.index + match[0].length;
  }
  push(line.slice(at));
  return { spans, look };
}

/** What a terminal would still show after carriage returns; other control characters are not shown. */
function overwritten(text: string): string {
  const shown = text.includes('\r') ? (text.replace(/\r+$/, '').split('\r').at(-1) ?? '') : text;
  return shown.replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '');
}

export const plainText = (line: string): string => overwritten(line.replace(escapes, ''));

function restyled(look: AnsiLook, parameters: string): AnsiLook {
  const codes = parameters.split(/[;:]/).map(Number);
  let next: AnsiLook = { ...look };
  for (let i = 0; i < codes.length; i += 1) {
    const code = codes[i] ?? 0;
    if (code === 0) next = {};
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 3) next.italic = true;
    else if (code === 4) next.underline = true;
    else if (code === 7) next.inverse = true;
    else if (code === 22) next = without(next, 'bold', 'dim');
    else if (code === 23) next = without(next, 'italic');
    else if (code === 24) next = without(next, 'underline');
    else if (code === 27) next = without(next, 'inverse');
    else if (code === 39) next = without(next, 'fg');
    else if (code === 49) next = without(next, 'bg');
    else if (code >= 30 && code <= 37) next.fg = names[code - 30]!;
    else if (code >= 90 && code <= 97) next.fg = `bright-${names[code - 90]}`;
    else if (code >= 40 && code <= 47) next.bg = names[code - 40]!;
    else if (code >= 100 && code <= 107) next.bg = `bright-${names[code - 100]}`;
    else if (code === 38 || code === 48) {
      const [colour, used] = extended(codes.slice(i + 1));
      if (colour !== null) next[code === 38 ? 'fg' : 'bg'] = colour;
      i += used;
    }
  }
  return next;
}

function extended([kind, ...rest]: number[]): [string | null, number] {
  if (kind === 5) return [palette(rest[0] ?? 0), 2];
  if (kind !== 2) return [null, 1];
  const [r = 0, g = 0, b = 0] = rest;
  return [hex(r, g, b), 4];
}

const hex = (...parts: number[]) =>
  `#${parts.map((part) => (Math.min(255, Math.max(0, part)) | 0).toString(16).padStart(2, '0')).join('')}`;

function palette(n: number): string {
  if (n < 8) return names[n] ?? 'white';
  if (n < 16) return `bright-${names[n - 8]}`;
  if (n >= 232) return hex(...Array<number>(3).fill(8 + (n - 232) * 10));
  const level = (v: number) => (v === 0 ? 0 : 55 + v * 40);
  const m = n - 16;
  return hex(level(Math.floor(m / 36)), level(Math.floor(m / 6) % 6), level(m % 6));
}

function without(look: AnsiLook, ...keys: (keyof AnsiLook)[]): AnsiLook {
  const next = { ...look };
  for (const key of keys) delete next[key];
  return next;
}
