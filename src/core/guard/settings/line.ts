import type { GuardedAgent } from '../../contract/guard/index.ts';

/** What a hook calls: how this program is started, and how it is to keep the folder. */
export interface HookProgram {
  /** The words that start `planwright`. */
  words: readonly string[];
  checkpoints: string;
  /** How long it may take; 20 where it is left out. */
  seconds?: number;
  /** Where the system's own programs are. */
  system?: string;
}

/** By this an entry is known to be ours. */
export const MARK = 'planwright-guard';

const SECONDS = 20;

const silent =
  'Planwright guard: no answer, so this call is denied. Ask the person to look at: planwright guard status';

/**
 * Ends what takes longer, also where there is no `timeout`, as on a Mac. The system's own programs come first: of the folders on
 * a PATH one may be the agent's to write (`node_modules/.bin`), and what it puts there would answer in the guard's place.
 */
const deadline = ({ seconds = SECONDS, system = '/usr/bin:/bin' }: HookProgram): string =>
  `f() { PATH=${system}:$PATH command -v "$1"; }; t=$(f timeout) && set -- "$t" -s KILL ${seconds} "$@" || set -- "$(f perl)" -e "alarm+shift;exec@ARGV" ${seconds} "$@"`;

const quote = (word: string): string =>
  /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

const called = (agent: GuardedAgent, { words, checkpoints }: HookProgram): string[] => [
  ...words,
  ...['guard', 'hook', agent, `--checkpoints=${checkpoints}`],
];

/** How an installed line keeps the folder; null where none is there. */
export const checkpointsIn = (text: string): string | null =>
  text.includes(MARK) ? (/--checkpoints=(\w+)/.exec(text)?.[1] ?? null) : null;

/** Said in the agent's own way where the guard is silent, crashed, or gone. */
const denials: Readonly<Record<GuardedAgent, string>> = {
  'claude-code': `echo "${silent}" >&2; exit 2`,
  codex: `echo "${silent}" >&2; exit 2`,
  gemini: `echo "${silent}" >&2; exit 2`,
  cursor: `echo "${silent}" >&2; exit 2`,
  copilot: `printf "%s\\n" "{\\"permissionDecision\\":\\"deny\\",\\"permissionDecisionReason\\":\\"${silent}\\"}"`,
  opencode: `printf "%s\\n" "{\\"decision\\":\\"deny\\",\\"reason\\":\\"${silent}\\"}"`,
};

const wrapped = (agent: GuardedAgent, program: HookProgram, otherwise: string): readonly string[] => [
  '/bin/sh',
  '-c',
  `${deadline(program)}; o=$("$@") && [ -n "$o" ] && printf "%s\\n" "$o" || { ${otherwise}; }`,
  MARK,
  ...called(agent, program),
];

/** The words of the line that an agent's hook runs before a call: whatever keeps the guard from answering is a deny. */
export const wordsBefore = (agent: GuardedAgent, program: HookProgram): readonly string[] =>
  wrapped(agent, program, denials[agent]);

/** After a call nothing can be denied any more. */
export const wordsAfter = (agent: GuardedAgent, program: HookProgram): readonly string[] =>
  wrapped(agent, program, 'echo "{}"');

export const asLine = (words: readonly string[]): string => words.map(quote).join(' ');
