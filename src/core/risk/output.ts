import { type Command, type ParsedScript, UNKNOWN } from '../shell/index.ts';
import type { Arg, SimpleCommand } from './types.ts';

/** What a command prints, where that is certain from its text: echo, printf, cat of a here-document. */
export function literalOutput(command: SimpleCommand): string | undefined {
  if (command.via.length > 0 || command.open || command.args.some((arg) => !arg.literal || arg.glob))
    return undefined;
  const values = command.args.map((arg) => arg.value);
  switch (command.name) {
    case 'echo': {
      const escapes = /^-[neE]*e[neE]*$/.test(values[0] ?? '');
      const text = (/^-[neE]+$/.test(values[0] ?? '') ? values.slice(1) : values).join(' ');
      return escapes ? decodeEscapes(text) : text;
    }
    case 'printf':
      return values[0] === undefined || values[0].startsWith('-')
        ? undefined
        : printf(values[0], values.slice(1));
    case 'cat':
      return values.every((value) => value === '-') && command.stdin.kind === 'text'
        ? command.stdin.text
        : undefined;
    default:
      return undefined;
  }
}

/** What printf prints; undefined where it does more than put words together. */
export function printf(format: string, values: readonly string[]): string | undefined {
  if (/%(?![%sb])/.test(format)) return undefined;
  const rest = [...values];
  let text = '';
  do {
    text += decodeEscapes(format).replace(/%[%sb]/g, (directive) =>
      directive === '%%' ? '%' : (rest.shift() ?? ''),
    );
  } while (rest.length > 0 && /%[sb]/.test(format));
  return text;
}

const named: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  e: '\u001b',
  f: '\f',
  v: '\v',
  '\\': '\\',
};

/**
 * `\162`, `\x72`, `\u0072` and `\n` as echo -e and printf read them, who leave every other `\c` as it is; in a
 * string `literal` it stands for its letter. In one pass: what an escape stands for begins no other.
 */
export function decodeEscapes(text: string, literal = false): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|(0?[0-7]{1,3})|([\s\S]))/g,
    (whole: string, x?: string, u?: string, big?: string, octal?: string, name?: string) => {
      const code = x ?? u ?? big;
      if (code !== undefined)
        return Number.parseInt(code, 16) < 0x110000 ? String.fromCodePoint(Number.parseInt(code, 16)) : whole;
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
      return named[name ?? ''] ?? (literal ? (name ?? '') : whole);
    },
  );
}

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
    case 'echo': {
      const escapes = /^-[neE]*e/.test(values[0] ?? '');
      const text = (/^-[neE]+$/.test(values[0] ?? '') ? values.slice(1) : values).join(' ');
      return escapes ? decodeEscapes(text) : text;
    }
    case 'printf': {
      const [shape, ...rest] = values[0] === '--' ? values.slice(1) : values;
      return shape === undefined ? undefined : printf(shape, rest)?.replace(/\n+$/, '');
    }
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
