import { canonical, type RestoreAction, type SimpleAction } from '../../contract/index.ts';
import { isBare, parseBash, parseWhole, shellText, type Word, type WordPart } from '../../shell/index.ts';
import { isPlain, limits } from '../guards.ts';
import type { Scope } from '../scope.ts';
import { createFindings } from '../verdict.ts';
import { walkScript } from '../walk.ts';
import { unwrap } from '../wrappers/index.ts';

/** The text that a rule about an exact command is compared with. */
export const textOf = (action: SimpleAction | RestoreAction): string =>
  shellText(action) ?? canonical(action);

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

/** Every program that a text would start, however it is wrapped, as its name and arguments. Never throws. */
export function commandsIn(text: string): string[][] {
  const found: string[][] = [];
  const scope: Scope = {
    context: {},
    findings: createFindings(),
    depth: 0,
    via: [],
    variables: new Map(),
    functions: new Set(),
    written: new Set(),
    budget: { commands: 10_000, nesting: 0 },
    cwd: undefined,
    unrolled: false,
    at: (pos, end) => [pos, end],
    script: walkScript,
    simple(command, inner) {
      found.push([command.name, ...command.args.map((arg) => arg.value)]);
      if (found.length < 10_000) unwrap(command, inner);
    },
    nested(inner, outer, options) {
      if (outer.depth >= limits.depth || inner.length > limits.judged) return;
      const next = { depth: outer.depth + 1, via: options.via ?? outer.via };
      const parsed = parseBash(inner);
      if ('script' in parsed) walkScript(parsed.script, { ...outer, ...next });
    },
  };
  // What was found so far is compared; a text that cannot be read the judge calls dangerous by itself.
  const parsed = parseBash(text);
  try {
    if (text.length <= limits.judged && 'script' in parsed) walkScript(parsed.script, scope);
  } catch {}
  return found;
}
