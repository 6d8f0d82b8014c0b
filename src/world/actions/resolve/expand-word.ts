import {
  bracedWords,
  type DoubleQuotedPart,
  hasBraces,
  hasPattern,
  type ParameterExpansionPart,
  type PatternPiece,
  plainText,
  type Word,
  type WordPart,
} from '../../../core/shell/index.ts';
import type { Globber, GlobMatch } from './glob.ts';
import { lookUp, type ShellState } from './shell-state.ts';

/** What words are made of at one point of a script. */
export interface Expansion {
  readonly state: ShellState;
  readonly environment: ReadonlyMap<string, string>;
  readonly home: string;
  readonly globber: Globber;
}

/** One word as a program would receive it. */
export interface Field extends GlobMatch {
  /** A pattern matched it, so it is a path whatever program receives it. */
  readonly matched: boolean;
}

/** What is split, what is a pattern, what stands for itself. `quoted`: even when empty it makes a word. */
interface Part extends PatternPiece {
  readonly splits: boolean;
  readonly quoted: boolean;
}

/**
 * The words that bash makes of one written word: braces, `~`, simple variables, splitting, patterns, in that order.
 * Null where any of it is only known when it runs.
 */
export function expandWord(word: Word, how: Expansion): Field[] | null {
  if (hasBraces(word)) return expandBraced(word, how);
  const parts = partsOf(word, how);
  if (!parts) return null;
  const fields: Field[] = [];
  for (const pieces of splitFields(parts)) {
    const made = expandPattern(pieces, how);
    if (!made) return null;
    fields.push(...made);
  }
  return fields;
}

/** The word as one text, as assignments and redirections take it; null where it is not known. */
export function expandText(word: Word, how: Expansion): string | null {
  const parts = partsOf(word, how);
  if (!parts || /:~/.test(word.text)) return null;
  return plainText(parts);
}

function expandBraced(word: Word, how: Expansion): Field[] | null {
  const fields: Field[] = [];
  for (const made of bracedWords(word) ?? [null]) {
    const expanded = made && expandWord(made, how);
    if (!expanded) return null;
    fields.push(...expanded);
  }
  return fields;
}

const literal = (text: string, quoted = false): Part => ({ text, active: false, splits: false, quoted });

function partsOf(word: Word, how: Expansion): Part[] | null {
  const parts: Part[] = [];
  const tilde = word.text.startsWith('~');
  if (tilde && !/^~(?:\/|$)/.test(word.text)) return null;
  if (tilde) {
    const home = lookUp(how.state, 'HOME', how.environment);
    if (home === undefined) return null;
    parts.push(literal(home === '' ? how.home : home, true));
  }
  if (!word.parts) return [...parts, literal(tilde ? word.value.slice(1) : word.value)];
  for (const [index, part] of word.parts.entries()) {
    const made = partOf(part, how);
    if (!made) return null;
    const [first, ...rest] = made;
    if (tilde && index === 0 && first) parts.push({ ...first, text: first.text.slice(1) }, ...rest);
    else parts.push(...made);
  }
  return parts;
}

function partOf(part: WordPart, how: Expansion): Part[] | null {
  switch (part.type) {
    case 'Literal':
      return [literal(part.value)];
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [literal(part.value, true)];
    case 'DoubleQuoted':
      return quotedParts(part, how);
    case 'SimpleExpansion':
    case 'ParameterExpansion': {
      const value = valueIn(part, how);
      if (value === undefined) return null;
      if (!how.state.splits && value !== '') return null;
      return [{ text: value, active: true, splits: true, quoted: false }];
    }
    case 'Glob':
      if (part.kind === 'bracket' && part.parts.some((inner) => !isBare(inner))) return null;
      return [{ text: part.text, active: true, splits: false, quoted: false }];
    default:
      return null;
  }
}

const isBare = (part: WordPart): boolean => part.type === 'Literal' && part.text === part.value;

function quotedParts(part: DoubleQuotedPart, how: Expansion): Part[] | null {
  let text = '';
  for (const child of part.parts) {
    const value = child.type === 'Literal' ? child.value : valueIn(child, how);
    if (value === undefined) return null;
    text += value;
  }
  return [literal(text, true)];
}

/** The value of `$X`, `${X}` and, with a plain default, `${X:-y}`. */
export function valueIn(part: WordPart, how: Expansion): string | undefined {
  if (part.type === 'SimpleExpansion') return lookUp(how.state, part.text.slice(1), how.environment);
  if (part.type !== 'ParameterExpansion' || part.prefix || part.index) return undefined;
  if (!part.operation) return lookUp(how.state, part.parameter, how.environment);
  return defaultOf(part, how);
}

function defaultOf(part: ParameterExpansionPart, how: Expansion): string | undefined {
  const { operation } = part;
  if (operation?.type !== 'Default' || !/^:[-+]$/.test(operation.operator)) return undefined;
  const relaxed = { ...how, state: { ...how.state, stopsOnUnset: false } };
  const value = lookUp(relaxed.state, part.parameter, how.environment);
  if (value === undefined) return undefined;
  const other = (): string | undefined => {
    const plain = operation.operand.parts?.every((inner) => /Literal|Quoted|Expansion/.test(inner.type));
    return plain === false ? undefined : (expandText(operation.operand, relaxed) ?? undefined);
  };
  if (operation.operator === ':-') return value === '' ? other() : value;
  return value === '' ? '' : other();
}

/** Splits what came out of unquoted variables at blanks. */
function splitFields(parts: readonly Part[]): PatternPiece[][] {
  const fields: PatternPiece[][] = [];
  let current: PatternPiece[] | null = null;
  const add = (piece: PatternPiece): void => {
    if (!current) fields.push((current = []));
    current.push(piece);
  };
  for (const part of parts) {
    if (!part.splits) {
      if (part.text !== '' || part.quoted || parts.length === 1) add(part);
      continue;
    }
    for (const text of part.text.split(/([ \t\n]+)/)) {
      if (/^[ \t\n]/.test(text)) current = null;
      else if (text !== '') add({ text, active: true });
    }
  }
  return fields;
}

function expandPattern(pieces: readonly PatternPiece[], { state, globber }: Expansion): Field[] | null {
  const text = plainText(pieces);
  if (!hasPattern(pieces)) return [{ value: text, matched: false }];
  if (!state.globs || (state.cwd === null && !text.startsWith('/'))) return null;
  const matches = globber.match(pieces, state.cwd ?? '/');
  if (!matches) return null;
  if (matches.length === 0) return [{ value: text, matched: false }];
  return matches.map((match) => ({ ...match, matched: true }));
}
