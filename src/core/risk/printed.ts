import { type Command, type ParsedScript, UNKNOWN } from '../shell/index.ts';
import type { Arg } from './types.ts';

/** Print a name or a number, or a place in this very repository: what follows it stays where it is. */
const names = new Set(
  'date whoami hostname uname id nproc basename seq git uuidgen arch tty getconf'.split(' '),
);

/**
 * What a command substitution stands for where its text says so, with `UNKNOWN` for what varies; undefined where it may
 * be anything, a place outside too.
 */
export function printed(
  script: ParsedScript | undefined,
  read: (command: Command) => Arg[],
  cwd: string | undefined,
): string | undefined {
  const [statement, ...more] = script?.commands ?? [];
  const command = statement?.command;
  if (command?.type !== 'Command' || more.length > 0 || command.prefix.length > 0) return undefined;
  if (command.redirects.some(({ operator }) => operator !== '>' && operator !== '>&')) return undefined;
  const [name = '', ...values] = read(command).map(({ value }) => value);
  const plain = values.filter((value) => !/^-./.test(value));
  if (names.has(name)) return UNKNOWN;
  switch (name) {
    case 'echo':
      return plain.join(' ');
    case 'printf':
      return /^%s(?:\\n)?$/.test(plain[0] ?? '')
        ? plain.slice(1).join('')
        : plain.length === 1
          ? plain[0]
          : undefined;
    case 'pwd':
      return cwd ?? '.';
    case 'mktemp':
      return plain.length === 1 && !values.some((value) => /^-[a-z]*[tp]|^--tmpdir/.test(value))
        ? plain[0]
        : `${values.some((value) => /^-[a-z]*p|^--tmpdir=/.test(value)) ? UNKNOWN : '/tmp'}/${UNKNOWN}`;
    case 'dirname':
      return plain[0]?.includes('/') ? plain[0].replace(/\/+[^/]*\/*$/, '') || '/' : '.';
    case 'realpath':
    case 'readlink':
      return plain.length === 1 ? plain[0] : undefined;
    default:
      return undefined;
  }
}
