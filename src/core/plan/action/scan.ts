/** What is wrong with an action line. `position` is an offset into the line, at most its length. */
export interface ActionError {
  message: string;
  position: number;
  mend: string;
}

export type ReadWord<T> = { ok: true; value: T; at: number } | { ok: false; error: ActionError };

export function fail(message: string, position: number, mend: string): { ok: false; error: ActionError } {
  return { ok: false, error: { message, position, mend } };
}

const isSpace = (char: string | undefined) => char === ' ' || char === '\t';

export function skipSpaces(line: string, from: number): number {
  let at = from;
  while (isSpace(line[at])) at++;
  return at;
}

/** The characters up to the next space. May be empty at the end of the line. */
export function readBare(line: string, from: number): { value: string; at: number } {
  let at = from;
  while (at < line.length && !isSpace(line[at])) at++;
  return { value: line.slice(from, at), at };
}

const ESCAPES: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** A "string" at `from`, with JSON's escapes. */
export function readString(line: string, from: number): ReadWord<string> {
  let value = '';
  let at = from + 1;
  let start = at;
  for (;;) {
    const char = line[at];
    if (char === undefined) {
      return fail(
        'This string has no closing quote.',
        from,
        'Add a " at its end; write \\" for a quote inside.',
      );
    }
    if (char === '"') return { ok: true, value: value + line.slice(start, at), at: at + 1 };
    if (char !== '\\') {
      at++;
      continue;
    }
    const decoded = readEscape(line, at);
    if (!decoded.ok) return decoded;
    value += line.slice(start, at) + decoded.value;
    at = decoded.at;
    start = at;
  }
}

function readEscape(line: string, at: number): ReadWord<string> {
  const letter = line[at + 1];
  if (letter === 'u') {
    const digits = line.slice(at + 2, at + 6);
    if (/^[0-9a-fA-F]{4}$/.test(digits)) {
      return { ok: true, value: String.fromCharCode(Number.parseInt(digits, 16)), at: at + 6 };
    }
    return fail('`\\u` needs four hexadecimal digits.', at, 'Write it like \\u00e9.');
  }
  const simple = letter === undefined ? undefined : ESCAPES[letter];
  if (simple !== undefined) return { ok: true, value: simple, at: at + 2 };
  return fail(
    letter === undefined ? 'The line ends after a backslash.' : `\`\\${letter}\` is not an escape.`,
    at,
    'Use \\n, \\t, \\", \\\\ or \\uXXXX; a single backslash is written \\\\.',
  );
}

/** A word without spaces, or a "string". Not empty. */
export function readPath(line: string, from: number, label: string, usage: string): ReadWord<string> {
  if (line[from] === '"') {
    const read = readString(line, from);
    if (!read.ok) return read;
    if (read.value === '') return fail(`The ${label} is empty.`, from, `Write ${usage}.`);
    if (read.at < line.length && !isSpace(line[read.at])) {
      return fail('A space is missing after the closing quote.', read.at, `Write ${usage}.`);
    }
    return read;
  }
  const { value, at } = readBare(line, from);
  if (value === '') return fail(`The ${label} is missing.`, from, `Write ${usage}.`);
  const quote = value.indexOf('"');
  if (quote >= 0) {
    return fail(
      `There is a quote inside the ${label}.`,
      from + quote,
      `Put the whole ${label} in double quotes.`,
    );
  }
  return { ok: true, value, at };
}

/** The rest of the line as it stands; or, if it is exactly one "string", the text of that string. */
export function readRest(line: string, from: number, label: string, usage: string): ReadWord<string> {
  const raw = line.slice(from);
  const quoted = wholeString(raw);
  const value = quoted ?? raw;
  if (value === '') return fail(`The ${label} is missing.`, from, `Write ${usage}.`);
  return { ok: true, value, at: line.length };
}

/** The text of a line that is exactly one "string", or null. */
export function wholeString(raw: string): string | null {
  if (!raw.startsWith('"')) return null;
  const read = readString(raw, 0);
  return read.ok && skipSpaces(raw, read.at) === raw.length ? read.value : null;
}
