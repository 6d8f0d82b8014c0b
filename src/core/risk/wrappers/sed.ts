import { operands, optionValues } from '../args.ts';
import { noteWritten } from '../content.ts';
import { destroys } from '../destructive.ts';
import { guards, limits } from '../guards.ts';
import { decodeEscapes } from '../output.ts';
import { writeRule } from '../path-rules.ts';
import type { ShellScope } from '../scope.ts';
import { report } from '../scope.ts';
import type { Arg, RuleInfo, SimpleCommand } from '../types.ts';
import { codeDeletes, codeHides } from './code.ts';
import { judgeShellText, type Unwrapped } from './inner.ts';
import { runFile } from './shells.ts';

export const sedRuns: RuleInfo = {
  id: 'sed-runs',
  level: 'dangerous',
  sentence: 'The sed script runs a command.',
};

export const awkRuns: RuleInfo = {
  id: 'awk-runs',
  level: 'caution',
  sentence: 'The awk program runs a command or writes a file.',
  reversible: true,
};

const address = String.raw`(?:^|[;{}\n])[ \t]{0,8}(?:(?:\d+(?:~\d+)?|\$|/(?:[^/\\]|\\.)*/[IM]*|\\(\S).*?\1[IM]*)(?:,[ \t]{0,8}(?:[+~]?\d+|\$|/(?:[^/\\]|\\.)*/[IM]*))?[ \t]{0,8}!?)?[ \t]{0,8}`;
const runs = new RegExp(`${address}e(?:[ \\t]{1,8}([^\\n]*))?(?:$|\\n)`);
const substitutes =
  /(?:^|[;{}\n\d$/!\s])s([^\w\s\\])(?:(?!\1)[^\\]|\\.)*\1((?:(?!\1)[^\\]|\\.)*)\1[gpiIm\d]*e/;

/** What `w` and the flag `w` write. */
const writes = /(?:^|[;{}\n\d$/!])[ \t]*[wW][ \t]+([^\n;}]+)|[gpiIm\d/|#,]w[ \t]+([^\n;}]+)/g;

/** The `e` command and the `e` flag of sed run shell text. */
export function unwrapSed(command: SimpleCommand, scope: ShellScope): Unwrapped {
  const given = optionValues(command, '-e', '--expression');
  const [file] = optionValues(command, '-f', '--file');
  if (file && /^(?:-|\/dev\/stdin)$/.test(file.value) && command.stdin.kind === 'text')
    given.push({ ...file, value: command.stdin.text });
  else if (file) runFile(command, file, scope);
  const scripts = given.length > 0 || file ? given : operands(command, '-e -f -l').slice(0, 1);
  for (const script of scripts) {
    if (script.value.length > limits.code) {
      report(scope, guards.tooLong, script.span);
      continue;
    }
    for (const found of script.value.matchAll(writes)) {
      const path = (found[1] ?? found[2] ?? '').trim();
      const rule = writeRule(path, scope);
      if (rule) report(scope, rule, script.span);
      noteWritten(path, 'unseen', scope, script.span);
    }
    const direct = runs.exec(script.value);
    const replaced = substitutes.exec(script.value);
    if (!direct && !replaced) continue;
    report(scope, sedRuns, script.span);
    const text = direct?.[2] ?? replaced?.[2] ?? '';
    if (text !== '') judgeShellText(command, { ...script, value: text }, scope);
  }
  return undefined;
}

/** `system("…")`, `"…" | getline`, `print | "…"` and `print > "…"` of awk. A number may stand right before a call. */
export function unwrapAwk(command: SimpleCommand, scope: ShellScope): Unwrapped {
  const [file] = optionValues(command, '-f', '--file', '-E', '--exec');
  if (file) runFile(command, file, scope);
  if (command.stdin.kind === 'text' && /^(?:-|\/dev\/stdin)$/.test(file?.value ?? ''))
    judgeAwk({ ...(file as Arg), value: command.stdin.text }, command, scope);
  for (const arg of command.args) {
    if (arg.value.length > limits.code) report(scope, guards.tooLong, arg.span);
    else if (/system\s*\(|\||>\s*["(\w$]*"|@load|@include|@\w+\s*\(|getline/.test(arg.value))
      judgeAwk(arg, command, scope);
  }
  return undefined;
}

function judgeAwk(arg: Arg, command: SimpleCommand, scope: ShellScope): void {
  report(scope, awkRuns, arg.span);
  // What a program is called is put together, or kept in a variable.
  if (
    /system\s*\(\s*(?!"(?:[^"\\]|\\.)*"\s*\))|(?:^|[^|])\|&?\s*(?![\s"|&]|getline)|[\w)\]]\s*\|&?\s*getline|@load|@\w+\s*\(|\/inet\d?\//.test(
      arg.value.replace(/\/(?:[^/\\\n]|\\.)*\//g, '//'),
    )
  )
    report(scope, codeHides, arg.span);
  for (const match of arg.value.matchAll(/([|>]?)\s*"((?:[^"\\]|\\.)*)"/g)) {
    const text = decodeEscapes(match[2] ?? '', true);
    const rule = match[1] === '>' ? writeRule(text, scope) : undefined;
    if (rule) report(scope, rule, arg.span);
    const fed = match[1] === '|' ? { ...command, stdin: { kind: 'pipe', from: [] } as const } : command;
    if (match[1] === '>') {
      noteWritten(text, 'unseen', scope, arg.span);
      continue;
    }
    if (/^[\w./~-]+(?:\s|$)/.test(text)) judgeShellText(fed, { ...arg, value: text }, scope);
    else if (destroys(text, scope)) report(scope, codeDeletes, arg.span);
  }
}
