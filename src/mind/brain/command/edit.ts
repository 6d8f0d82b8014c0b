import type { CommandTree, Simple, WordAt } from '../../../core/shell/index.ts';
import { shellWord } from '../../../core/shell/index.ts';

/** The text with the words replaced by these values, everything else as it was written. */
export function replaceWords(tree: CommandTree, changes: readonly (readonly [WordAt, string])[]): string {
  return splice(
    tree.text,
    changes.map(([word, value]) => ({ pos: word.pos, end: word.end, text: shellWord(value) })),
  );
}

/** The text with two words in each other's place. */
export const swapWords = (tree: CommandTree, a: WordAt, b: WordAt): string =>
  replaceWords(tree, [
    [a, b.value],
    [b, a.value],
  ]);

/** The text with one word taken out, and the blanks before it. */
export function dropWord(tree: CommandTree, word: WordAt): string {
  const before = tree.text.slice(0, word.pos).trimEnd();
  return before + tree.text.slice(word.end);
}

/** Raw shell text put after a word. */
export function insertAfter(tree: CommandTree, word: WordAt, text: string): string {
  return splice(tree.text, [{ pos: word.end, end: word.end, text: ` ${text}` }]);
}

/** Raw shell text put before the whole simple command, prefixes and assignments included. */
export function insertBefore(tree: CommandTree, simple: Simple, text: string): string {
  return splice(tree.text, [{ pos: simple.pos, end: simple.pos, text: `${text} ` }]);
}

export interface Splice {
  readonly pos: number;
  readonly end: number;
  readonly text: string;
}

export function splice(text: string, changes: readonly Splice[]): string {
  let result = text;
  for (const change of changes.toSorted((a, b) => b.pos - a.pos)) {
    result = result.slice(0, change.pos) + change.text + result.slice(change.end);
  }
  return result;
}
