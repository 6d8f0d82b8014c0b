/**
 * Names that never reach a step from outside, and never from one step to the next. They make bash run or
 * print something before or around the script, or they are ours. docs/processes.md gives each one's reason.
 */
const kept: ReadonlySet<string> = new Set([
  'BASH_ENV',
  'ENV',
  'BASH_XTRACEFD',
  'PROMPT_COMMAND',
  'SHELLOPTS',
  'BASHOPTS',
  'PS4',
]);
const keptPrefixes = ['BASH_FUNC_', 'PLANWRIGHT_', '__planwright_'];

/** Kept by the shell itself, or no name that a plain record can hold. */
const ownToTheShell: ReadonlySet<string> = new Set(['SHLVL', '_', 'PWD', '__proto__']);

/** Whether no step sees a variable of this name, wherever it was set. */
export const isKeptFromSteps = (name: string): boolean =>
  kept.has(name) || keptPrefixes.some((prefix) => name.startsWith(prefix));

/** Whether a variable of this name can be given to a step, by its plan or by an earlier one. */
export const canBeGiven = (name: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !ownToTheShell.has(name) && !isKeptFromSteps(name);
