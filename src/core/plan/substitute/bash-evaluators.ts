import type { Command, SyntaxNode, Word } from 'unbash';

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

const DECLARERS = new Set(['declare', 'typeset', 'local', 'readonly', 'export']);

const wordsOf = (command: Command): { text: string; end: number }[] =>
  [command.name, ...command.args]
    .filter((word) => word !== undefined)
    .map((word) => ({ text: word.type === 'Word' ? word.value : word.text, end: word.end }));

const baseName = (word: string) => word.slice(word.lastIndexOf('/') + 1);

/** The name of what would read this child of a command as code, or null. */
export function evaluatorOf(command: Command, child: SyntaxNode): string | null {
  const before = wordsOf(command)
    .filter((word) => word.end <= child.pos)
    .map((word) => word.text);
  // `declare x={item}` is an assignment; of any other word bash reads an array index, as code.
  if (child.type === 'Word' && DECLARERS.has(before[0] ?? '')) return before[0]!;
  // `grep read {item}` is no `read`; behind `sudo` or `env` any word may be the command.
  const candidates = isWrapper(command) ? before : before.slice(0, 1);
  for (const [index, word] of candidates.entries()) {
    const candidate = baseName(word);
    if (ALWAYS.has(candidate)) return candidate;
    const option = WITH_OPTION.find(([pattern]) => pattern.test(candidate))?.[1];
    if (option !== undefined && before.slice(index + 1).some((each) => option.test(each))) return candidate;
  }
  return null;
}

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

/** A command that runs the command among its arguments. */
const isWrapper = (command: Command): boolean => WRAPPERS.has(baseName(command.name?.value ?? ''));

/** The words that say which command runs: its name and, behind a wrapper, the first word that is no option. */
export function commandNames(command: Command): Word[] {
  const wrapped = isWrapper(command) && command.name?.value !== 'find';
  const operand = wrapped
    ? command.args.find((word) => word.type === 'Word' && !/^-|^\w+=/.test(word.text))
    : undefined;
  return [command.name, operand].filter((word) => word !== undefined && word.type === 'Word') as Word[];
}

const INTERPRETERS =
  /^(?:(?:ba|da|z|k|mk|a|fi)?sh|python[\d.]*|pypy3?|node|bun|perl|ruby|php|lua[\d.]*|osascript|pwsh|at|batch)$/;

/** The interpreter that runs what this command reads from its input, or null. */
export function interpreterOfInput(command: Command): string | null {
  const words = wordsOf(command).map((word) => word.text);
  const at = isWrapper(command) ? words.findIndex((word) => INTERPRETERS.test(baseName(word))) : 0;
  const name = baseName(words[at] ?? '');
  if (!INTERPRETERS.test(name)) return null;
  const rest = words.slice(at + 1);
  const hasFile =
    rest.some((word) => !word.startsWith('-')) &&
    !rest.some((word) => /^-[a-z]*s$|^-$|^\/dev\/stdin$/.test(word));
  return hasFile && name !== 'at' ? null : name;
}

/** Variables that a shell, or what it starts, reads as code or as a number, which bash computes as code. */
const SPECIAL =
  /^(?:BASH\w*|ENV|PS[0-4]|PROMPT_COMMAND|OPTIND|S?RANDOM|HIST\w*|SECONDS|LINENO|EPOCH\w*|MAIL\w*|TMOUT|FUNCNEST|SHELLOPTS|GROUPS|DIRSTACK|COLUMNS|LINES|LD_\w+|DYLD_\w+|PERL5\w*|RUBYOPT|PYTHON(?:STARTUP|PATH|HOME)|NODE_OPTIONS|GIT_\w*(?:COMMAND|EDITOR|PAGER|SSH|ASKPASS)|EDITOR|VISUAL|PAGER|LESSOPEN)$/;

export const isSpecialVariable = (name: string): boolean => SPECIAL.test(name);

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
