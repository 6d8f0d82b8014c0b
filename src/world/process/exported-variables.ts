/**
 * Reads what bash prints for `declare -p`: one `declare -x NAME="value"` after the other, where a value with
 * anything unprintable in it is written `$'…'`. Values are bytes to bash, so this works on bytes (as latin1
 * text) and decodes at the end. Returns null for anything that bash would not print.
 */
export function parseDeclared(
  printed: Uint8Array,
  wanted: (flags: string) => boolean = () => true,
): Map<string, string> | null {
  const text = Buffer.from(printed).toString('latin1');
  const variables = new Map<string, string>();
  const head = /(?:declare|export|typeset)(?: -([A-Za-z-]+))? ([A-Za-z_][A-Za-z0-9_]*)(=?)/y;
  let at = 0;
  while (at < text.length) {
    head.lastIndex = at;
    const match = head.exec(text);
    if (!match) return null;
    at = head.lastIndex;
    if (match[3] === '=') {
      const value = text[at] === '(' ? skipList(text, at) : readValue(text, at);
      if (!value) return null;
      at = value.end;
      // Lists and references may be marked as exported, but reach no other process.
      if (!/[aAn]/.test(match[1] ?? '') && wanted(match[1] ?? ''))
        variables.set(match[2]!, decoded(value.bytes));
    }
    if (text[at] !== '\n') return null;
    at += 1;
  }
  return variables;
}

/** Most values are plain, and mean the same either way. */
const decoded = (bytes: string): string =>
  /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes;

interface Value {
  bytes: string;
  end: number;
}

function readValue(text: string, at: number): Value | null {
  if (text[at] === '"') return readQuoted(text, at + 1);
  if (text.startsWith("$'", at)) return readAnsiC(text, at + 2);
  const end = text.indexOf('\n', at);
  return end === -1 ? null : { bytes: text.slice(at, end), end };
}

/** Between double quotes, only these four are ever escaped. */
function readQuoted(text: string, start: number): Value | null {
  const special = /["\\]/g;
  let bytes = '';
  let from = start;
  special.lastIndex = start;
  for (let match = special.exec(text); match !== null; match = special.exec(text)) {
    const at = match.index;
    if (match[0] === '"') return { bytes: bytes + text.slice(from, at), end: at + 1 };
    if (!'"\\$`'.includes(text[at + 1] ?? ' ')) continue;
    bytes += text.slice(from, at);
    // What it stands before is taken as it is.
    from = at + 1;
    special.lastIndex = at + 2;
  }
  return null;
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function readAnsiC(text: string, start: number): Value | null {
  let bytes = '';
  let at = start;
  while (at < text.length) {
    const char = text[at]!;
    if (char === "'") return { bytes, end: at + 1 };
    if (char !== '\\') {
      bytes += char;
      at += 1;
      continue;
    }
    const code = /\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8}))/y;
    code.lastIndex = at;
    const match = code.exec(text);
    if (match) {
      bytes += codeBytes(match);
      at = code.lastIndex;
    } else {
      const escaped = text[at + 1] ?? '';
      bytes += escapes[escaped] ?? escaped;
      at += 2;
    }
  }
  return null;
}

function codeBytes([, octal, hex, short, long]: RegExpExecArray): string {
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  const point = Number.parseInt(short ?? long ?? '', 16);
  return Buffer.from(String.fromCodePoint(Math.min(point, 0x10ffff))).toString('latin1');
}

/** A list's value, `([0]="a" [1]="b")`: only its end matters. */
function skipList(text: string, start: number): Value | null {
  let at = start + 1;
  while (at < text.length) {
    if (text[at] === ')') return { bytes: '', end: at + 1 };
    const quoted = text[at] === '"' || text.startsWith("$'", at) ? readValue(text, at) : undefined;
    if (quoted === null) return null;
    at = quoted ? quoted.end : at + 1;
  }
  return null;
}
