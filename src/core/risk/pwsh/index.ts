import { type PwshCommand, pwshCommands } from '../../shell/index.ts';
import { guards, isPlain, limits } from '../guards.ts';
import type { Findings } from '../verdict.ts';
import { pwshRules, pwshSafe } from './rules.ts';

/** Programs outside PowerShell are judged as the shell would see them. */
type JudgeNative = (text: string, command: PwshCommand) => void;

/** Judges PowerShell text. Safe only where every command is a reading cmdlet with plain arguments. */
export function judgePwsh(text: string, findings: Findings, native: JudgeNative): void {
  const whole = [0, text.length] as const;
  if (text.length > limits.bytes) findings.add(guards.long, whole);
  if (text.length > limits.judged) {
    findings.add(guards.tooLong, whole);
    return;
  }
  if (!isPlain(text.replaceAll('\r\n', '\n'))) findings.add(guards.characters, whole);
  const { commands, balanced } = pwshCommands(text);
  if (!balanced) findings.add(guards.parseError, whole);
  if (commands.length === 0) findings.add(guards.empty, whole);
  for (const command of commands) judgeOne(command, findings, native);
}

function judgeOne(command: PwshCommand, findings: Findings, native: JudgeNative): void {
  let found = false;
  for (const rule of pwshRules) {
    if (!rule.match(command)) continue;
    findings.add(rule, command.span);
    found = true;
  }
  for (const word of command.words.slice(1))
    if (/[\\/]/.test(word) && !word.startsWith('-')) findings.path(word);
  if (found) return;
  const plain =
    !/[$@>]|::|\[|\benv:/i.test(command.text) &&
    !/-(?:outfile|outvariable|ov|filepath|path:\S*secret)/i.test(command.text);
  if (pwshSafe.has(command.name) && plain) return;
  findings.add(guards.unproven, command.span);
  if (
    /^[a-z][\w.-]*$/.test(command.name) &&
    !/^(?:if|else|elseif|for|foreach|while|do|switch|try|catch|finally|function|param|return|throw|begin|process|end)$/.test(
      command.name,
    ) &&
    !command.name.includes('-')
  )
    native(command.text, command);
}
