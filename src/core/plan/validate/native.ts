import { shellText } from '../../contract/index.ts';
import { pwshCommands, pwshFunctions } from '../../shell/index.ts';
import { nearest } from '../nearest.ts';
import type { Problem } from '../problem.ts';
import { cmdletNames, isApprovedVerb, isCmdlet } from './cmdlets.ts';
import { foreignToPwsh } from './foreign-to-pwsh.ts';
import { type CheckedStep, type PlanRule, type PlanView, problemOf } from './rule.ts';

const VERB_NOUN = /^([A-Za-z]+)-([A-Za-z]\w*)$/;

/** Commands belong to the shell of the plan, and exist. */
export const native: PlanRule = (view) => {
  const inPwsh = pwshChecks(view);
  return view.steps.flatMap((each) =>
    each.actions.flatMap(({ action }) => {
      const text = shellText(action);
      if (text === null) return [];
      return view.plan.shell === 'pwsh' ? inPwsh(each, text) : inBash(view, each, text);
    }),
  );
};

function inBash(view: PlanView, each: CheckedStep, text: string): Problem[] {
  const { commands, functions, error } = view.bash(text);
  const problems: Problem[] = [];
  for (const { words, literal } of commands) {
    const name = words[0] ?? '';
    const parts = literal && !functions.has(name) ? VERB_NOUN.exec(name) : null;
    const looksNative =
      parts !== null && /^[A-Z]/.test(parts[1]!) && /^[A-Z]/.test(parts[2]!) && isApprovedVerb(parts[1]!);
    if (looksNative) {
      const message = `\`${name}\` is a PowerShell cmdlet, and the plan's shell is bash.`;
      problems.push(
        problemOf(each, 'not-native', 'error', message, 'Write it in bash, or say `shell: pwsh`.'),
      );
    }
  }
  const variable = PWSH_VARIABLE.exec(text);
  if (variable !== null && problems.length === 0) {
    const message = `\`${variable[0]}\` is PowerShell's, and the plan's shell is bash.`;
    problems.push(problemOf(each, 'not-native', 'error', message, `Write \`$${variable[0].slice(5)}\`.`));
  }
  if (error !== null && problems.length === 0) {
    const message = `bash may not be able to read its command: ${error.message}.`;
    problems.push(problemOf(each, 'shell-syntax', 'warning', message, 'Check the quotes and brackets.'));
  }
  return problems;
}

/** In bash too `$env:x` may be meant; these are not. */
const PWSH_VARIABLE =
  /\$env:(?:(?:PATH|TEMP|TMP|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|COMPUTERNAME|USERNAME|ProgramFiles)\b|[A-Za-z_]\w*(?=\s*=))/i;

/** Modules and functions are known once they were imported or defined, also for later steps. */
function pwshChecks(view: PlanView): (each: CheckedStep, text: string) => Problem[] {
  const defined = new Set<string>();
  let modules = false;
  for (const each of view.steps) {
    for (const { action } of each.actions) {
      const text = shellText(action);
      if (text === null) continue;
      for (const name of pwshFunctions(text)) defined.add(name);
      if (/\b(?:Import|Install)-(?:Module|PSResource)\b|\busing\s+module\b|#Requires\s+-Modules/i.test(text))
        modules = true;
    }
  }
  return (each, text) => [...notNative(each, text), ...inventedCmdlets(each, text, defined, modules)];
}

function notNative(each: CheckedStep, text: string): Problem[] {
  const found = foreignToPwsh(text);
  return found === null ? [] : [problemOf(each, 'not-native', 'error', found.message, found.mend)];
}

function inventedCmdlets(
  each: CheckedStep,
  text: string,
  defined: ReadonlySet<string>,
  modules: boolean,
): Problem[] {
  return pwshCommands(text).commands.flatMap(({ words }) => {
    const name = words[0] ?? '';
    const parts = VERB_NOUN.exec(name);
    if (parts === null || isCmdlet(name) || defined.has(name.toLowerCase())) return [];
    const verb = isApprovedVerb(parts[1]!);
    // Programs such as apt-get have a dash too: only a known verb or PowerShell's way of writing makes it a cmdlet.
    const written = /^[A-Z]/.test(parts[1]!) && /^[A-Z]/.test(parts[2]!);
    if ((!verb && !written) || (modules && verb)) return [];
    const near = nearest(name, cmdletNames());
    const message = verb
      ? `\`${name}\` does not come with PowerShell.`
      : `\`${name}\` is not a cmdlet: \`${parts[1]}\` is not one of PowerShell's verbs.`;
    const mend =
      near === null
        ? 'Use a cmdlet that exists, or import its module in an earlier step.'
        : `Did you mean \`${near}\`?`;
    return [problemOf(each, 'invented-cmdlet', 'error', message, mend)];
  });
}
