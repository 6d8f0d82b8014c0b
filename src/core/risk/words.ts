import { parse, type Word, type WordPart } from 'unbash';
import { type Arg, type Span, UNKNOWN } from './types.ts';

/** What a word may be made of when it is read. */
export interface WordScope {
  /** The literal value a variable is known to have, or undefined. */
  variable(name: string): string | undefined;
  at(pos: number, end: number): Span;
}

const maxWords = 128;
/** Longer words with braces are taken as unknown: expanding them is not worth the time. */
const maxBraces = 1_000;

/** What `variable('HOME')` answers: home, whatever the quotes around it. Becomes `~` in the argument. */
export const HOME = '\u{E000}';

/** The words that a program would receive for one written word: brace expansion and splitting make several. */
export function wordsOf(word: Word, scope: WordScope): Arg[] {
  const span = scope.at(word.pos, word.end);
  if (!word.parts) return [plainArg(word, span)];
  if (word.parts.some((part) => part.type === 'BraceExpansion')) return braceWords(word, scope, span);
  const read: Reading = { value: '', literal: true, glob: false, scope };
  for (const part of word.parts) readPart(part, false, read);
  const value = (word.text.startsWith('~') ? read.value : guardTilde(read.value)).replaceAll(HOME, '~');
  const arg: Arg = { value, literal: read.literal, glob: read.glob, span, text: word.text };
  const only = word.parts.length === 1 ? word.parts[0] : undefined;
  const splits = only?.type === 'SimpleExpansion' || only?.type === 'ParameterExpansion';
  if (!splits || !/\s/.test(value)) return [arg];
  return value
    .split(/\s+/)
    .filter(Boolean)
    .map((piece) => ({ ...arg, value: piece }));
}

/** The whole word as one argument (assignments and redirection targets do not split). */
export function wordOf(word: Word, scope: WordScope): Arg {
  const words = wordsOf(word, scope);
  const first = words[0];
  if (first && words.length === 1) return first;
  return { value: UNKNOWN, literal: false, glob: false, span: scope.at(word.pos, word.end), text: word.text };
}

function plainArg(word: Word, span: Span): Arg {
  const escaped = word.text.startsWith('\\');
  return {
    value: escaped ? guardTilde(word.value) : word.value,
    literal: true,
    glob: false,
    span,
    text: word.text,
  };
}

/** A quoted `~` is a file of that name, not home. */
const guardTilde = (value: string): string => (value.startsWith('~') ? `./${value}` : value);

interface Reading {
  value: string;
  literal: boolean;
  glob: boolean;
  readonly scope: WordScope;
}

function readPart(part: WordPart, quoted: boolean, read: Reading): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      read.value += part.value;
      return;
    case 'DoubleQuoted':
      for (const child of part.parts) readPart(child, true, read);
      return;
    case 'SimpleExpansion':
      readVariable(part.text.slice(1), read);
      return;
    case 'ParameterExpansion':
      if (part.prefix || part.index || part.operation) unknown(read);
      else readVariable(part.parameter, read);
      return;
    case 'Glob':
      read.value += part.text;
      read.glob = !quoted;
      return;
    case 'ExtendedGlob':
      read.value += '*';
      read.glob = true;
      return;
    default:
      unknown(read);
  }
}

function readVariable(name: string, read: Reading): void {
  const value = read.scope.variable(name);
  if (value === undefined) unknown(read);
  else {
    read.value += value;
    read.literal = false;
  }
}

function unknown(read: Reading): void {
  read.value += UNKNOWN;
  read.literal = false;
}

/** Expands the braces in the text and reads each result as a word of its own. */
function braceWords(word: Word, scope: WordScope, span: Span): Arg[] {
  const texts = word.text.length > maxBraces ? [] : expandBraces(word.text);
  if (word.text.length > maxBraces || texts.length >= maxWords) {
    return [{ value: UNKNOWN, literal: false, glob: false, span, text: word.text }];
  }
  const inner: WordScope = { variable: scope.variable, at: () => span };
  return texts.flatMap((text) => {
    if (text === '') return [];
    const command = parse(`x ${text}`).commands[0]?.command;
    if (command?.type !== 'Command') return [];
    return command.args.flatMap((arg) =>
      arg.type === 'Word' && !arg.parts?.some((part) => part.type === 'BraceExpansion')
        ? wordsOf(arg, inner).map((made) => ({ ...made, text: word.text }))
        : [{ value: arg.text, literal: true, glob: false, span, text: word.text }],
    );
  });
}

/** `a{b,c}d` → `abd acd`, `{1..3}` → `1 2 3`. Stops at `maxWords` results. Quotes are kept as they are. */
function expandBraces(text: string): string[] {
  const brace = findBrace(text);
  if (!brace) return [text];
  const head = text.slice(0, brace.start);
  const results: string[] = [];
  const tails = expandBraces(text.slice(brace.end));
  for (const choice of brace.choices) {
    for (const middle of expandBraces(choice)) {
      for (const tail of tails) {
        results.push(head + middle + tail);
        if (results.length >= maxWords) return results;
      }
    }
  }
  return results;
}

function findBrace(text: string): { start: number; end: number; choices: string[] } | undefined {
  for (let start = skipTo(text, 0); start < text.length; start = skipTo(text, start + 1)) {
    const commas: number[] = [];
    let depth = 0;
    for (let i = start; i < text.length; i = nextUnquoted(text, i)) {
      const char = text[i];
      if (char === '{') depth++;
      else if (char === ',' && depth === 1) commas.push(i);
      else if (char === '}' && --depth === 0) {
        const inside = text.slice(start + 1, i);
        const choices = commas.length > 0 ? splitAt(text, start, i, commas) : range(inside);
        if (choices) return { start, end: i + 1, choices };
        break;
      }
    }
  }
  return undefined;
}

function skipTo(text: string, from: number): number {
  let i = from;
  while (i < text.length && (text[i] !== '{' || text[i - 1] === '$')) i = nextUnquoted(text, i);
  return i;
}

function nextUnquoted(text: string, i: number): number {
  const char = text[i];
  if (char === '\\') return i + 2;
  if (char !== "'" && char !== '"') return i + 1;
  const close = text.indexOf(char, i + 1);
  return close === -1 ? text.length : close + 1;
}

function splitAt(text: string, start: number, end: number, commas: readonly number[]): string[] {
  const edges = [start, ...commas, end];
  return edges.slice(1).map((edge, i) => text.slice((edges[i] ?? 0) + 1, edge));
}

function range(inside: string): string[] | undefined {
  const match = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.-?\d+)?$/.exec(inside);
  if (!match) return undefined;
  const letters = /[A-Za-z]/.test(inside);
  const point = (text = ''): number => (letters ? text.charCodeAt(0) : Number(text));
  const [from, to] = [point(match[1]), point(match[2])];
  const count = Math.min(Math.abs(to - from) + 1, maxWords);
  const sign = to < from ? -1 : 1;
  return Array.from({ length: count }, (_, i) =>
    letters ? String.fromCharCode(from + sign * i) : String(from + sign * i),
  );
}
