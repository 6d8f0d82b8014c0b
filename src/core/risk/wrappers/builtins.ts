import { operands } from '../args.ts';
import { guards } from '../guards.ts';
import { report, type Scope } from '../scope.ts';
import { type Arg, type RuleInfo, type SimpleCommand, UNKNOWN } from '../types.ts';
import { judgeShellText, type Unwrapped, type Unwrapper } from './inner.ts';
import { runFile } from './shells.ts';

export const evaluatesUnknown: RuleInfo = {
  id: 'evaluates-unknown',
  level: 'dangerous',
  sentence: 'Runs text that is only known when it runs.',
  hits: ['eval "$x"', 'eval "$(ssh-agent)"', 'eval "${x:-rm -rf /}"'],
  misses: ["eval 'ls'", 'eval ls -la'],
};

/** Builtins of the shell that run text, or name something after a command. */
export const builtinWrappers: Readonly<Record<string, Unwrapper>> = {
  eval: (command, scope) => evaluate(command, scope),
  source: (command, scope) => sourceFile(command, scope),
  '.': (command, scope) => sourceFile(command, scope),
  trap: (command, scope) => {
    const [action] = operands(command);
    if (action && operands(command).length > 1) judgeShellText(command, action, scope);
    return 'judged';
  },
  alias: (command, scope) => {
    for (const arg of command.args) {
      const equals = arg.value.indexOf('=');
      if (equals > 0) judgeShellText(command, { ...arg, value: arg.value.slice(equals + 1) }, scope);
    }
    return 'judged';
  },
  mapfile: callback,
  readarray: callback,
  complete: (command, scope) => {
    judgeOption(command, '-C', scope);
    return 'judged';
  },
  bind: (command, scope) => {
    judgeOption(command, '-x', scope);
    return 'judged';
  },
  let: hidden,
  test: hidden,
  '[': hidden,
  declare: hidden,
  typeset: hidden,
  local: hidden,
  readonly: hidden,
  unset: hidden,
  read: hidden,
  printf: hidden,
  wait: hidden,
};

function evaluate(command: SimpleCommand, scope: Scope): Unwrapped {
  const text = command.args.map((arg) => arg.value).join(' ');
  if (command.args.some((arg) => arg.value.includes(UNKNOWN)) || command.open)
    report(scope, evaluatesUnknown, command.span);
  if (text.trim() !== '')
    scope.nested(text, scope, { span: command.span, via: [...command.via, 'eval'], same: true });
  return 'judged';
}

function sourceFile(command: SimpleCommand, scope: Scope): Unwrapped {
  const [file] = operands(command);
  return file ? runFile(command, file, scope) : 'judged';
}

function callback(command: SimpleCommand, scope: Scope): Unwrapped {
  judgeOption(command, '-C', scope);
  return hidden(command, scope) ?? 'judged';
}

function judgeOption(command: SimpleCommand, name: string, scope: Scope): void {
  const value = command.args[command.args.findIndex((arg) => arg.value === name) + 1];
  if (value && command.args.some((arg) => arg.value === name)) judgeShellText(command, value, scope);
}

/** These evaluate subscripts, so a substitution runs even out of single quotes. */
function hidden(command: SimpleCommand, scope: Scope): Unwrapped {
  const evaluates = command.name !== 'printf' || command.args.some((arg) => /^-v/.test(arg.value));
  const culprit = evaluates && command.args.find(hasSubscript);
  if (culprit) report(scope, guards.hiddenSubstitution, culprit.span);
  return undefined;
}

const hasSubscript = (arg: Arg): boolean => /\$\(|`/.test(arg.value);
