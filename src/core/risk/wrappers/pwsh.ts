import { judgePwsh } from '../pwsh/index.ts';
import { report, type ShellScope } from '../scope.ts';
import type { Arg, RuleInfo, SimpleCommand } from '../types.ts';
import type { Unwrapped } from './inner.ts';
import { pipeToInterpreter, runFile } from './shells.ts';

export const encodedCommand: RuleInfo = {
  id: 'encoded-command',
  level: 'dangerous',
  sentence: 'Runs encoded PowerShell, so what would run cannot be seen.',
};

/** `pwsh -Command text`, `-File`, `-EncodedCommand`, and PowerShell on a pipe. */
export function unwrapPwsh(command: SimpleCommand, scope: ShellScope): Unwrapped {
  const at = (pattern: RegExp): number => command.args.findIndex((arg) => pattern.test(arg.value));
  const encoded = at(/^[-/]e(?:c|nc?|nco\w*|ncoded\w*)?$/i);
  if (encoded !== -1) {
    report(scope, encodedCommand, command.span);
    return undefined;
  }
  const file = at(/^[-/]f(?:ile)?$/i);
  const script = command.args[file + 1];
  if (file !== -1 && script) return runFile(command, script, scope);
  const option = at(/^[-/]c(?:ommand)?$/i);
  const words =
    option !== -1 ? command.args.slice(option + 1) : command.args.filter((arg) => !/^[-/]/.test(arg.value));
  if (words.length === 0 || words[0]?.value === '-') {
    if (command.stdin.kind === 'pipe') report(scope, pipeToInterpreter, command.span);
    else if (command.stdin.kind === 'text') judgeText(command.stdin.text, command, scope);
    return undefined;
  }
  if (option === -1 && /\.ps1$/i.test(words[0]?.value ?? '')) return runFile(command, words[0] as Arg, scope);
  judgeText(words.map((arg) => arg.value).join(' '), command, scope);
  return undefined;
}

function judgeText(text: string, command: SimpleCommand, scope: ShellScope): void {
  const { findings } = scope;
  const inSpan = { ...findings, add: (rule: RuleInfo) => findings.add(rule, command.span) };
  judgePwsh(text, inSpan, (native) =>
    scope.nested(native.replace(/\\/g, '/'), scope, {
      span: command.span,
      via: [...command.via, command.name],
    }),
  );
}
