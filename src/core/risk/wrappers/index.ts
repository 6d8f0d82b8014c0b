import { evaluatesWords, isPwsh, isShell, isWrapper, startsOf } from '../../shell/index.ts';
import { optionValues, wordsOf } from '../args.ts';
import { guards } from '../guards.ts';
import { report, type ShellScope } from '../scope.ts';
import type { Arg, SimpleCommand, Stdin } from '../types.ts';
import { unwrapCode } from './code.ts';
import type { Unwrapped } from './inner.ts';
import { unwrapPwsh } from './pwsh.ts';
import { unwrapAwk, unwrapSed } from './sed.ts';
import { runParts, sourceFile, unwrapShell } from './shells.ts';
import { judgeStarted } from './started.ts';

/**
 * Judges every command that this one would start, through whatever it uses to start it: what the shell room knows, and
 * what only the judge looks for, in code of other languages.
 */
export function unwrap(command: SimpleCommand, scope: ShellScope): Unwrapped {
  const { name } = command;
  if (isShell(name)) return unwrapShell(command, scope);
  if (isPwsh(name)) return unwrapPwsh(command, scope);
  if (/^g?sed$/.test(name)) return unwrapSed(command, scope);
  if (/^[gmn]?awk$/.test(name)) return unwrapAwk(command, scope);
  if (name === 'source' || name === '.') return sourceFile(command, scope);
  if (name === 'run-parts') return runParts(command, scope);
  if (name === 'curl' && command.stdin.kind === 'text') readSettings(command, command.stdin, scope);
  if (evaluatesWords(name)) checkSubscripts(command, scope);
  const found = isWrapper(name) ? startsOf(wordsOf(command)) : undefined;
  return found ? judgeStarted(command, found, scope) : unwrapCode(command, scope);
}

/** `curl --config -` reads its options, one a line, without their dashes. */
function readSettings(command: SimpleCommand, stdin: Stdin & { kind: 'text' }, scope: ShellScope): void {
  if (!optionValues(command, '-K', '--config').some(({ value }) => value === '-')) return;
  const args = stdin.text.split('\n').flatMap((line) => {
    const [, name, value] = /^\s*(-{0,2}[\w-]+)(?:\s*[=: ]\s*"?([^"]*?)"?)?\s*$/.exec(line) ?? [];
    const words = name === undefined ? [] : [name.startsWith('-') ? name : `--${name}`, value ?? ''];
    return words.map(
      (word): Arg => ({ value: word, literal: true, glob: false, span: stdin.span, text: word }),
    );
  });
  scope.simple({ ...command, args, stdin: { kind: 'none' } }, scope);
}

/** A subscript is evaluated, so a substitution in it runs even out of single quotes. */
function checkSubscripts({ name, args }: SimpleCommand, scope: ShellScope): void {
  if (name === 'printf' && !args.some((arg) => /^-v/.test(arg.value))) return;
  const culprit = args.find((arg) => /\$\(|`/.test(arg.value));
  if (culprit) report(scope, guards.hiddenSubstitution, culprit.span);
}
