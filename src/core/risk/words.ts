import {
  bracedWords,
  type Command,
  hasBraces,
  type ParameterExpansionPart,
  UNKNOWN,
  type Word,
  type WordPart,
} from '../shell/index.ts';
import { expanded, instead } from './expansions.ts';
import { itemOf, listIn } from './lists.ts';
import { printed } from './output.ts';
import type { Arg, Span } from './types.ts';

/** What a word may be made of when it is read. */
export interface WordScope {
  /** The literal value a variable is known to have, or undefined. */
  variable(name: string): string | undefined;
  /** Whether what is made of a variable may be a path outside. */
  leadsOut?(name: string): boolean;
  /** The words that a list is known to hold, or undefined. */
  list?(name: string): readonly string[] | undefined;
  /** Takes what stands for a variable that is not set where nobody knows whether it is; `made` where one was. */
  readonly guess?: { made: boolean } | undefined;
  at(pos: number, end: number): Span;
}

/** What `variable('HOME')` answers: home, whatever the quotes around it. Becomes `~` in the argument. */
export const HOME = '\u{E000}';

/** The words that a program would receive for one written word: brace expansion and splitting make several. */
export function wordsOf(word: Word, scope: WordScope): Arg[] {
  const span = scope.at(word.pos, word.end);
  if (!word.parts) return [plainArg(word, span)];
  if (hasBraces(word)) return braceWords(word, scope, span);
  const list = listWords(word, scope, span);
  if (list) return list;
  const read: Reading = { value: '', literal: true, glob: false, opaque: false, scope };
  for (const part of word.parts) readPart(part, false, read);
  const tilde = word.text.startsWith('~');
  const value = (tilde ? fromHere(read.value, word.text) : guardTilde(read.value)).replaceAll(HOME, '~');
  const arg: Arg = {
    value,
    literal: read.literal,
    glob: read.glob,
    span,
    text: word.text,
    ...(read.opaque ? { opaque: true } : {}),
  };
  const only = word.parts.length === 1 ? word.parts[0] : undefined;
  const splits = only?.type === 'SimpleExpansion' || only?.type === 'ParameterExpansion';
  if (!splits || !/\s/.test(value)) return [arg];
  return value
    .split(/\s+/)
    .filter(Boolean)
    .map((piece) => ({ ...arg, value: piece }));
}

/** Each word of a list, where the word is one. */
function listWords(word: Word, scope: WordScope, span: Span): Arg[] | undefined {
  const found = listIn(word);
  const whole = found && scope.list?.(found.name);
  if (!found || !whole) return undefined;
  const { from = 0, count = whole.length } = found;
  const words = whole.slice(from).slice(0, count);
  const all = found.quoted
    ? found.joined
      ? [words.join(' ')]
      : words
    : words.flatMap((one) => one.split(/\s+/).filter(Boolean));
  return all.map((value) => ({ value, literal: false, glob: false, span, text: word.text }));
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
    value: escaped ? guardTilde(word.value) : fromHere(word.value, word.text),
    literal: true,
    glob: false,
    span,
    text: word.text,
  };
}

/** `~+` is where the shell is. */
const fromHere = (value: string, text: string): string =>
  text.startsWith('~+') ? value.replace(/^~\+(?=\/|$)/, '.') : value;

/** A quoted `~` is a file of that name, not home. */
const guardTilde = (value: string): string => (value.startsWith('~') ? `./${value}` : value);

interface Reading {
  value: string;
  literal: boolean;
  glob: boolean;
  /** It begins with what a command prints, and that may be anything. */
  opaque: boolean;
  readonly scope: WordScope;
}

const commandWords = ({ name, args }: Command, scope: WordScope): Arg[] =>
  [...(name ? [name] : []), ...args].flatMap((word) => (word.type === 'Word' ? wordsOf(word, scope) : []));

function readPart(part: WordPart, quoted: boolean, read: Reading): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      read.value += part.value;
      return;
    case 'DoubleQuoted':
    case 'LocaleString':
      for (const child of part.parts) readPart(child, true, read);
      return;
    case 'SimpleExpansion':
      readVariable(part.text.slice(1), read);
      return;
    case 'ParameterExpansion':
      if (part.prefix || part.index || part.operation) readOperation(part, read);
      else readVariable(part.parameter, read);
      return;
    case 'CommandExpansion': {
      const text = printed(
        part.script,
        (command) => commandWords(command, read.scope),
        read.scope.variable('PWD'),
      );
      if (text === undefined) unknown(read);
      else read.value += atHome(text);
      read.literal = false;
      read.opaque ||= text === undefined && read.value === UNKNOWN;
      return;
    }
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
  if (value === undefined) {
    unknown(read);
    strays(name, read);
  } else {
    read.value += atHome(value);
    read.literal = false;
  }
}

/** `${x[0]}`, `${x:-y}`, `${x#y}` and the like, where all that they are made of is known. */
function readOperation(part: ParameterExpansionPart, read: Reading): void {
  const { scope } = read;
  const { parameter, prefix, index } = part;
  const item =
    index && !prefix
      ? itemOf(scope.list?.(parameter), parameter, index.text, (name) => scope.variable(name))
      : undefined;
  const whole = (word: Word): string | undefined => {
    const { value } = wordOf(word, scope);
    return value.includes(UNKNOWN) ? undefined : value;
  };
  const held = index ? item : scope.variable(parameter);
  let value = prefix ? meant(part, scope) : part.operation ? expanded(part, held, whole) : item;
  const other = prefix || value !== undefined || !scope.guess ? undefined : instead(part);
  if (other && scope.guess) {
    value = whole(other);
    scope.guess.made = true;
  }
  if (value === undefined) {
    const named = prefix === '!' ? scope.variable(parameter) : undefined;
    unknown(read);
    strays(named ?? parameter, read, /:?[-=+]["']?([~/][^}"']*)/.exec(part.text)?.[1]);
    return;
  }
  read.value += atHome(value);
  read.literal = false;
}

/** `${!x}`: what the variable holds that `x` names. */
function meant(
  { prefix, parameter, index, operation }: ParameterExpansionPart,
  scope: WordScope,
): string | undefined {
  const name = prefix === '!' && !index && !operation ? scope.variable(parameter) : undefined;
  return name === undefined || !/^\w+$/.test(name) ? undefined : scope.variable(name);
}

/** What was home when it was kept, or printed, is home, whatever the quotes around it now. */
const atHome = (value: string): string => (/^~(?:\/|$)/.test(value) ? HOME + value.slice(1) : value);

/** The word begins with what is not known, but is made of a path outside: the variable's, or the one that stands for it. */
function strays(name: string, read: Reading, instead = ''): void {
  if (read.value === UNKNOWN && read.scope.leadsOut?.(instead === '' ? name : instead)) read.opaque = true;
}

function unknown(read: Reading): void {
  read.value += UNKNOWN;
  read.literal = false;
}

/** Each word that the braces make, read by itself. */
function braceWords(word: Word, scope: WordScope, span: Span): Arg[] {
  const words = bracedWords(word);
  if (!words) return [{ value: UNKNOWN, literal: false, glob: false, span, text: word.text }];
  const inner: WordScope = { ...scope, at: () => span };
  return words.flatMap((made) => wordsOf(made, inner).map((arg) => ({ ...arg, text: word.text })));
}
