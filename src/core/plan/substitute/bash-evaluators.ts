import type { Command } from 'unbash';

/** Commands for which quoting does not help: they read their arguments as code a second time. */

const ALWAYS = new Set([
  ...[
    'eval',
    'let',
    'trap',
    'unset',
    'read',
    'mapfile',
    'readarray',
    'alias',
    'complete',
    'compgen',
    'fc',
    'bind',
    'getopts',
  ],
  ...['ssh', 'rsh', 'su', 'watch', 'parallel', 'expect', 'wsl', 'cmd', 'cmd.exe'],
]);
const WITH_OPTION: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:ba|da|z|k|mk|a|fi|c|tc)?sh$/, /^-[A-Za-z]*c|^--?command/],
  [/^(?:pwsh|powershell)(?:\.exe)?$/i, /^[-/](?:c|e)/i],
  [/^(?:python|pypy)[\d.]*$/, /^-[A-Za-z]*c/],
  [/^(?:node|nodejs|bun|perl|ruby|lua|osascript)[\d.]*$/, /^-[A-Za-z]*[eEpr]|^--(?:eval|print)/],
  [/^php[\d.]*$/, /^-r/],
  [/^(?:declare|typeset|local|export|readonly)$/, /^[-+][A-Za-z]*[in]/],
  [/^printf$/, /^-v/],
  [/^(?:test|\[)$/, /^-[vR]$/],
  [/^wait$/, /^-[A-Za-z]*p/],
  [/^env$/, /^-[A-Za-z]*S|^--split-string/],
  [/^(?:script|flock|runuser|sg)$/, /^-[A-Za-z]*c$|^--command/],
];

/** The name of what would read a word at this offset as code, or null. */
export function evaluatorBefore(command: Command, offset: number): string | null {
  const words = [command.name, ...command.args].filter((word) => word !== undefined);
  const before = words
    .filter((word) => word.end <= offset)
    .map((word) => (word.type === 'Word' ? word.value : word.text));
  const name = baseName(before[0] ?? '');
  // `grep read {item}` is no `read`; behind `sudo` or `env` any word may be the command.
  const candidates = WRAPPERS.has(name) ? before : before.slice(0, 1);
  for (const [index, word] of candidates.entries()) {
    const candidate = baseName(word);
    if (ALWAYS.has(candidate)) return candidate;
    const option = WITH_OPTION.find(([pattern]) => pattern.test(candidate))?.[1];
    if (option !== undefined && before.slice(index + 1).some((each) => option.test(each))) return candidate;
  }
  return null;
}

const baseName = (word: string) => word.slice(word.lastIndexOf('/') + 1);

const WRAPPERS = new Set([
  ...[
    'sudo',
    'doas',
    'env',
    'command',
    'builtin',
    'exec',
    'nohup',
    'time',
    'nice',
    'ionice',
    'timeout',
    'stdbuf',
  ],
  ...[
    'setsid',
    'xargs',
    'find',
    'chroot',
    'flock',
    'script',
    'runuser',
    'nsenter',
    'unshare',
    'strace',
    'busybox',
  ],
]);

/** Operators of `[[ … ]]` whose sides are arithmetic, and those that read the name of a variable. */
export function evaluatesArithmetic(operator: string): boolean {
  return /^-(?:eq|ne|lt|le|gt|ge|v|R|t|o)$/.test(operator);
}

/**
 * A script that makes a variable an integer or a reference turns every later assignment to it into code, so no
 * placeholder is put anywhere in such a script.
 */
export function declaresEvaluatedVariables(text: string): boolean {
  return /\b(?:declare|typeset|local|export|readonly)\s+(?:[-+][A-Za-z]+\s+)*[-+][A-Za-z]*[in]/.test(text);
}
