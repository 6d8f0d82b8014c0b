import type { SimpleCommand } from './types.ts';

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

function printf(format: string, values: readonly string[]): string | undefined {
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

/** `\162`, `\x72`, `\u0072` and `\n` as echo -e and printf read them. */
export function decodeEscapes(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|(0?[0-7]{1,3})|([ntraefv\\]))/g,
    (whole, x?: string, u?: string, big?: string, octal?: string, name?: string) => {
      const code = x ?? u ?? big;
      if (code !== undefined)
        return Number.parseInt(code, 16) < 0x110000 ? String.fromCodePoint(Number.parseInt(code, 16)) : whole;
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
      return named[name ?? ''] ?? whole;
    },
  );
}
