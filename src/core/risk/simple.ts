import {
  isBuiltin,
  quoteWord,
  startsOf,
  takesOrders,
  textStarted,
  touchesKnown,
  UNKNOWN,
} from '../shell/index.ts';
import { operands, option, wordsOf } from './args.ts';
import { judgeBrought } from './brought.ts';
import { noteContent } from './content.ts';
import { runsUnseen } from './conventions.ts';
import { guards, isPlain, sessionGuards } from './guards.ts';
import { fetchedBy, needsOf } from './needs.ts';
import { judgeWords } from './net.ts';
import { outsideWorkspace, placeUnknown, writeRule } from './path-rules.ts';
import { isOutside, looksLikePath, normalise, resolvePath } from './paths.ts';
import { finding, judgeReached, widensPatterns } from './reached.ts';
import { generalRules, rulesFor } from './rules/index.ts';
import { otherHost } from './rules/remote.ts';
import { isHarmless, isTransparent, onlyHelp } from './safe/index.ts';
import { isInside } from './safe/trust.ts';
import { report, type ShellScope } from './scope.ts';
import { setsVariables } from './sets-words.ts';
import { type Arg, PERHAPS, type SimpleCommand } from './types.ts';
import { createFindings } from './verdict.ts';
import { unwrap } from './wrappers/index.ts';
import type { Unwrapped } from './wrappers/inner.ts';
import { runWritten, writeThenRun } from './wrappers/shells.ts';
import { type WrittenPaths, writtenPaths } from './written.ts';

/** Judges one program: what it starts, what the rules say of it, and whether it is proven to only read. */
export function judgeSimple(given: SimpleCommand, scope: ShellScope): void {
  const command = canonical(given, scope);
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
  if (widensPatterns(command)) scope.patterns.widened = true;
  const harmless = isHarmless(command, scope);
  const unwrapped = unwrap(command, finding(command, scope));
  if (scope.context.typed === 'later' && isToldLater(command))
    report(scope, sessionGuards.takesOrders, command.span);
  if (isUnhooked(command, scope)) report(scope, sessionGuards.unhooked, command.span);
  // What is proven to read writes nothing.
  const written = harmless ? nothing : writtenPaths(command);
  const help = onlyHelp(command, scope);
  if (!help) applyRules(command, harmless, scope);
  if (!harmless && !help) {
    judgeWritten(command, written, unwrapped, scope);
    judgeBrought(command, scope);
    if (!isTransparent(command, scope)) judgeReached(command, written.files, scope);
    judgeWords(command, scope, judgeSimple);
  }
  runsFile(command, harmless, scope);
  if (hosts.has(command.name)) judgeHost(command, scope);
  follow(command, written.files, scope);
  notePaths(command, scope);
  for (const need of needsOf(command)) scope.findings.need(need);
  const fetched = help ? null : fetchedBy(command);
  if (fetched !== null) scope.findings.fetch(fetched);
  if (!harmless && !isTransparent(command, scope)) report(scope, guards.unproven, command.span);
  else if (!isSystems(command, scope)) report(scope, sessionGuards.program, command.span);
}

function isToldLater({ name, args, stdin }: SimpleCommand): boolean {
  const isTerminal = stdin.kind === 'pipe' && stdin.from.length === 0;
  return takesOrders(
    name,
    args.map(({ value }) => value),
    !isTerminal,
  );
}

const isUnhooked = (command: SimpleCommand, { context, variables }: ShellScope): boolean =>
  context.unhooks?.(
    [command.name, ...command.args.map(({ value }) => value)],
    (variable) => variables.has(variable) || command.env.some(({ name }) => name === variable),
  ) ?? false;

const nothing: WrittenPaths = { files: [], others: [], remote: [] };

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

/** A harmless command still earns rules where they speak of what it reads. */
function applyRules(command: SimpleCommand, harmless: boolean, scope: ShellScope): void {
  for (const rules of [rulesFor(command.name), generalRules]) {
    for (const rule of rules) {
      const match = harmless && rule.unproven ? undefined : rule.match(command, scope);
      if (!match) continue;
      const capped =
        rule.level === 'blocked' && command.via.includes(PERHAPS)
          ? { ...rule, level: 'dangerous' as const }
          : rule;
      report(scope, capped, match === true ? command.span : match.span);
    }
  }
}

/** What it changes, by the rules about paths; what works in a folder outside changes something there. */
function judgeWritten(
  command: SimpleCommand,
  { files, others, remote }: WrittenPaths,
  unwrapped: Unwrapped,
  scope: ShellScope,
): void {
  for (const arg of files) {
    const rule = arg.opaque ? placeUnknown : writeRule(arg.value, scope);
    if (rule) report(scope, rule, arg.span);
  }
  for (const arg of others) if (isOutside(arg.value, scope)) report(scope, outsideWorkspace, arg.span);
  for (const arg of remote) {
    const rule = writeRule(arg.value, scope);
    report(scope, rule === undefined || rule === outsideWorkspace ? otherHost : rule, arg.span);
  }
  const works = unwrapped !== 'clear' && !touchesKnown(command.name);
  if (works && scope.cwd !== undefined && isOutside('.', scope))
    report(scope, outsideWorkspace, command.span);
}

/** A program that was written before, under its own name or found by it; and one that runs what it finds. */
function runsFile(command: SimpleCommand, harmless: boolean, scope: ShellScope): void {
  const { path, span } = command;
  const { written, program } = scope.context;
  const found = path.includes('/') ? undefined : program?.(path);
  if (/[./]/.test(path)) runWritten(command, path, span, scope);
  else if (found?.is === 'other') runWritten(command, found.path, span, scope);
  else if (scope.searched.size > 0) {
    // `git x` runs `git-x`, and so do others.
    const names = [path, `${path}-${command.args[0]?.value ?? ''}`];
    for (const one of [scope.written, written])
      for (const file of one?.files.keys() ?? [])
        if (names.includes(file.slice(file.lastIndexOf('/') + 1)) && isSearched(file, scope))
          runWritten(command, file, span, scope);
  }
  const unseen = [scope.written, written].some((one) => one && runsUnseen(command, one, scope));
  if (unseen && !harmless) report(scope, writeThenRun, span);
}

/** Whether the folder of a file was put on PATH. */
function isSearched(file: string, scope: ShellScope): boolean {
  const beside = file.replace(/[^/]*$/, 'x');
  for (const folder of scope.searched) if (resolvePath(`${folder}/x`, scope) === beside) return true;
  return false;
}

/** A link that leads out makes what is written through it a change outside. */
function noteLink(command: SimpleCommand, scope: ShellScope): void {
  const all = operands(command, '-S --suffix -t --target-directory');
  const [target, link] = [all[0], all.at(-1)];
  if (!target || !link) return;
  const name =
    all.length === 1 || /\/$|^\.$/.test(link.value) ? normalise(target.value).split('/').at(-1) : '';
  const path = all.length === 1 ? (name ?? '') : `${link.value}${name === '' ? '' : `/${name}`}`;
  const beside = path.slice(0, path.lastIndexOf('/') + 1);
  const leads = /^[/~]/.test(target.value) ? target.value : beside + target.value;
  if (isOutside(leads, scope))
    scope.links.add(
      normalise(scope.cwd === undefined || path.startsWith('/') ? path : `${scope.cwd}/${path}`),
    );
}

/** What is done on another host is not brought back: only what is proven to read may be done there unasked. */
function judgeHost(command: SimpleCommand, scope: ShellScope): void {
  const words = wordsOf(command);
  const started = startsOf(words)?.started ?? [];
  const isPod = /^(?:kubectl|k|oc)$/.test(command.name);
  const isFed = !isPod && started.length === 0 && command.stdin.kind !== 'none';
  const changes = started.some((one) => {
    const findings = createFindings();
    const text =
      one.as === 'text'
        ? textStarted(words, one)
        : words
            .slice(one.from, one.to)
            .map((word) => quoteWord(word))
            .join(' ');
    scope.nested(text, { ...scope, findings }, { span: command.span });
    return findings.level() !== 'safe';
  });
  const isTold = /ftp$/.test(command.name) && option(command, 'becf', 'batch') !== undefined;
  if (isFed || isTold || changes) report(scope, otherHost, command.span);
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
    // A `cd` may fail, and then `..` leads out of where we think it is.
    if (scope.cwd === undefined || /(?:^|\/)\.\.(?:\/|$)/.test(target?.value ?? '') || !isInside('.', scope))
      scope.place.strayed = true;
    return;
  }
  if (command.name === 'ln') noteLink(command, scope);
  if (/^(?:source|\.)$/.test(command.name) && /\/bin\/activate$/.test(command.args[0]?.value ?? ''))
    scope.venv = true;
  setsVariables(command, scope);
  // What it reads may set anything.
  if (/^(?:source|\.|eval)$/.test(command.name)) scope.variables.set('PATH', undefined);
  noteContent(command, files, scope);
}

const hosts = new Set(['ssh', 'mosh', 'autossh', 'sftp', 'ftp', 'lftp', 'telnet', 'kubectl', 'k', 'oc']);

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
