import { readString } from '../action/scan.ts';
import { type Line, readBlockText } from './block-text.ts';
import { duplicateKeys, type Pair, type Tree } from './tree.ts';

/**
 * Reads the YAML that plan files are nearly always written in: block maps and lists, scalars on one line,
 * `|` texts, short flow lists. It is several times as fast as the `yaml` package, and where it meets anything
 * else it gives up and the package reads the whole file. A differential test holds the two together.
 */

interface Lines {
  text: string;
  list: readonly Line[];
  next: number;
}

/** Also bounds how deeply this nests. */
const MAX_INDENT = 200;

/** Thrown inside this file only: this text is for the `yaml` package. */
const GIVE_UP = Symbol('give up');

function giveUp(): never {
  throw GIVE_UP;
}

/** The tree, or null where the text needs the `yaml` package (which also finds the errors). */
export function readQuick(text: string): Tree | null {
  if (text.includes('\r') || /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff\ufffe\uffff]/.test(text))
    return null;
  try {
    const lines: Lines = { text, list: splitLines(text), next: 0 };
    const first = peek(lines);
    if (first === undefined || first.indent !== 0) return null;
    const tree = readBlock(lines, 0);
    return peek(lines) === undefined ? tree : null;
  } catch (error) {
    if (error === GIVE_UP) return null;
    throw error;
  }
}

function splitLines(text: string): Line[] {
  const list: Line[] = [];
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    let at = start;
    while (at < end && text.charCodeAt(at) === 0x20) at++;
    list.push({ start, indent: at - start, end });
    start = end + 1;
  }
  return list;
}

/** The next line that is not blank and not a comment. */
function peek(lines: Lines): Line | undefined {
  for (; lines.next < lines.list.length; lines.next++) {
    const line = lines.list[lines.next]!;
    const first = line.start + line.indent;
    if (first < line.end && lines.text[first] !== '#') return line;
  }
  return undefined;
}

const isItem = (text: string, at: number, end: number) =>
  text[at] === '-' && (at + 1 === end || text[at + 1] === ' ');

function readBlock(lines: Lines, indent: number): Tree {
  if (indent > MAX_INDENT) giveUp();
  const line = peek(lines)!;
  return isItem(lines.text, line.start + indent, line.end)
    ? readSeq(lines, indent)
    : readMap(lines, indent, null);
}

function readSeq(lines: Lines, indent: number): Tree {
  const { text } = lines;
  const items: Tree[] = [];
  const pos = peek(lines)!.start + indent;
  for (;;) {
    const line = peek(lines);
    if (line === undefined || line.indent < indent) break;
    const at = line.start + line.indent;
    if (line.indent > indent) giveUp();
    // A list may stand at the indentation of the key that holds it: then the next key ends it.
    if (!isItem(text, at, line.end)) break;
    let content = at + 1;
    while (content < line.end && text[content] === ' ') content++;
    if (content === line.end || text[content] === '#') giveUp();
    const column = content - line.start;
    if (isItem(text, content, line.end)) giveUp();
    if (keyEnd(text, content, line.end) >= 0) {
      items.push(readMap(lines, column, content));
    } else {
      lines.next++;
      items.push(readScalar(lines, content, line, indent));
    }
  }
  return { kind: 'seq', pos, end: items.at(-1)!.end, items };
}

/** `from` is where the first key stands when it shares its line with the dash of a list. */
function readMap(lines: Lines, indent: number, from: number | null): Tree {
  const { text } = lines;
  const pairs: Pair[] = [];
  let at = from;
  for (;;) {
    const line = peek(lines);
    if (line === undefined) break;
    if (at === null) {
      if (line.indent < indent) break;
      if (line.indent > indent) giveUp();
      at = line.start + indent;
      if (isItem(text, at, line.end)) break;
    }
    const colon = keyEnd(text, at, line.end);
    if (colon < 0) giveUp();
    lines.next++;
    pairs.push({ key: text.slice(at, colon), pos: at, value: readValue(lines, colon + 1, line, indent) });
    at = null;
  }
  if (pairs.length === 0 || duplicateKeys(pairs).length > 0) giveUp();
  return { kind: 'map', pos: pairs[0]!.pos, end: pairs.at(-1)!.value.end, pairs };
}

const KEY = /[A-Za-z_$][A-Za-z0-9_-]*(?=:(?: |\n|$))/y;

/** The offset of the colon after a plain key, or -1. */
function keyEnd(text: string, at: number, end: number): number {
  KEY.lastIndex = at;
  const match = KEY.exec(text);
  return match !== null && at + match[0].length < end ? at + match[0].length : -1;
}

function readValue(lines: Lines, from: number, line: Line, indent: number): Tree {
  const { text } = lines;
  let at = from;
  while (at < line.end && text[at] === ' ') at++;
  if (at < line.end && text[at] !== '#') return readScalar(lines, at, line, indent);
  const below = peek(lines);
  if (below === undefined || below.indent < indent) giveUp();
  if (below.indent > indent) return readBlock(lines, below.indent);
  return isItem(text, below.start + indent, below.end) ? readSeq(lines, indent) : giveUp();
}

function readScalar(lines: Lines, at: number, line: Line, indent: number): Tree {
  const { text } = lines;
  const char = text[at]!;
  if (char === '|') {
    const block = readBlockText(text, lines.list, lines.next, at, line, indent) ?? giveUp();
    lines.next = block.next;
    return block.tree;
  }
  const tree = char === '"' || char === "'" ? readQuoted(text, at, line.end) : readPlain(text, at, line.end);
  const below = peek(lines);
  // A deeper line would go on with this scalar.
  if (below !== undefined && below.indent > indent) giveUp();
  return tree;
}

function readQuoted(text: string, at: number, end: number): Tree {
  const line = text.slice(at, end);
  if (line.includes('\t')) giveUp();
  let value: string;
  let length: number;
  if (line[0] === '"') {
    const read = readString(line, 0);
    if (!read.ok) giveUp();
    value = read.value;
    length = read.at;
  } else {
    const match = /^'((?:[^']|'')*)'/.exec(line) ?? giveUp();
    value = match[1]!.replaceAll("''", "'");
    length = match[0].length;
  }
  if (!/^(?: *$| +#)/.test(line.slice(length))) giveUp();
  return { kind: 'scalar', pos: at, end: at + length, value };
}

function readPlain(text: string, at: number, end: number): Tree {
  const line = text.slice(at, end);
  const comment = line.indexOf(' #');
  const value = (comment < 0 ? line : line.slice(0, comment)).replace(/ +$/, '');
  if (value.startsWith('[')) return readFlowList(value, at);
  if (/[\t]|: |:$/.test(value)) giveUp();
  return { kind: 'scalar', pos: at, end: at + value.length, value: plainValue(value) };
}

const WORDS = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** The value of a plain scalar whose meaning is beyond doubt. */
function plainValue(value: string): string | number | boolean | null {
  const word = WORDS.get(value);
  if (word !== undefined) return word;
  if (/^(?:0|[1-9]\d{0,14})$/.test(value)) return Number(value);
  if (/^(?:true|false|null)$/i.test(value) || !/^[A-Za-z0-9/_$(]/.test(value)) giveUp();
  if (/^[0-9]/.test(value) && /^[0-9a-fA-FxXoO_.eE+-]+$/.test(value)) giveUp();
  return value;
}

/** `[1, install, 3]`: plain words and numbers only. */
function readFlowList(value: string, pos: number): Tree {
  if (!/^\[ *[A-Za-z0-9_-]+(?: *, *[A-Za-z0-9_-]+)* *\]$/.test(value)) giveUp();
  const items: Tree[] = [];
  for (const match of value.matchAll(/[A-Za-z0-9_-]+/g)) {
    const at = pos + match.index;
    items.push({ kind: 'scalar', pos: at, end: at + match[0].length, value: plainValue(match[0]) });
  }
  return { kind: 'seq', pos, end: pos + value.length, items };
}
