import { type Command, forEachChild, type Redirection, type SyntaxNode, type Word } from 'unbash';
import type { Words } from './started.ts';
import { startsOf } from './starts-of.ts';

/** Where a command stands among others. */
export interface Around {
  /** Something feeds its standard input: a pipe, a file, a here-document. */
  readonly fed: boolean;
  readonly background: boolean;
}

/** Every node of a tree, what is in substitutions and functions too, each with what is around it. */
export function eachNode(
  node: SyntaxNode,
  visit: (node: SyntaxNode, around: Around) => void,
  around: Around = { fed: false, background: false },
): void {
  const here = node.type === 'Command' && node.redirects.some(feeds) ? { ...around, fed: true } : around;
  visit(node, here);
  const below = belowOf(node, around);
  forEachChild(node, (child) => {
    const piped = node.type === 'Pipeline' && child !== node.commands[0];
    eachNode(child, visit, piped ? { ...below, fed: true } : below);
  });
}

function belowOf(node: SyntaxNode, around: Around): Around {
  if (node.type === 'Redirected') return { ...around, fed: around.fed || node.redirects.some(feeds) };
  if (node.type === 'Statement') return { ...around, background: node.background === true };
  if (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution')
    return { ...around, background: false };
  return around;
}

const feeds = (redirect: Redirection): boolean =>
  /^<(?!>)/.test(redirect.operator) && redirect.operator !== '<&';

/** The words of a command as far as the tree knows them, its name first; none where it only assigns. */
export const wordsOf = ({ name, args }: Command): string[] =>
  name === undefined ? [] : [name, ...args].map((word) => (word.type === 'Word' ? word.value : word.text));

/** A word without expansions and patterns. */
export const isFixed = (word: Word): boolean =>
  (word.parts ?? []).every(
    (part) =>
      part.type === 'Literal' ||
      part.type === 'SingleQuoted' ||
      part.type === 'AnsiCQuoted' ||
      (part.type === 'DoubleQuoted' && part.parts.every((inner) => inner.type === 'Literal')),
  );

const MAX_WRAPPERS = 12;

/**
 * Where the command begins that these words come down to: behind `sudo`, `env`, `xargs` and whatever else runs the words
 * behind it here. What runs elsewhere, or what a project brings along, is not looked through: `npx`, `docker` stay.
 */
export function commandAt(words: Words): number {
  let at = 0;
  for (let round = 0; round < MAX_WRAPPERS; round++) {
    const found = startsOf(at === 0 ? words : words.slice(at));
    const [only, ...others] = found?.started ?? [];
    const through = found?.where === 'here' && only?.as === 'words' && !only.program && others.length === 0;
    if (!through || at + only.to !== words.length) return at;
    at += only.from;
  }
  return at;
}
