import { guards, isPlain } from './guards.ts';
import { needsOf } from './needs.ts';
import { writeRule } from './path-rules.ts';
import { looksLikePath, normalise } from './paths.ts';
import { generalRules, rulesFor } from './rules/index.ts';

import { isHarmless, onlyHelp } from './safe/index.ts';
import { report, type Scope } from './scope.ts';
import { type SimpleCommand, UNKNOWN } from './types.ts';
import { unwrap } from './wrappers/index.ts';
import { wasWritten, writeThenRun } from './wrappers/shells.ts';
import { writtenPaths } from './written.ts';

/** Judges one program: what it starts, what the rules say of it, and whether it is proven to only read. */
export function judgeSimple(written: SimpleCommand, scope: Scope): void {
  const command = canonical(written, scope);
  if (command.name === '') {
    report(scope, guards.unknownCommand, command.span);
    return;
  }
  if (!isPlain(command.path))
    report(
      scope,
      command.path.includes(UNKNOWN) ? guards.unknownCommand : guards.deceptiveName,
      command.span,
    );
  const harmless = isHarmless(command, scope);
  const unwrapped = unwrap(command, scope);
  const help = harmless && onlyHelp(command);
  if (!help) applyRules(command, scope, harmless);
  follow(command, scope);
  notePaths(command, scope);
  for (const need of needsOf(command)) scope.findings.need(need);
  if (unwrapped !== 'clear' && !harmless) report(scope, guards.unproven, command.span);
}

/** The name as the rules know it: `RM` runs rm where names ignore case, `mkfs.ext4` is mkfs. */
function canonical(command: SimpleCommand, scope: Scope): SimpleCommand {
  const lower = command.name.toLowerCase();
  const known =
    lower !== command.name &&
    (rulesFor(lower).length > 0 || generalRules.length === 0) &&
    rulesFor(command.name).length === 0;
  const name = /^(?:mkfs|newfs)[._]/.test(lower)
    ? lower.startsWith('mkfs')
      ? 'mkfs'
      : 'newfs'
    : known
      ? lower
      : command.name;
  if (known) {
    report(scope, guards.unproven, command.span);
    return {
      ...command,
      name,
      args: command.args.map((arg) => ({
        ...arg,
        value: /^-[A-Z]+$/.test(arg.value) ? arg.value.toLowerCase() : arg.value,
      })),
    };
  }
  return name === command.name ? command : { ...command, name };
}

/** A harmless command still earns rules where they speak of what it reads; it writes nothing. */
function applyRules(command: SimpleCommand, scope: Scope, harmless: boolean): void {
  for (const rules of [rulesFor(command.name), generalRules]) {
    for (const rule of rules) {
      const match = rule.match(command, scope);
      if (!match) continue;
      const capped =
        rule.level === 'blocked' && command.via.includes('script-file')
          ? { ...rule, level: 'dangerous' as const }
          : rule;
      report(scope, capped, match === true ? command.span : match.span);
      if (rule.id === 'secret-read') scope.tainted.secret = true;
    }
  }
  if (harmless) return;
  for (const arg of writtenPaths(command)) {
    const rule = writeRule(arg.value, scope);
    if (rule) report(scope, rule, arg.span);
  }
  if (/[./]/.test(command.path) && wasWritten(command.path, scope)) report(scope, writeThenRun, command.span);
}

/** Keeps track of the directory and of the files written, for the commands that come after. */
function follow(command: SimpleCommand, scope: Scope): void {
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
  for (const arg of writtenPaths(command)) scope.written.add(normalise(arg.value));
}

function notePaths(command: SimpleCommand, scope: Scope): void {
  for (const arg of command.args) {
    const value = arg.value.replace(/^--?[\w-]+=(?=[./~])/, '');
    if (!value.startsWith('-') && looksLikePath(value))
      scope.findings.path(value.includes(UNKNOWN) ? arg.text : value);
  }
}
