import type { RuleInfo } from './types.ts';

/**
 * Guards fail closed: what the tree cannot be trusted to show is never safe. Those that hide *what would run*
 * are dangerous; the others only end the proof that a command is safe.
 */

const hides = (id: string, sentence: string): RuleInfo => ({
  id,
  level: 'dangerous',
  sentence,
});

const unproven = (id: string, sentence: string): RuleInfo => ({
  id,
  level: 'caution',
  sentence,
  reversible: true,
});

export const guards = {
  parseError: hides('parse-error', 'Is not valid shell, so what it would run cannot be known.'),
  hiddenSubstitution: hides(
    'hidden-substitution',
    'Holds a command substitution in a place where it is easily missed.',
  ),
  unknownCommand: hides('command-not-literal', 'The name of the command is only known when it runs.'),
  deceptiveName: hides(
    'deceptive-text',
    'Holds invisible or look-alike characters in a command, which show something else than what runs.',
  ),
  tooDeep: hides('too-deep', 'Is nested too deeply to be judged.'),
  tooLong: hides('too-long', 'Is too long to be judged (64 kB).'),
  nested: unproven('nested', 'Groups commands more than eight deep.'),
  empty: unproven('nothing-to-run', 'Holds no command.'),
  long: unproven('long', 'Is longer than a person reads (10 kB).'),
  characters: unproven('unusual-characters', 'Holds characters outside printable ASCII.'),
  continuation: unproven(
    'broken-word',
    'Breaks a word or an operator over two lines, where parsers disagree.',
  ),
  quotedSubstitution: unproven(
    'quoted-substitution',
    'Holds the text of a command substitution inside quotes.',
  ),
  assignment: unproven('assignment', 'Sets a variable, which can change what later commands do.'),
  functions: unproven('function-definition', 'Defines a function, which can take the place of a command.'),
  coproc: unproven('coproc', 'Starts a coprocess.'),
  arithmetic: unproven('arithmetic', 'Uses shell arithmetic, which can run code hidden in variables.'),
  test: unproven('double-bracket', 'Uses [[ ]], which can run code hidden in variables.'),
  expansion: unproven('expansion-operator', 'Uses an expansion with an operator, whose result is not plain.'),
  subshell: unproven('subshell', 'Runs a group in a subshell, if what comes before it succeeds or fails.'),
  loop: unproven('open-loop', 'Loops until something happens, perhaps for ever.'),
  background: hides(
    'background',
    'Starts a process in the background that outlives the step; what it does later no undo takes back.',
  ),
  job: unproven('job', 'Starts a process in the background, and waits for it or ends it.'),
  descriptor: unproven('descriptor', 'Duplicates a file descriptor in an unusual way.'),
  redirection: unproven('file-write', 'Writes its output to a file.'),
  unproven: unproven('not-proven-safe', 'Is not known to only read.'),
} satisfies Record<string, RuleInfo>;

/** Guards about the session that a command runs in: what only reads, reads with the system's own programs. */
export const sessionGuards = {
  program: unproven(
    'program-not-proven',
    'The program of this name is not the system’s own: the plan, or whoever wrote it, could have made it.',
  ),
  variable: unproven(
    'session-variable',
    'An earlier step has set a variable that can make programs run or load something else.',
  ),
  takesOrders: hides(
    'takes-orders',
    'Starts a program that runs what is typed into it later, which nobody is shown.',
  ),
  typed: hides(
    'typed-in',
    'Writes to a program that runs already: where that is, and what it makes of it, cannot be known.',
  ),
  unhooked: hides(
    'starts-unhooked',
    'Starts an agent without the hooks, or the settings, by which it would ask the guard.',
  ),
  reaches: hides(
    'reaches-guarded',
    'Changes what it finds when it runs, and what only a person may change could be among that.',
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
  rounds: 32,
  values: 200,
} as const;
