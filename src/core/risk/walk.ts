import {
  type Command,
  type For,
  type ParsedScript,
  type Pipeline,
  programName,
  type Redirection,
  type Select,
  type Statement,
  type SyntaxNode,
  type Word,
} from '../shell/index.ts';
import { judgeAssignment } from './assignments.ts';
import { appended, noteWritten } from './content.ts';
import { guards, limits } from './guards.ts';
import { withPositional } from './lists.ts';
import { forkBomb, isForkBomb, isSpawnLoop, spawnLoop } from './loops.ts';
import { literalOutput } from './output.ts';
import { judgeRedirection, outputOf } from './redirections.ts';
import { programFor, variableOf } from './safe/conventions.ts';
import { lookUp, report, type ShellScope } from './scope.ts';
import {
  assignmentArg,
  hasGuess,
  keepOther,
  noteAssigned,
  noteAstray,
  noteDefaults,
  readAssignment,
  words,
} from './set-variables.ts';
import type { Arg, SimpleCommand, Stdin } from './types.ts';
import { steersPrograms } from './variables.ts';
import { hiddenIn, visit, visitWord } from './visit.ts';
import { wordsOf } from './words.ts';

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

/** Walks what may not run, or not now. */
function walkApart(scope: ShellScope, node: SyntaxNode | readonly Statement[]): number {
  const before = scope.perhaps;
  scope.perhaps = true;
  const count = 'type' in node ? walkNode(node, scope) : walkList(node, scope);
  scope.perhaps = before;
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
      return node.commands.reduce(
        (sum, command, i) => sum + (i === 0 ? walkNode(command, scope) : walkApart(scope, command)),
        0,
      );
    case 'Pipeline':
      return walkPipeline(node, scope);
    case 'Redirected':
      return walkRedirected(node, scope, readRedirects(node.redirects, scope));
    case 'BraceGroup':
      return walkList(node.body.commands, scope);
    case 'Subshell': {
      const before = scope.cwd;
      const count = walkList(node.body.commands, { ...scope, variables: new Map(scope.variables) });
      scope.cwd = before;
      return count;
    }
    case 'If':
      return (
        walkList(node.clause.commands, scope) +
        [
          node.then,
          ...node.elif.flatMap((elif) => [elif.clause, elif.then]),
          ...(node.else ? [node.else] : []),
        ].reduce((sum, part) => sum + walkApart(scope, part.commands), 0)
      );
    case 'While':
      report(scope, isSpawnLoop(node) ? spawnLoop : guards.loop, span);
      return walkList(node.clause.commands, scope) + walkApart(scope, node.body.commands);
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
        return sum + walkApart(scope, item.body.commands);
      }, 0);
    case 'Function':
      report(scope, isForkBomb(node) ? forkBomb : guards.functions, span);
      scope.functions.add(node.name.value);
      scope.bodies.set(node.name.value, node.body);
      return walkApart(scope, node.body);
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

/** Judges the body of a loop once for each value that is literal: of many, those first that read like options. */
function walkRounds(node: For | Select, scope: ShellScope): number {
  const name = node.name.value;
  const given = (node.wordlist ?? []).slice(0, limits.values).flatMap((word) => wordsOf(word, words(scope)));
  const inner: ShellScope = { ...scope, rounds: Math.floor(scope.rounds / Math.max(2, given.length)) };
  const steers = name === 'PATH' || steersPrograms(name) || /^[A-Z]|_proxy$/.test(name);
  if (steers) report(scope, guards.assignment, scope.at(node.name.pos, node.name.end));
  const isOption = ({ value }: Arg): boolean => value.startsWith('-');
  const first = given.length > scope.rounds ? given.toSorted((a, b) => +isOption(b) - +isOption(a)) : given;
  for (const value of first.slice(0, scope.rounds)) {
    if (steers) judgeAssignment(name, value, scope);
    if (!value.literal || value.glob) continue;
    scope.variables.set(name, value.value);
    walkList(node.body.commands, inner);
  }
  scope.variables.set(name, undefined);
  const last = given.at(-1);
  if (last?.literal && !last.glob) keepOther(name, last.value, scope);
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
      ...(pipeline.commands.length > 1 ? { variables: new Map(scope.variables) } : {}),
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
  const env: { name: string; value: Arg }[] = [];
  for (const prefix of command.prefix) {
    if (prefix.type !== 'Assignment') continue;
    const value = readAssignment(prefix, scope);
    env.push({ name: prefix.name, value });
    if (!command.name) noteAssigned(prefix, value, scope);
  }
  const stdin = readRedirects(command.redirects, scope);
  if (!command.name) {
    noteOutputs(command, '', scope);
    return env.length > 0 || command.redirects.length > 0;
  }
  visitWord(command.name, scope);
  const reader = words(scope);
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
  tryGuessed(command, simple, scope);
  if (command.redirects.length > 0) noteOutputs(command, literalOutput({ ...simple, via: [] }), scope);
  callFunction(simple, scope);
  // `exec < file` is for all that comes after it.
  if (first.value === 'exec' && all.length === 1) scope.stdin = stdin;
  return true;
}

/** Judges it once more as it would be if no variable were set that something else may stand for: `find . ${x:--delete}`. */
function tryGuessed(command: Command, simple: SimpleCommand, scope: ShellScope): void {
  if (!hasGuess(command, scope)) return;
  const guess = { made: false };
  const reader = words(scope, guess);
  const args = command.args.flatMap((arg) => (arg.type === 'Word' ? wordsOf(arg, reader) : []));
  if (guess.made) scope.simple({ ...simple, args }, scope);
  for (const arg of command.args) if (arg.type === 'Word') noteDefaults(arg.parts, scope);
}

/** What a function is given and fed, the commands of its body read. One that calls itself is read once. */
function callFunction({ path: name, args, stdin }: SimpleCommand, scope: ShellScope): void {
  const body = scope.bodies.get(name);
  if (!body || (args.length === 0 && stdin.kind === 'none')) return;
  scope.bodies.delete(name);
  withPositional(
    scope,
    args.map(({ value }) => value),
    () => walkFed(body, scope, stdin),
  );
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
