import { evaluatesWords, isPwsh, isShell, isWrapper, startsOf } from '../../shell/index.ts';
import { wordsOf } from '../args.ts';
import { guards } from '../guards.ts';
import { report, type ShellScope } from '../scope.ts';
import type { SimpleCommand } from '../types.ts';
import { unwrapCode } from './code.ts';
import type { Unwrapped } from './inner.ts';
import { unwrapPwsh } from './pwsh.ts';
import { unwrapAwk, unwrapSed } from './sed.ts';
import { sourceFile, unwrapShell } from './shells.ts';
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
  if (evaluatesWords(name)) checkSubscripts(command, scope);
  const found = isWrapper(name) ? startsOf(wordsOf(command)) : undefined;
  return found ? judgeStarted(command, found, scope) : unwrapCode(command, scope);
}

/** A subscript is evaluated, so a substitution in it runs even out of single quotes. */
function checkSubscripts({ name, args }: SimpleCommand, scope: ShellScope): void {
  if (name === 'printf' && !args.some((arg) => /^-v/.test(arg.value))) return;
  const culprit = args.find((arg) => /\$\(|`/.test(arg.value));
  if (culprit) report(scope, guards.hiddenSubstitution, culprit.span);
}
