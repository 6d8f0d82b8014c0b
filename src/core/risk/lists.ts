import { UNKNOWN, type Word, type WordPart } from '../shell/index.ts';

/**
 * Variables that hold several words: arrays, and under `@` the words that a script or a function was given. They are kept
 * beside the plain ones, under a name that no variable can have, and so live and die with them.
 */
const key = (name: string): string => `${name}[@]`;
const between = '\u0000';

export const POSITIONAL = '@';

interface Variables {
  readonly variables: Map<string, string | undefined>;
}

/** The words of a list, `UNKNOWN` where one is not known; undefined where not even their number is. */
export function listOf({ variables }: Variables, name: string): readonly string[] | undefined {
  const kept = variables.get(key(name));
  return kept === undefined ? undefined : kept === '' ? [] : kept.split(between);
}

export function setList({ variables }: Variables, name: string, words: readonly string[] | undefined): void {
  variables.set(key(name), words?.join(between));
  if (name !== POSITIONAL) {
    variables.set(name, words?.[0]?.includes(UNKNOWN) ? undefined : words?.[0]);
    return;
  }
  for (let at = 1; at < Math.max(10, (words?.length ?? 0) + 1); at++) {
    const word = words?.[at - 1];
    variables.set(String(at), word?.includes(UNKNOWN) ? undefined : word);
  }
}

/** Does `work` with these words as `$1`, `$2` and so on. */
export function withPositional(scope: Variables, words: readonly string[], work: () => void): void {
  const before = listOf(scope, POSITIONAL);
  setList(scope, POSITIONAL, words);
  work();
  setList(scope, POSITIONAL, before);
}

/** `x[2]=word`, `x[key]=word`. */
export function setItem(scope: Variables, name: string, index: string, word: string): void {
  if (!/^\d{1,3}$/.test(index)) {
    scope.variables.set(`${name}[${bare(index)}]`, word.includes(UNKNOWN) ? undefined : word);
    return;
  }
  const words = [...(listOf(scope, name) ?? [])];
  for (let at = words.length; at < Number(index); at++) words.push('');
  words[Number(index)] = word;
  setList(scope, name, words);
}

const bare = (index: string): string => index.replace(/^(["'])(.*)\1$/, '$2');

/** What `x[index]` holds: by number, from the end, by the name of a variable, or by key. */
export function itemOf(
  words: readonly string[] | undefined,
  name: string,
  index: string,
  variable: (name: string) => string | undefined,
): string | undefined {
  const key = bare(index);
  const kept = variable(`${name}[${key}]`);
  if (kept !== undefined) return kept;
  const number = /^-?\d+$/.test(key) ? key : variable(key.replace(/^\$\{?(\w+)\}?$/, '$1'));
  const item = number !== undefined && /^-?\d+$/.test(number) ? words?.at(Number(number)) : undefined;
  return item?.includes(UNKNOWN) ? undefined : item;
}

/** A list that a word is, and nothing else: `"$@"`, `${x[*]}`, `"${@:2}"`. */
export interface ListInWord {
  readonly name: string;
  readonly quoted: boolean;
  readonly joined: boolean;
  /** Which of its words. */
  readonly from?: number;
  readonly count?: number;
}

export function listIn({ parts }: Word): ListInWord | undefined {
  const [only] = parts?.length === 1 ? parts : [];
  const quoted = only?.type === 'DoubleQuoted';
  const [part] = quoted ? (only.parts.length === 1 ? only.parts : []) : [only];
  const name = part && listName(part);
  return name === undefined ? undefined : { ...name, quoted };
}

function listName(part: WordPart): Omit<ListInWord, 'quoted'> | undefined {
  if (part.type === 'SimpleExpansion' && /^\$[@*]$/.test(part.text))
    return { name: POSITIONAL, joined: part.text === '$*' };
  if (part.type !== 'ParameterExpansion' || part.prefix) return undefined;
  const { operation, parameter } = part;
  const isPositional = /^[@*]$/.test(parameter);
  const index = isPositional ? parameter : part.index?.text;
  if (index !== '@' && index !== '*') return undefined;
  const list = { name: isPositional ? POSITIONAL : parameter, joined: index === '*' };
  if (!operation) return list;
  if (operation.type !== 'Slice') return undefined;
  const [from, count] = [operation.offset.text.trim(), operation.length?.text.trim() ?? ''];
  if (!/^-?\d+$/.test(from) || !/^\d*$/.test(count)) return undefined;
  // The words that a script was given are counted from 1.
  const first = Number(from) - (isPositional && Number(from) > 0 ? 1 : 0);
  return { ...list, from: first, ...(count === '' ? {} : { count: Number(count) }) };
}
