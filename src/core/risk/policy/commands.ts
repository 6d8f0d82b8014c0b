import { canonical, type SingleAction, shellText } from '../../contract/index.ts';
import { isBare, parseWhole, type Word, type WordPart } from '../../shell/index.ts';
import { isPlain, limits } from '../guards.ts';
import { believedCommands } from '../judge.ts';

/** The text that a rule about an exact command is compared with. */
export const textOf = (action: SingleAction): string => shellText(action) ?? canonical(action);

export const isShell = (action: SingleAction): boolean => shellText(action) !== null;

/**
 * The words of a text that is one program with literal arguments, and nothing else at all: no second command, no
 * redirection, no assignment, no variable, substitution, pattern or brace. Null otherwise.
 */
export function literalWords(text: string): string[] | null {
  if (!isPlain(text) || text.length > limits.bytes || /[\n#~]/.test(text)) return null;
  const [statement, ...others] = parseWhole(text)?.commands ?? [];
  const command = statement?.command;
  if (others.length > 0 || statement?.background || command?.type !== 'Command') return null;
  // Not even an empty rest: the command is all of the text.
  if (command.pos !== text.search(/\S/) || command.end !== text.trimEnd().length) return null;
  if (!command.name || command.prefix.length > 0 || command.redirects.length > 0) return null;
  const words: string[] = [];
  for (const word of [command.name, ...command.args]) {
    if (word.type !== 'Word' || !isLiteral(word)) return null;
    words.push(word.value);
  }
  return words;
}

/** Bare text of signs that mean nothing to any shell, or quotes around what is not expanded. */
const isLiteral = (word: Word): boolean =>
  word.parts ? !/[$`]/.test(word.text) && word.parts.every(isLiteralPart) : isBare(word.text);

const isLiteralPart = (part: WordPart): boolean =>
  (part.type === 'Literal' && isBare(part.text)) ||
  part.type === 'SingleQuoted' ||
  (part.type === 'DoubleQuoted' && part.parts.every((inner) => inner.type === 'Literal'));

/** Every program that a text would start, however it is wrapped, as its name and arguments. */
export const commandsIn = (text: string): string[][] =>
  believedCommands(text).map(({ name, args }) => [name, ...args.map(({ value }) => value)]);
