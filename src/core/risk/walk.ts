import {
  type Assignment,
  type Command,
  type For,
  type ParsedScript,
  type Pipeline,
  programName,
  type Redirection,
  type Select,
  type Statement,
  type SyntaxNode,
  UNKNOWN,
  type Word,
} from '../shell/index.ts';
import { judgeAssignment } from './assignments.ts';
import { appended, noteWritten } from './content.ts';
import { guards, limits } from './guards.ts';
import { forkBomb, isForkBomb, isSpawnLoop, spawnLoop } from './loops.ts';
import { literalOutput } from './output.ts';
import { isOutside } from './paths.ts';
import { judgeRedirection, outputOf } from './redirections.ts';
import { programFor, variableOf } from './safe/conventions.ts';
import { lookUp, report, type ShellScope } from './scope.ts';
import type { Arg, SimpleCommand, Stdin } from './types.ts';
import { steersPrograms } from './variables.ts';
import { hiddenIn, visit, visitWord } from './visit.ts';
import { type WordScope, wordOf, wordsOf } from './words.ts';

/** Reads the commands of a script in order and hands each program to `scope.simple`. Returns how many. */
export function walkScript(script: ParsedScript, scope: ShellScope): number {
  let count = 0;
  for (const statement of script.commands) {
    count += walkStatement(statement, scope);
    // It was said that this is too long to be judged.
    if (scope.budget.commands < 0) break;
  }
  return count;
}

const words = (scope: ShellScope): WordScope => ({
  variable: (name) => lookUp(scope, name),
  leadsOut: (name) =>
    scope.astray.has(name) ||
    name === 'PWD' ||
    isOutside(/^[/~]/.test(name) ? name : (lookUp(scope, name) ?? '.'), scope),
  at: scope.at,
});

/** What finds or prints a path, and paths in a text that makes a value. */
const finders = /^\S*(?:\$\(|`)\s*(?!dirname|realpath|readlink|echo|printf|cd|find|ls)/;
const paths = /(?:^|[\s:]|=\(?)["']?([~/][\w./@+-]*)/g;

/** Keeps whether a value that is not known is made of what lies outside. */
function noteAstray(name: string, text: string, scope: ShellScope): void {
  const strays =
    !finders.test(text) && [...text.matchAll(paths)].some(([, path = '']) => isOutside(path, scope));
  if (strays) scope.astray.add(name);
  else scope.astray.delete(name);
}

function walkStatement(statement: Statement, scope: ShellScope): number {
  if (statement.background) reportJob(statement, scope);
  return walkNode(statement.command, scope);
}

/** A background process is the step's own where the text goes on to wait for it or to end it. */
function reportJob(node: SyntaxNode, scope: ShellScope): void {
  const isOver = scope.jobsEnd > node.end;
  report(scope, isOver ? guards.job : guards.background, scope.at(node.pos, node.end));
}

function walkList(statements: readonly Statement[], scope: ShellScope): number {
  const first = statements[0];
  if (++scope.budget.nesting > limits.depth && first)
    report(scope, guards.nested, scope.at(first.pos, first.end));
  let count = 0;
  for (const statement of statements) count += walkStatement(statement, scope);
  scope.budget.nesting--;
  return count;
}

/** Walks with another standard input, which reaches all that the node holds. */
function walkFed(node: SyntaxNode, scope: ShellScope, stdin: Stdin): number {
  const before = scope.stdin;
  scope.stdin = stdin;
  const count = walkNode(node, scope);
  scope.stdin = before;
  return count;
}

function walkNode(node: SyntaxNode, scope: ShellScope): number {
  const span = scope.at(node.pos, node.end);
  switch (node.type) {
    case 'Command':
      return walkCommand(node, scope) ? 1 : 0;
    case 'AndOr':
      if (node.commands.some(({ type }) => type === 'Subshell')) report(scope, guards.subshell, span);
      return node.commands.reduce((sum, command) => sum + walkNode(command, scope), 0);
    case 'Pipeline':
      return walkPipeline(node, scope);
    case 'Redirected':
      return walkRedirected(node, scope, readRedirects(node.redirects, scope));
    case 'BraceGroup':
      return walkList(node.body.commands, scope);
    case 'Subshell': {
      const before = scope.cwd;
      const count = walkList(node.body.commands, scope);
      scope.cwd = before;
      return count;
    }
    case 'If':
      return (
        walkList(node.clause.commands, scope) +
        walkList(node.then.commands, scope) +
        node.elif.reduce(
          (sum, elif) => sum + walkList(elif.clause.commands, scope) + walkList(elif.then.commands, scope),
          0,
        ) +
        walkList(node.else?.commands ?? [], scope)
      );
    case 'While':
      report(scope, isSpawnLoop(node) ? spawnLoop : guards.loop, span);
      return walkList(node.clause.commands, scope) + walkList(node.body.commands, scope);
    case 'For':
    case 'Select':
      for (const word of node.wordlist ?? []) visitWord(word, scope);
      if (node.type === 'Select') report(scope, guards.loop, span);
      return walkRounds(node, scope);
    case 'ArithmeticFor':
      report(scope, isSpawnLoop(node) ? spawnLoop : guards.arithmetic, span);
      for (const part of [node.initialize, node.test, node.update]) if (part) visit(part, scope);
      return walkList(node.body.commands, scope);
    case 'Case':
      visitWord(node.word, scope);
      return node.items.reduce((sum, item) => {
        for (const pattern of item.pattern) visitWord(pattern, scope);
        return sum + walkList(item.body.commands, scope);
      }, 0);
    case 'Function':
      report(scope, isForkBomb(node) ? forkBomb : guards.functions, span);
      scope.functions.add(node.name.value);
      scope.bodies.set(node.name.value, node.body);
      return walkNode(node.body, scope);
    case 'CompoundList':
      return walkList(node.commands, scope);
    case 'Coproc':
      report(scope, guards.coproc, span);
      reportJob(node, scope);
      // Whatever is written to its descriptor, it reads.
      return walkFed(node.body, scope, { kind: 'pipe', from: [] });
    case 'TestCommand':
    case 'ArithmeticCommand':
      report(scope, node.type === 'TestCommand' ? guards.test : guards.arithmetic, span);
      visit(node, scope);
      hiddenIn(node, scope);
      return 1;
    default:
      report(scope, guards.parseError, span);
      return 0;
  }
}

/** Judges the body of a loop once for each of the first few values, where they are literal. */
function walkRounds(node: For | Select, scope: ShellScope): number {
  const name = node.name.value;
  const values = scope.unrolled
    ? []
    : (node.wordlist ?? []).slice(0, 8).flatMap((word) => wordsOf(word, words(scope)));
  const inner: ShellScope = { ...scope, unrolled: true };
  const steers = name === 'PATH' || steersPrograms(name) || /^[A-Z]|_proxy$/.test(name);
  if (steers) report(scope, guards.assignment, scope.at(node.name.pos, node.name.end));
  for (const value of values.slice(0, 16)) {
    if (steers) judgeAssignment(name, value, scope);
    if (!value.literal || value.glob) continue;
    scope.variables.set(name, value.value);
    walkList(node.body.commands, inner);
  }
  scope.variables.set(name, undefined);
  noteAstray(name, (node.wordlist ?? []).map(({ text }) => text).join(' '), scope);
  return walkList(node.body.commands, inner);
}

function walkPipeline(pipeline: Pipeline, scope: ShellScope): number {
  let count = 0;
  let input = scope.stdin;
  const before: SimpleCommand[] = [];
  const heard = scope.simple;
  for (const node of pipeline.commands) {
    const stage: SimpleCommand[] = [];
    const listening: ShellScope = {
      ...scope,
      stdin: input,
      simple(command: SimpleCommand, inner: ShellScope) {
        stage.push(command);
        heard(command, inner);
      },
    };
    count += walkNode(node, listening);
    const only = stage.length === 1 ? stage[0] : undefined;
    const text = only && literalOutput(only);
    before.push(...stage);
    input =
      text === undefined
        ? { kind: 'pipe', from: before }
        : { kind: 'text', text, span: scope.at(node.pos, node.end) };
  }
  return count;
}

/** Judges the redirections; answers with the standard input that they leave. */
function readRedirects(redirects: readonly Redirection[], scope: ShellScope): Stdin {
  let input = scope.stdin;
  for (const redirect of redirects) {
    visit(redirect, scope);
    input = judgeRedirection(redirect, scope, words(scope)) ?? input;
  }
  return input;
}

function walkRedirected(
  node: Pick<Command, 'redirects'> & { readonly command: SyntaxNode },
  scope: ShellScope,
  stdin: Stdin,
): number {
  const count = walkFed(node.command, scope, stdin);
  noteOutputs(node, undefined, scope);
  return count;
}

/** Keeps what a command puts into files by redirection: its text, where that is certain. */
function noteOutputs(
  { redirects }: Pick<Command, 'redirects'>,
  text: string | undefined,
  scope: ShellScope,
): void {
  for (const redirect of redirects) {
    const output = outputOf(redirect, words(scope));
    if (!output) continue;
    const origin = text === undefined || !output.whole ? 'unseen' : { text };
    const { path, appends } = output;
    const span = scope.at(redirect.pos, redirect.end);
    noteWritten(path, appends ? appended(path, origin, scope) : origin, scope, span);
  }
}

function walkCommand(command: Command, scope: ShellScope): boolean {
  if (scope.budget.commands-- <= 0) {
    report(scope, guards.tooLong, scope.at(command.pos, command.end));
    return true;
  }
  const reader = words(scope);
  const env: { name: string; value: Arg }[] = [];
  for (const prefix of command.prefix) {
    if (prefix.type !== 'Assignment') continue;
    env.push({ name: prefix.name, value: readAssignment(prefix, scope) });
  }
  const stdin = readRedirects(command.redirects, scope);
  if (!command.name) {
    for (const { name, value } of env) {
      scope.variables.set(name, value.value.includes(UNKNOWN) ? undefined : value.value);
    }
    noteOutputs(command, '', scope);
    return env.length > 0 || command.redirects.length > 0;
  }
  visitWord(command.name, scope);
  const all = wordsOf(command.name, reader);
  for (const arg of command.args) {
    if (arg.type === 'Word') {
      visitWord(arg, scope);
      all.push(...wordsOf(arg, reader));
    } else {
      visit(arg, scope);
      all.push(assignmentArg(arg, scope));
    }
  }
  const tool = toolOf(command.name, all[0], scope);
  const first = tool ?? all[0];
  const span = scope.at(command.pos, command.end);
  const plainName =
    !command.name.parts || command.name.parts.every((part) => /Literal|Quoted/.test(part.type));
  if (tool) report(scope, guards.unproven, tool.span);
  else if (!first || !plainName || !first.literal || first.glob)
    report(scope, guards.unknownCommand, scope.at(command.name.pos, command.name.end));
  if (!first) {
    noteOutputs(command, undefined, scope);
    return true;
  }
  const simple: SimpleCommand = {
    name: programName(first.value),
    path: first.value,
    args: all.slice(1),
    env,
    span,
    via: scope.via,
    stdin,
    open: false,
  };
  scope.simple(simple, scope);
  if (command.redirects.length > 0) noteOutputs(command, literalOutput({ ...simple, via: [] }), scope);
  if (stdin.kind !== 'none') feedFunction(first.value, scope, stdin);
  // `exec < file` is for all that comes after it.
  if (first.value === 'exec' && all.length === 1) scope.stdin = stdin;
  return true;
}

/** What a function is fed, the commands of its body read. One that calls itself is read once. */
function feedFunction(name: string, scope: ShellScope, stdin: Stdin): void {
  const body = scope.bodies.get(name);
  if (!body) return;
  scope.bodies.delete(name);
  walkFed(body, scope, stdin);
  scope.bodies.set(name, body);
}

/** What a variable stands for by convention, as `$PYTHON` does; what it is set to, where that is known. */
function toolOf(word: Word, first: Arg | undefined, scope: ShellScope): Arg | undefined {
  const variable = variableOf(word);
  const meant = variable === undefined ? undefined : programFor(variable);
  if (variable === undefined || meant === undefined || !first) return undefined;
  const value = lookUp(scope, variable);
  if (value === undefined && scope.variables.has(variable)) return undefined;
  return { ...first, value: value ? first.value : meant, literal: true };
}

/** `export A=b` and the like: one word for the program, and worth a look like any assignment. */
function assignmentArg(assignment: Assignment, scope: ShellScope): Arg {
  const value = readAssignment(assignment, scope);
  scope.variables.set(assignment.name, value.value.includes(UNKNOWN) ? undefined : value.value);
  return { ...value, value: `${assignment.name}=${value.value}`, text: assignment.text };
}

function readAssignment(assignment: Assignment, scope: ShellScope): Arg {
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
