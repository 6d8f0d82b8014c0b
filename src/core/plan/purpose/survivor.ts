import type { Simple } from '../../shell/index.ts';
import { changesMeaning } from '../meaning.ts';
import { editDistance } from '../nearest.ts';
import { isSlip } from '../slip.ts';
import { isSameEnding, isSameVerb } from './aliases.ts';

/** What is known of a step besides its command: the name of its folder, and the words that it is called by. */
export interface KnownOfStep {
  readonly here: string;
  readonly words: readonly string[];
  /** It only reads, and what it prints is expected: another letter shows itself. */
  readonly isProven: boolean;
}

/** The word of the corrected command that is this one still. */
export const survivor = (
  before: Simple,
  value: string,
  now: readonly string[],
  known: KnownOfStep,
): string | undefined =>
  now.find((word) => word === value || isFromHere(value, word, known)) ??
  now.find((word) => holds(word, straight(value))) ??
  now.find(
    (word) =>
      isNearPath(value, word) ||
      isNamed(value, word, known) ||
      (known.isProven && isOneLetter(value, word)) ||
      (before.program === 'tar' && isSameBundle(value, word)) ||
      isOtherPort(value, word) ||
      isSameEnding(value, word) ||
      isSameVerb(before.program, value, word) ||
      isSameAddress(value, word) ||
      isModuleOf(value, word) ||
      isOfRemote(before, value, word) ||
      // To a file nobody can go; its folder is where it is.
      (before.program === 'cd' && word !== '' && value.startsWith(`${word}/`)),
  );

/** Not only near it, but the same. */
export const isSameWord = (now: string, was: string, known: KnownOfStep): boolean =>
  now === was || isFromHere(was, now, known) || holds(now, straight(was)) || isSameEnding(was, now);

/** Quotes of typography are no part of what they are around. */
const straight = (value: string): string => value.replace(/^[“”„‟‘’‚‛]+|[“”„‟‘’‚‛]+$/gu, '');

/** Within another word, whole: in quotes, behind `--flag=` or a folder, with an ending. */
const holds = (word: string, value: string): boolean => {
  const plain = value.replace(/^(?:\.?\/)+|\/+$/g, '');
  if (plain === '' || !word.includes(plain)) return plain === '' && word !== '';
  const at = word.indexOf(plain);
  const [first, last] = [word[at - 1] ?? '', word[at + plain.length] ?? ''];
  return !/[\w-]/.test(first) && !/[\w-]/.test(last);
};

/** A file of a package, as the module that it is: `pkg/cli.py` and `pkg.cli`. */
const isModuleOf = (value: string, word: string): boolean => {
  const module = value.replace(/^\.\//, '').replaceAll('/', '.');
  return (
    value.endsWith('.py') &&
    (module === `${word}.py` || (word.includes('.') && module.endsWith(`.${word}.py`)))
  );
};

/** `git switch origin/topic`: the local branch that follows it has its name. */
const isOfRemote = ({ program, args }: Simple, value: string, word: string): boolean =>
  program === 'git' &&
  args[0]?.value === 'switch' &&
  value.slice(value.indexOf('/') + 1) === word &&
  value !== word;

/** A protocol that there is not, before the same place. */
function isSameAddress(value: string, word: string): boolean {
  const [, was = '', place] = /^(\w+)(:\/\/.+)$/.exec(value) ?? [];
  return (
    place !== undefined && !/^(?:https?|ftps?|sftp|ssh|git|file|wss?)$/.test(was) && word.endsWith(place)
  );
}

const isFromHere = (was: string, now: string, { here }: KnownOfStep): boolean =>
  here !== '' && was === `${here}/${now}`;

/** One letter is another, and the step is called after the right one: `Seed` by `sead.py`. */
function isNamed(value: string, word: string, { words }: KnownOfStep): boolean {
  const stem = /^([a-z]{3,})\.\w+$/.exec(word)?.[1];
  return stem !== undefined && words.includes(stem) && isOneLetter(value, word);
}

const isOneLetter = (value: string, word: string): boolean =>
  editDistance(value, word, 2) === 1 && !changesMeaning(value, word);

/** Letters of tar without a dash, but for the one that names the compression: tar finds that out by itself. */
const isSameBundle = (value: string, word: string): boolean =>
  /^[a-zA-Z]+$/.test(value) && value !== word && value.replace(/[zjJ]/, '') === word;

/** A slip of the fingers in one or two of its parts. */
function isNearPath(value: string, word: string): boolean {
  if (changesMeaning(value, word)) return false;
  const [a, b] = [value.split('/'), word.split('/')];
  const tail = b.slice(-a.length);
  if (a.length === 1 || tail.length !== a.length) return isSlip(value, b.at(-1)!) || isSlip(value, word);
  const wrong = a.filter((part, at) => part !== tail[at]);
  const isFolder = (at: number): boolean => at < a.length - 1;
  return (
    wrong.length <= 2 &&
    a.every(
      (part, at) => part === tail[at] || isSlip(part, tail[at]!) || (isFolder(at) && areOne(part, tail[at]!)),
    )
  );
}

/** `tests` and `test`: a folder of many is named after one of them. */
const areOne = (a: string, b: string): boolean =>
  a.length > 2 && b.length > 2 && (`${a}s` === b || `${b}s` === a);

/** Another port where one was taken: `8000`, `:8000`, `PORT=8000`. */
export function isOtherPort(value: string, word: string): boolean {
  const shape = (text: string): string => text.replace(/(?<!\d)\d{4,5}(?!\d)/, '#');
  return (
    value !== word &&
    shape(value).includes('#') &&
    /^[\w.*:=-]*#(?::\d+)?$/.test(shape(value)) &&
    shape(value) === shape(word)
  );
}
