import { isBuiltin, UNKNOWN } from '../shell/index.ts';
import { noteContent } from './content.ts';
import { runsUnseen } from './conventions.ts';
import { guards, isPlain, sessionGuards } from './guards.ts';
import { needsOf } from './needs.ts';
import { judgeWords } from './net.ts';
import { writeRule } from './path-rules.ts';
import { looksLikePath, normalise } from './paths.ts';
import { generalRules, rulesFor } from './rules/index.ts';
import { isHarmless, onlyHelp } from './safe/index.ts';
import { report, type ShellScope } from './scope.ts';
import { type Arg, PERHAPS, type SimpleCommand } from './types.ts';
import { unwrap } from './wrappers/index.ts';
import { runWritten, writeThenRun } from './wrappers/shells.ts';
import { writtenPaths } from './written.ts';

/** Judges one program: what it starts, what the rules say of it, and whether it is proven to only read. */
export function judgeSimple(written: SimpleCommand, scope: ShellScope): void {
  const command = canonical(written, scope);
  if (command.name === '') {
    report(scope, guards.unknownCommand, command.span);
    return;
  }
  if (!isPlain(command.path)) {
    report(
      scope,
      command.path.includes(UNKNOWN) ? guards.unknownCommand : guards.deceptiveName,
      command.span,
    );
  }
  const harmless = isHarmless(command, scope);
  const unwrapped = unwrap(command, scope);
  const help = harmless && onlyHelp(command);
  const files = writtenPaths(command);
  if (!help) applyRules(command, scope, harmless ? null : files);
  if (!harmless) judgeWords(command, scope, judgeSimple);
  follow(command, files, scope);
  notePaths(command, scope);
  for (const need of needsOf(command)) scope.findings.need(need);
  if (unwrapped !== 'clear' && !harmless) report(scope, guards.unproven, command.span);
  else if (!isSystems(command, scope)) report(scope, sessionGuards.program, command.span);
}

/** What would run under this name is what the name is known for. Where nobody has looked, only a changed PATH tells against it. */
function isSystems({ name, path }: SimpleCommand, { context }: ShellScope): boolean {
  if (path === name && isBuiltin(name)) return true;
  const found = context.program?.(path);
  return found ? found.is !== 'other' : !context.exported?.includes('PATH');
}

/** The name as the rules know it: `RM` runs rm where names ignore case, `mkfs.ext4` is mkfs. */
function canonical(command: SimpleCommand, scope: ShellScope): SimpleCommand {
  const lower = command.name.toLowerCase();
  const maker = /^(mkfs|newfs)[._]/.exec(lower)?.[1];
  if (maker) return { ...command, name: maker };
  if (lower === command.name || rulesFor(command.name).length > 0 || rulesFor(lower).length === 0)
    return command;
  report(scope, guards.unproven, command.span);
  const lowerOption = (value: string): string => (/^-[A-Z]+$/.test(value) ? value.toLowerCase() : value);
  return {
    ...command,
    name: lower,
    args: command.args.map((arg) => ({ ...arg, value: lowerOption(arg.value) })),
  };
}

/** A harmless command still earns rules where they speak of what it reads; it writes nothing. */
function applyRules(command: SimpleCommand, scope: ShellScope, files: readonly Arg[] | null): void {
  for (const rules of [rulesFor(command.name), generalRules]) {
    for (const rule of rules) {
      const match = rule.match(command, scope);
      if (!match) continue;
      const capped =
        rule.level === 'blocked' && command.via.includes(PERHAPS)
          ? { ...rule, level: 'dangerous' as const }
          : rule;
      report(scope, capped, match === true ? command.span : match.span);
    }
  }
  if (files === null) return;
  for (const arg of files) {
    const rule = writeRule(arg.value, scope);
    if (rule) report(scope, rule, arg.span);
  }
  runsFile(command, scope);
}

/** A program that was written before, under its own name or found by it; and one that runs what it finds. */
function runsFile(command: SimpleCommand, scope: ShellScope): void {
  const { path, span } = command;
  const { written, program } = scope.context;
  const found = path.includes('/') ? undefined : program?.(path);
  if (/[./]/.test(path)) runWritten(command, path, span, scope);
  else if (found?.is === 'other') runWritten(command, found.path, span, scope);
  if (runsUnseen(command, scope.written, scope) || (written && runsUnseen(command, written, scope)))
    report(scope, writeThenRun, span);
}

/** Keeps track of the directory and of the files written, for the commands that come after. */
function follow(command: SimpleCommand, files: readonly Arg[], scope: ShellScope): void {
  if (command.name === 'popd') scope.cwd = undefined;
  if (command.name === 'cd' || command.name === 'pushd') {
    const target = command.args.find((arg) => !arg.value.startsWith('-') || arg.value === '-');
    if (!target) scope.cwd = '~';
    else if (target.value.includes(UNKNOWN) || target.value === '-') scope.cwd = undefined;
    else
      scope.cwd = /^[/~]/.test(target.value)
        ? normalise(target.value)
        : normalise(`${scope.cwd ?? '.'}/${target.value}`);
    return;
  }
  // What it reads may set anything.
  if (/^(?:source|\.|eval)$/.test(command.name)) scope.variables.set('PATH', undefined);
  noteContent(command, files, scope);
}

/** Programs whose operands are files, whatever they are called. */
const takesFiles = new Set(
  'rm rmdir unlink shred truncate mv cp ln touch mkdir install tee cat chmod chown chgrp rimraf trash'.split(
    ' ',
  ),
);

function notePaths(command: SimpleCommand, scope: ShellScope): void {
  const files = takesFiles.has(command.name);
  for (const arg of command.args) {
    const value = arg.value.replace(/^--?[\w-]+=(?=[./~])/, '');
    if (!value.startsWith('-') && (files || looksLikePath(value)))
      scope.findings.path(value.includes(UNKNOWN) ? arg.text : value);
  }
}
