import { type Assignment, type Command, UNKNOWN, type Word, type WordPart } from '../shell/index.ts';
import { judgeAssignment } from './assignments.ts';
import { guards } from './guards.ts';
import { listOf, setItem, setList } from './lists.ts';
import { isOutside } from './paths.ts';
import { lookUp, report, type ShellScope } from './scope.ts';
import type { Arg } from './types.ts';
import { visit } from './visit.ts';
import { type WordScope, wordOf, wordsOf } from './words.ts';

/** How words are read by now. */
export function words(scope: ShellScope, guess?: { made: boolean }): WordScope {
  return {
    list: (name) => listOf(scope, name),
    variable: (name) => (guess && guessed(name, scope, guess)) ?? lookUp(scope, name),
    leadsOut: (name) =>
      scope.astray.has(name) ||
      name === 'PWD' ||
      isOutside(/^[/~]/.test(name) ? name : (lookUp(scope, name) ?? '.'), scope),
    at: scope.at,
    guess,
  };
}

const ANY = '[?]';

/** What else a variable may hold: if those are not set that it is made of, or what set it last did not run. Kept under a name that no variable can have. */
function guessed(name: string, { variables }: ShellScope, guess: { made: boolean }): string | undefined {
  const value = variables.get(`${name}${ANY}`);
  if (value !== undefined) guess.made = true;
  return value;
}

/** Whether another reading of a command may differ: something in it may stand for what is not set. */
export const hasGuess = ({ args }: Command, { variables }: ShellScope): boolean =>
  args.some(({ text }) => text.includes('${') || (variables.has(ANY) && text.includes('$')));

/** Keeps what else a variable may hold. */
export const keepOther = (name: string, value: string, { variables }: ShellScope): void =>
  void variables.set(ANY, '').set(`${name}${ANY}`, value);

function keepGuess(name: string, word: Word, scope: ShellScope): void {
  const guess = { made: false };
  const { value } = wordOf(word, words(scope, guess));
  if (guess.made && !value.includes(UNKNOWN)) keepOther(name, value, scope);
}

/** `${x:=word}` leaves the word in a variable that is not set. */
export function noteDefaults(parts: readonly WordPart[] | undefined, scope: ShellScope): void {
  for (const part of parts ?? []) {
    if (part.type === 'DoubleQuoted') noteDefaults(part.parts, scope);
    if (part.type !== 'ParameterExpansion' || part.operation?.type !== 'Default') continue;
    const { operator, operand } = part.operation;
    if (!operator.endsWith('=') || part.index) continue;
    const [name, held] = [part.parameter, lookUp(scope, part.parameter)];
    const { value } = wordOf(operand, words(scope));
    if (held === '' && !value.includes(UNKNOWN)) scope.variables.set(name, value);
    else if (held === undefined && !value.includes(UNKNOWN)) keepOther(name, value, scope);
  }
}

/** What finds or prints a path, and paths in a text that makes a value. */
const finders = /^\S*(?:\$\(|`)\s*(?!dirname|realpath|readlink|echo|printf|cd|find|ls)/;
const paths = /(?:^|[\s:]|=\(?)["']?([~/][\w./@+-]*)/g;

/** Keeps whether a value that is not known is made of what lies outside. */
export function noteAstray(name: string, text: string, scope: ShellScope): void {
  const strays =
    !finders.test(text) && [...text.matchAll(paths)].some(([, path = '']) => isOutside(path, scope));
  if (strays) scope.astray.add(name);
  else scope.astray.delete(name);
}

/** `export A=b` and the like: one word for the program, and worth a look like any assignment. */
export function assignmentArg(assignment: Assignment, scope: ShellScope): Arg {
  const value = readAssignment(assignment, scope);
  noteAssigned(assignment, value, scope);
  return { ...value, value: `${assignment.name}=${value.value}`, text: assignment.text };
}

export function readAssignment(assignment: Assignment, scope: ShellScope): Arg {
  const span = scope.at(assignment.pos, assignment.end);
  visit(assignment, scope);
  const before = assignment.append ? lookUp(scope, assignment.name) : '';
  const read =
    assignment.value.type === 'Word' && !assignment.index
      ? wordOf(assignment.value, words(scope))
      : undefined;
  const value: Arg =
    read && before !== undefined
      ? { ...read, value: before + read.value }
      : { value: UNKNOWN, literal: false, glob: false, span, text: assignment.text };
  report(scope, guards.assignment, span);
  judgeAssignment(assignment.name, value, scope);
  if (value.value.includes(UNKNOWN)) noteAstray(assignment.name, assignment.text, scope);
  return { ...value, span };
}

/** Keeps what an assignment without a command, or behind `export` and the like, leaves. */
export function noteAssigned(
  { name, index, append, value: given }: Assignment,
  value: Arg,
  scope: ShellScope,
): void {
  if (given.type === 'ArrayValue') {
    const before = append ? (listOf(scope, name) ?? [UNKNOWN]) : [];
    const keyed = /^\[([^\]]*)\]=(["']?)([^"'$`\\]*)\2$/;
    const items = given.elements.filter(({ text }) => !keyed.test(text));
    setList(scope, name, [
      ...before,
      ...items.flatMap((word) => wordsOf(word, words(scope)).map((item) => item.value)),
    ]);
    for (const { text } of given.elements) {
      const [, key, , item] = keyed.exec(text) ?? [];
      if (key !== undefined && item !== undefined) setItem(scope, name, key, item);
    }
  } else if (index) setItem(scope, name, index.text, wordOf(given, words(scope)).value);
  else {
    const before = scope.variables.get(name);
    scope.variables.set(name, value.value.includes(UNKNOWN) ? undefined : value.value);
    if (!scope.perhaps) scope.variables.delete(`${name}${ANY}`);
    else if (before !== undefined && before !== value.value) keepOther(name, before, scope);
    if (value.value.includes(UNKNOWN) && !append) keepGuess(name, given, scope);
  }
}
