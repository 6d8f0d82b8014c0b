import { readString } from '../action/scan.ts';
import { duplicateKeys, type Pair, type ReadFault, type ReadTree, type Tree } from './tree.ts';

const MAX_DEPTH = 100;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;

interface Cursor {
  text: string;
  at: number;
  depth: number;
  faults: ReadFault[];
}

/** Reads strict JSON, keeping positions. Never throws. */
export function readJson(text: string): ReadTree {
  const cursor: Cursor = { text, at: 0, depth: 0, faults: [] };
  skip(cursor);
  const tree = readValue(cursor);
  if (tree !== null) {
    skip(cursor);
    if (cursor.at < text.length) refuse(cursor, 'There is more after the end of the JSON value.');
  }
  return tree === null || cursor.faults.length > 0
    ? { ok: false, faults: cursor.faults }
    : { ok: true, tree };
}

function refuse(cursor: Cursor, message: string): null {
  const mend =
    'Mend the JSON: strings and keys in double quotes, a comma between entries, none after the last.';
  cursor.faults.push({ code: 'invalid-json', message, pos: Math.min(cursor.at, cursor.text.length), mend });
  return null;
}

function skip(cursor: Cursor): void {
  SPACE.lastIndex = cursor.at;
  SPACE.test(cursor.text);
  cursor.at = SPACE.lastIndex;
}

function readValue(cursor: Cursor): Tree | null {
  const { text, at } = cursor;
  const char = text[at];
  if (char === '"') {
    const value = readText(cursor);
    return value === null ? null : { kind: 'scalar', pos: at, end: cursor.at, value };
  }
  if (char === '{' || char === '[') {
    if (cursor.depth >= MAX_DEPTH) return refuse(cursor, 'The file is nested too deeply.');
    cursor.depth++;
    const tree = char === '{' ? readMap(cursor) : readSeq(cursor);
    cursor.depth--;
    return tree;
  }
  for (const [word, value] of WORDS) {
    if (text.startsWith(word, at)) {
      cursor.at += word.length;
      return { kind: 'scalar', pos: at, end: cursor.at, value };
    }
  }
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(text);
  if (number === null) return refuse(cursor, 'A value is missing or malformed here.');
  cursor.at += number[0].length;
  return { kind: 'scalar', pos: at, end: cursor.at, value: Number(number[0]) };
}

const WORDS: readonly (readonly [string, boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

function readText(cursor: Cursor): string | null {
  const read = readString(cursor.text, cursor.at);
  if (!read.ok) {
    cursor.at = read.error.position;
    return refuse(cursor, read.error.message);
  }
  cursor.at = read.at;
  return read.value;
}

function readSeq(cursor: Cursor): Tree | null {
  const pos = cursor.at;
  const items: Tree[] = [];
  const closed = readEntries(cursor, ']', () => {
    const item = readValue(cursor);
    if (item !== null) items.push(item);
    return item !== null;
  });
  return closed ? { kind: 'seq', pos, end: cursor.at, items } : null;
}

function readMap(cursor: Cursor): Tree | null {
  const pos = cursor.at;
  const pairs: Pair[] = [];
  const closed = readEntries(cursor, '}', () => {
    const keyPos = cursor.at;
    if (cursor.text[keyPos] !== '"')
      return refuse(cursor, 'A key in double quotes is missing here.') !== null;
    const key = readText(cursor);
    if (key === null) return false;
    skip(cursor);
    if (cursor.text[cursor.at] !== ':') return refuse(cursor, 'A colon is missing after this key.') !== null;
    cursor.at++;
    skip(cursor);
    const value = readValue(cursor);
    if (value !== null) pairs.push({ key, pos: keyPos, value });
    return value !== null;
  });
  if (!closed) return null;
  cursor.faults.push(...duplicateKeys(pairs));
  return { kind: 'map', pos, end: cursor.at, pairs };
}

/** Reads `entry, entry` up to the closing sign. False once something was refused. */
function readEntries(cursor: Cursor, close: string, readEntry: () => boolean): boolean {
  cursor.at++;
  skip(cursor);
  if (cursor.text[cursor.at] === close) {
    cursor.at++;
    return true;
  }
  for (;;) {
    skip(cursor);
    if (!readEntry()) return false;
    skip(cursor);
    const char = cursor.text[cursor.at];
    if (char === close) {
      cursor.at++;
      return true;
    }
    if (char !== ',') return refuse(cursor, `A comma or \`${close}\` is missing here.`) !== null;
    cursor.at++;
  }
}
