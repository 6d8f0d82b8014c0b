import { isBashLike, shellCall } from '../../shell/index.ts';
import { operands, optionValues, wordsOf } from '../args.ts';
import { languageOf } from '../content.ts';
import { destroys } from '../destructive.ts';
import { guards, limits } from '../guards.ts';
import { originIn } from '../origins.ts';
import { resolvePath } from '../paths.ts';
import { report, type ShellScope } from '../scope.ts';
import type { Arg, Origin, RuleInfo, SimpleCommand, Span } from '../types.ts';
import { judgeShellText, type Unwrapped } from './inner.ts';

export const pipeToInterpreter: RuleInfo = {
  id: 'pipe-to-interpreter',
  level: 'dangerous',
  sentence: 'Feeds an interpreter with what another command prints, so what would run cannot be seen.',
};

export const destructiveWords: RuleInfo = {
  id: 'destructive-words',
  level: 'dangerous',
  sentence: 'Gives a destructive command, or code from the network, to a program that may run it.',
};

export const writeThenRun: RuleInfo = {
  id: 'write-then-run',
  level: 'dangerous',
  sentence:
    'Runs what was written or downloaded just before, by the same command or by an earlier step, and was not shown.',
};

export const runsScript: RuleInfo = {
  id: 'runs-script-file',
  level: 'caution',
  sentence: 'Runs a script file whose content is not part of the command.',
  reversible: true,
};

/** `bash -c text`, `bash file`, `bash` with something on its standard input. */
export function unwrapShell(command: SimpleCommand, scope: ShellScope): Unwrapped {
  const call = shellCall(wordsOf(command));
  const given = command.args[(call.script ?? 0) - 1];
  const script = given && call.skip ? { ...given, value: given.value.slice(call.skip) } : given;
  const file = command.args[(call.file ?? 0) - 1];
  if (call.dry) return undefined;
  runStartup(command, scope);
  if (script) {
    const behind = command.args.slice(call.script ?? 0, (call.script ?? 0) + 10);
    judgeShellText(
      command,
      script,
      scope,
      behind.map(({ value }) => value),
    );
    if (command.open && /^\s*(?:"?\$[@*0-9]"?|\{\})/.test(script.value))
      report(scope, pipeToInterpreter, command.span);
    if (!isBashLike(command.name) && destroys(script.value, scope))
      report(scope, destructiveWords, script.span);
    return call.plain && isBashLike(command.name) ? 'clear' : undefined;
  }
  if (call.command) report(scope, command.open ? pipeToInterpreter : guards.unknownCommand, command.span);
  else if (file) runFile(command, file, scope);
  else {
    if (command.open) report(scope, pipeToInterpreter, command.span);
    runStdin(command, scope);
  }
  return undefined;
}

/** Files that a shell reads before anything else, as options and variables name them. */
function runStartup(command: SimpleCommand, scope: ShellScope): void {
  for (const file of optionValues(command, '--rcfile', '--init-file')) runFile(command, file, scope);
  for (const name of ['BASH_ENV', 'ENV']) {
    const before = command.env.findLast((set) => set.name === name)?.value.value;
    const path = before ?? scope.variables.get(name);
    if (path !== undefined) runWritten(command, path, command.span, scope);
  }
}

/** `run-parts folder`: every file of it. */
export function runParts(command: SimpleCommand, scope: ShellScope): undefined {
  const [folder] = operands(command, '-a --arg -u --umask --regex');
  if (!folder) return;
  const full = resolvePath(folder.value, scope);
  const files = [scope.written, scope.context.written].flatMap((one) => [...(one?.files.keys() ?? [])]);
  for (const file of files) if (file.startsWith(`${full}/`)) runWritten(command, file, folder.span, scope);
}

export function sourceFile(command: SimpleCommand, scope: ShellScope): undefined {
  const [file] = operands(command);
  if (file) runFile(command, file, scope);
}

/** A script file, `/dev/stdin`, or a process substitution. Also `source` and `.`. */
export function runFile(command: SimpleCommand, file: Arg, scope: ShellScope): undefined {
  if (/^[<>]\(/.test(file.text)) report(scope, pipeToInterpreter, file.span);
  else if (/^(?:\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0|-)$/.test(file.value)) runStdin(command, scope);
  else if (/^\/dev\/(?:fd|tcp)|^\/proc\/.*\/fd\//.test(file.value))
    report(scope, pipeToInterpreter, file.span);
  else if (!runWritten(command, file.value, file.span, scope)) report(scope, runsScript, file.span);
}

/**
 * Judges a file that is run, where it was written before: by this text, or unseen, it is too much; what the plan shows of
 * it is judged as what it is. False where nothing is known of it.
 */
export function runWritten(command: SimpleCommand, path: string, span: Span, scope: ShellScope): boolean {
  const now = originIn(scope.written, path, scope);
  const before = scope.context.written && originIn(scope.context.written, path, scope);
  const origin = now ?? before ?? heldIn(command, path, scope);
  if (origin === 'own') return false;
  if (origin === 'unseen' || now) report(scope, writeThenRun, span);
  else judgeShown(origin.text, command, span, scope);
  return true;
}

/** What is in it, where somebody looks into files. A shell script whose end was not looked at may do anything there. */
function heldIn(command: SimpleCommand, path: string, scope: ShellScope): Origin {
  const held = scope.context.held?.(resolvePath(path, scope)) ?? null;
  if (held === null) return 'own';
  const { text, isWhole } = held;
  return isWhole || languageOf(text, command.name) !== undefined ? { text } : 'unseen';
}

/** The text of a script, or code, that a step of the plan wrote where its reader could see it. */
function judgeShown(text: string, command: SimpleCommand, span: Span, scope: ShellScope): void {
  report(scope, runsScript, span);
  if (languageOf(text, command.name) === undefined) {
    scope.nested(text, scope, { span, via: [...command.via, command.name], stdin: command.stdin });
    return;
  }
  for (let at = 0; at < text.length; at += limits.code / 2)
    scope.code(text.slice(at, at + limits.code), span, command, scope);
}

function runStdin(command: SimpleCommand, scope: ShellScope): void {
  const { stdin } = command;
  if (stdin.kind === 'text') {
    scope.nested(stdin.text, scope, { span: stdin.span, via: [...command.via, command.name] });
  } else if (stdin.kind === 'pipe') report(scope, pipeToInterpreter, command.span);
  else if (stdin.kind === 'file' && !(stdin.path && runWritten(command, stdin.path, command.span, scope)))
    report(scope, runsScript, command.span);
}
