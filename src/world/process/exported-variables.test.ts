import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDeclared } from './exported-variables.ts';

const parse = (text: string) => {
  const variables = parseDeclared(Buffer.from(text));
  return variables && Object.fromEntries(variables);
};

describe('what bash prints is read exactly', () => {
  test('double quotes, escapes, empty and missing values', () => {
    expect(parse('declare -x A="a \\"b\\" \\$c \\`d\\` \\\\e \\n"\ndeclare -x B=""\ndeclare -x C\n')).toEqual(
      {
        A: 'a "b" $c `d` \\e \\n',
        B: '',
      },
    );
  });

  test('ANSI-C quotes', () => {
    expect(parse("declare -x A=$'a\\nb\\t\\'\\\\\\E\\001\\303\\251\\x41\\u00e9'\n")).toEqual({
      A: "a\nb\t'\\\x1b\x01éAé",
    });
  });

  test('other attributes stay, lists and references are left out', () => {
    const text =
      'declare -ax L=([0]="a)" [1]=$\'b\\n\')\ndeclare -irx N="3"\ndeclare -nx R="N"\nexport P="posix"\n';
    expect(parse(text)).toEqual({ N: '3', P: 'posix' });
  });

  test('a newline as it is, as older versions print it', () => {
    expect(parse('declare -x A="a\ndeclare -x B=\\"1\\""\n')).toEqual({ A: 'a\ndeclare -x B="1"' });
  });

  test.each(['declare -x A="open\n', 'declare -x A="a" rest\n', 'nonsense\n', "declare -x A=$'open\n"])(
    'anything else is refused: %j',
    (text) => expect(parse(text)).toBeNull(),
  );
});

describe('against bash itself', () => {
  const value = fc.string({
    unit: fc.oneof(
      fc.constantFrom('"', "'", '\\', '$', '`', '\n', '\t', '\r', ' ', '!', '\x01', '\x7f', '\x1b', '=', ')'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 40,
  });

  test.each(['C', 'C.UTF-8'])('random values in locale %s come back as they went in', (locale) => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 30 }), (values) => {
        const given = Object.fromEntries(
          values.map((text, at) => [`V${at}`, text.replaceAll('\0', '').toWellFormed()]),
        );
        const printed = execFileSync('bash', ['--noprofile', '--norc', '-c', 'declare -px'], {
          env: { ...given, PATH: process.env['PATH'], LC_ALL: locale },
        });
        const parsed = parseDeclared(printed);
        for (const [name, text] of Object.entries(given)) expect(parsed?.get(name)).toBe(text);
      }),
      { numRuns: 60 },
    );
  });
});
