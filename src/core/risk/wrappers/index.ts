import type { Scope } from '../scope.ts';
import type { RuleInfo, SimpleCommand } from '../types.ts';
import { builtinWrappers, evaluatesUnknown } from './builtins.ts';
import { codeDeletes, codeHides, codeReadsSecret, unwrapCode } from './code.ts';
import { remoteShell, unwrapEmbedded } from './embedded.ts';
import { unwrapGit } from './git.ts';
import type { Unwrapped } from './inner.ts';
import { manyWrappers } from './many.ts';
import { unwrapPrefix } from './prefix.ts';
import { encodedCommand, unwrapPwsh } from './pwsh.ts';
import { remoteWrappers } from './remote.ts';
import { awkRuns, sedRuns, unwrapAwk, unwrapSed } from './sed.ts';
import { pipeToInterpreter, runsScript, shells, unwrapShell, writeThenRun } from './shells.ts';

export const wrapperRules: readonly RuleInfo[] = [
  pipeToInterpreter,
  writeThenRun,
  runsScript,
  evaluatesUnknown,
  codeDeletes,
  codeHides,
  codeReadsSecret,
  remoteShell,
  sedRuns,
  awkRuns,
  encodedCommand,
];

/** Judges every command that this one would start, through whatever it uses to start it. */
export function unwrap(command: SimpleCommand, scope: Scope): Unwrapped {
  const { name } = command;
  if (shells.has(name)) return unwrapShell(command, scope);
  if (/^(?:pwsh|powershell)$/i.test(name)) return unwrapPwsh(command, scope);
  if (name === 'git') return unwrapGit(command, scope);
  if (/^g?sed$/.test(name)) return unwrapSed(command, scope);
  if (/^[gmn]?awk$/.test(name)) return unwrapAwk(command, scope);
  if (Object.hasOwn(builtinWrappers, name)) return builtinWrappers[name]?.(command, scope);
  if (Object.hasOwn(manyWrappers, name)) return manyWrappers[name]?.(command, scope);
  if (Object.hasOwn(remoteWrappers, name)) return remoteWrappers[name]?.(command, scope);
  return unwrapPrefix(command, scope) ?? unwrapEmbedded(command, scope) ?? unwrapCode(command, scope);
}
