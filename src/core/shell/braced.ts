import { parse, type Word } from 'unbash';
import { expandBraces } from './braces.ts';

/** A longer word with braces is not expanded: it is not worth the time. */
const MAX_LENGTH = 1_000;

export const hasBraces = (word: Word): boolean =>
  word.parts?.some((part) => part.type === 'BraceExpansion') ?? false;

/** The words that bash makes of one with braces, each still to be expanded; null where that is too many or not read. */
export function bracedWords(word: Word): Word[] | null {
  const texts = word.text.length > MAX_LENGTH ? null : expandBraces(word.text);
  if (texts === null) return null;
  const words: Word[] = [];
  for (const text of texts) {
    if (text === '') continue;
    const script = parse(`x ${text}`);
    const command = script.commands[0]?.command;
    if (script.errors?.length || script.commands.length !== 1 || command?.type !== 'Command') return null;
    for (const arg of command.args) {
      if (arg.type !== 'Word' || hasBraces(arg)) return null;
      words.push(arg);
    }
  }
  return words;
}
