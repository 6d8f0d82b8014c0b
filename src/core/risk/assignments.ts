import { UNKNOWN } from '../shell/index.ts';
import { destroys } from './destructive.ts';
import { guards } from './guards.ts';
import { writeRule } from './path-rules.ts';
import { isTemporary, resolvePath } from './paths.ts';
import { gitVariableRule } from './rules/git-settings.ts';
import { report, type ShellScope } from './scope.ts';
import type { Arg, RuleInfo } from './types.ts';
import {
  commandVariables,
  fileVariables,
  loaderVariables,
  loads,
  pathsIn,
  serverVariables,
  temporaryProgram,
} from './variables.ts';
import { destructiveWords, writeThenRun } from './wrappers/shells.ts';

export const loaderVariable: RuleInfo = {
  id: 'loader-variable',
  level: 'caution',
  sentence: 'Sets a variable that makes programs load code or options of somebody else’s choice.',
  reversible: true,
};

export const remoteOptions: RuleInfo = {
  id: 'option-variable',
  level: 'dangerous',
  sentence: 'Sets a variable that gives a later program hidden options which send data away or run code.',
  needs: ['network'],
};

/** Judges what a variable is set to, where that value may be run. */
export function judgeAssignment(name: string, value: Arg, scope: ShellScope): void {
  if (loads(name) && pathsIn(value.value).some((path) => isTemporary(path, scope)))
    report(scope, temporaryProgram, value.span);
  if (loaderVariables.test(name)) {
    report(scope, loaderVariable, value.span);
    if (destroys(value.value, scope)) report(scope, destructiveWords, value.span);
    if (loadsWritten(value.value, scope)) report(scope, writeThenRun, value.span);
  }
  const asSetting = name.startsWith('GIT_') ? gitVariableRule(name, value.value) : undefined;
  if (asSetting) report(scope, asSetting, value.span);
  // With it, patterns match what begins with a dot.
  if (name === 'GLOBIGNORE' || name === 'BASHOPTS') scope.patterns.widened = true;
  if (name === 'PATH')
    for (const folder of value.value.split(':'))
      if (!folder.includes(UNKNOWN)) scope.searched.add(folder || '.');
  if (name === 'TAR_OPTIONS' && /:\/|(?:exec|command|program|rsh)=|--(?:to|use)-/.test(value.value))
    report(scope, remoteOptions, value.span);
  const rule = fileVariables.test(name) ? writeRule(value.value, scope) : undefined;
  if (rule) report(scope, rule, value.span);
  if (
    serverVariables.test(name) &&
    /^(?:tcp|ssh|https?):\/\/(?!(?:localhost|127\.|\[::1\]))/.test(value.value)
  )
    report(scope, remoteOptions, value.span);
  // A function that every bash below takes over: `() { … }`.
  if (/^BASH_FUNC_/.test(name)) {
    scope.nested(value.value.replace(/^\(\)\s*/, ''), scope, { span: value.span, via: [name] });
    return;
  }
  if (value.value.includes(UNKNOWN) || value.value === '') return;
  if (commandVariables.test(name)) {
    const text = name === 'LESSOPEN' ? value.value.replace(/^\|+-?/, '') : value.value;
    if (/^PS\d$/.test(name)) judgeSubstitutions(value, scope);
    else scope.nested(text, scope, { span: value.span, via: [name] });
  } else judgeSubstitutions(value, scope);
}

/** Whether a value names a file that was written before, unseen or by this text: alone, in a list, or behind an option. */
function loadsWritten(value: string, scope: ShellScope): boolean {
  const { files } = scope.written;
  const before = scope.context.written?.files;
  if (files.size === 0 && !before?.size) return false;
  return value
    .split(/[\s:=,"']+/)
    .flatMap((word) => [word, word.replace(/^-\w/, '')])
    .some((word) => {
      const path = resolvePath(word, scope);
      return (files.get(path) ?? 'own') !== 'own' || before?.get(path) === 'unseen';
    });
}

/** The text of a substitution kept in a variable runs as soon as something evaluates it. */
export function judgeSubstitutions(value: Pick<Arg, 'value' | 'span'>, scope: ShellScope): void {
  if (!/\$\([^)]*\)|`[^`]*`/.test(value.value)) return;
  report(scope, guards.quotedSubstitution, value.span);
  // As it is expanded there: quotes around it mean nothing, those inside of a substitution do.
  const end = `END-${value.value.length}`;
  scope.nested(`: <<${end}\n${value.value}\n${end}\n`, scope, { span: value.span });
}
