import type { RuleInfo } from './types.ts';

/**
 * Guards fail closed: what the tree cannot be trusted to show is never safe. Those that hide *what would run*
 * are dangerous; the others only end the proof that a command is safe.
 */

const hides = (id: string, sentence: string, hits: string[], misses: string[]): RuleInfo => ({
  id,
  level: 'dangerous',
  sentence,
  hits,
  misses,
});

const unproven = (id: string, sentence: string, hits: string[], misses: string[]): RuleInfo => ({
  id,
  level: 'caution',
  sentence,
  reversible: true,
  hits,
  misses,
});

export const guards = {
  parseError: hides(
    'parse-error',
    'Is not valid shell, so what it would run cannot be known.',
    ['ls "open', 'ls && ', 'if true; then ls'],
    ['ls "closed"'],
  ),
  hiddenSubstitution: hides(
    'hidden-substitution',
    'Holds a command substitution in a place where it is easily missed.',
    ['a=($(rm -rf x))y; ls', "test -v 'a[$(reboot)0]'", "let 'a[$(reboot)]=1'"],
    ["echo '$(date)'", 'echo "$(date)"', "awk '{print $(NF)}' f"],
  ),
  unknownCommand: hides(
    'command-not-literal',
    'The name of the command is only known when it runs.',
    ['$CMD -rf x', '$(echo rm) x', '/bin/r? x', 'a=ls; $a', '{rm,-rf,x}'],
    ['ls $DIR', 'echo $CMD'],
  ),
  deceptiveName: hides(
    'deceptive-text',
    'Holds invisible or look-alike characters in a command, which show something else than what runs.',
    ['r\u200dm -rf x', '\uff52\uff4d -rf /', 'ls \u2066# safe\u2069'],
    ["echo 'caf\u00e9'", 'ls'],
  ),
  tooDeep: hides(
    'too-deep',
    'Is nested too deeply to be judged.',
    [`${'$('.repeat(12)}ls${')'.repeat(12)}`],
    ['echo $(echo $(date))'],
  ),
  tooLong: hides('too-long', 'Is too long to be judged (64 kB).', [`echo ${'a'.repeat(70_000)}`], ['ls']),
  nested: unproven(
    'nested',
    'Groups commands more than eight deep.',
    [`${'{ '.repeat(9)}ls; ${'}; '.repeat(9)}`],
    ['{ { ls; }; }'],
  ),
  empty: unproven('nothing-to-run', 'Holds no command.', ['# only a comment'], ['ls']),
  long: unproven('long', 'Is longer than a person reads (10 kB).', [`echo ${'a'.repeat(10_001)}`], ['ls']),
  characters: unproven(
    'unusual-characters',
    'Holds characters outside printable ASCII.',
    ['ls\r', 'echo \u001b[2K hidden', "echo '\u00e9'"],
    ['ls\n'],
  ),
  continuation: unproven(
    'broken-word',
    'Breaks a word or an operator over two lines, where parsers disagree.',
    ['l\\\ns x', 'ls 2\\\n>/dev/null', "sort $'a\\\nb'"],
    ['ls \\\n  -la'],
  ),
  quotedSubstitution: unproven(
    'quoted-substitution',
    'Holds the text of a command substitution inside quotes.',
    ["echo '$(date)'", "awk '{print $(NF)}' f"],
    ['echo "$(date)"'],
  ),
  assignment: unproven(
    'assignment',
    'Sets a variable, which can change what later commands do.',
    ['A=1', 'A=1 ls', 'PATH=. ls'],
    ['ls a=1'],
  ),
  functions: unproven(
    'function-definition',
    'Defines a function, which can take the place of a command.',
    ['f() { ls; }; f'],
    ['ls f'],
  ),
  coproc: unproven('coproc', 'Starts a coprocess.', ['coproc ls'], ['ls']),
  arithmetic: unproven(
    'arithmetic',
    'Uses shell arithmetic, which can run code hidden in variables.',
    ['echo $((x))', '((x=1))'],
    ['echo x'],
  ),
  test: unproven(
    'double-bracket',
    'Uses [[ ]], which can run code hidden in variables.',
    ['[[ -f a ]]'],
    ['[ -f a ]'],
  ),
  expansion: unproven(
    'expansion-operator',
    'Uses an expansion with an operator, whose result is not plain.',
    ['echo ${x:-y}', 'echo ${x/a/b}', 'echo ${!x}'],
    ['echo $x', 'echo ${x}'],
  ),
  subshell: unproven('subshell', 'Runs a group in a subshell.', ['(ls)'], ['ls']),
  loop: unproven(
    'open-loop',
    'Loops until something happens, perhaps for ever.',
    ['while :; do ls; done'],
    ['for a in 1 2; do ls; done'],
  ),
  background: unproven(
    'background',
    'Starts a process in the background that outlives the step.',
    ['sleep 1 &'],
    ['sleep 1'],
  ),
  descriptor: unproven(
    'descriptor',
    'Duplicates a file descriptor in an unusual way.',
    ['>&-ls victim', 'ls 2>&x'],
    ['ls 2>&1', 'ls >&-'],
  ),
  redirection: unproven(
    'file-write',
    'Writes its output to a file.',
    ['ls > out', 'ls 2>err', 'ls &> all', 'echo x > /dev/tty'],
    ['ls > /dev/null', 'ls 2>&1'],
  ),
  unproven: unproven(
    'not-proven-safe',
    'Is not known to only read.',
    ['frobnicate', 'npm test', 'sort -o a b'],
    ['ls', 'sort a'],
  ),
} satisfies Record<string, RuleInfo>;

/** Characters that change how text looks without being seen: joiners, direction marks, tags, other spaces. */
const invisible = new RegExp(
  `[${[
    '00ad',
    '034f',
    '061c',
    '115f-1160',
    '17b4-17b5',
    '180e',
    '200b-200f',
    '2028-202e',
    '2060-206f',
    '3164',
    'fe00-fe0f',
    'feff',
    'ffa0',
    'e0000-e007f',
  ]
    .map((range) => range.replace(/\w+/g, '\\u{$&}'))
    .join('')}]`,
  'u',
);
const hiddenChars = new RegExp(invisible.source, 'gu');
const plain = /^[\t\n\x20-\x7e]*$/;

export const isPlain = (text: string): boolean => plain.test(text);
export const hasInvisible = (text: string): boolean => invisible.test(text);

/** What a careless reader, or another program, would take the text for. */
export const asItLooks = (text: string): string => text.normalize('NFKC').replace(hiddenChars, '');

export const limits = {
  bytes: 10_000,
  judged: 65_536,
  code: 8_192,
  depth: 8,
  commands: 2_000,
} as const;
