import { operands, optionValues } from '../args.ts';
import { guards, limits } from '../guards.ts';
import type { ShellScope } from '../scope.ts';
import { report } from '../scope.ts';
import type { RuleInfo, SimpleCommand } from '../types.ts';
import { judgeShellText, type Unwrapped } from './inner.ts';

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

const address = String.raw`(?:^|[;{}\n])[ \t]{0,8}(?:(?:\d+|\$|/(?:[^/\\]|\\.)*/)(?:,(?:[+~]?\d+|\$|/(?:[^/\\]|\\.)*/))?[ \t]{0,8}!?)?[ \t]{0,8}`;
const runs = new RegExp(`${address}e(?:[ \\t]{1,8}([^\\n]*))?(?:$|\\n)`);
const substitutes =
  /(?:^|[;{}\n\d$/!\s])s([^\w\s\\])(?:(?!\1)[^\\]|\\.)*\1((?:(?!\1)[^\\]|\\.)*)\1[gpiIm\d]*e/;

/** The `e` command and the `e` flag of sed run shell text. */
export function unwrapSed(command: SimpleCommand, scope: ShellScope): Unwrapped {
  const given = optionValues(command, '-e', '--expression');
  const scripts = given.length > 0 ? given : operands(command, '-e -f -l').slice(0, 1);
  for (const script of scripts) {
    if (script.value.length > limits.code) {
      report(scope, guards.tooLong, script.span);
      continue;
    }
    const direct = runs.exec(script.value);
    const replaced = substitutes.exec(script.value);
    if (!direct && !replaced) continue;
    report(scope, sedRuns, script.span);
    const text = direct?.[1] ?? replaced?.[2] ?? '';
    if (text !== '') judgeShellText(command, { ...script, value: text }, scope);
  }
  return undefined;
}

/** `system("…")` and `"…" | getline` of awk. */
export function unwrapAwk(command: SimpleCommand, scope: ShellScope): Unwrapped {
  for (const arg of command.args) {
    if (arg.value.length > limits.code) report(scope, guards.tooLong, arg.span);
    if (arg.value.length > limits.code || !/\bsystem\s*\(|\||getline/.test(arg.value)) continue;
    report(scope, awkRuns, arg.span);
    for (const match of arg.value.matchAll(/"((?:[^"\\]|\\.)*)"/g)) {
      const text = (match[1] ?? '').replace(/\\(.)/g, '$1');
      if (/^[\w./~-]+(?:\s|$)/.test(text)) judgeShellText(command, { ...arg, value: text }, scope);
    }
  }
  return undefined;
}
