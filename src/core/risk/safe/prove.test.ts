import { describe, expect, test } from 'vitest';
import { noStdin, type ShellScope } from '../scope.ts';
import type { SimpleCommand } from '../types.ts';
import { isHarmless, provenNames } from './index.ts';
import { prove } from './prove.ts';
import { readSpec } from './spec.ts';

const scope = {
  context: { trusted: true },
  cwd: undefined,
  place: { strayed: false },
  patterns: { widened: false },
  functions: new Set(),
  variables: new Map(),
} as unknown as ShellScope;

function command(text: string, extra: Partial<SimpleCommand> = {}): SimpleCommand {
  const [name = '', ...words] = text.split(' ');
  const args = words.map((value) => ({
    value,
    literal: true,
    glob: /[*?]/.test(value),
    span: [0, 0] as const,
    text: value,
  }));
  return { name, path: name, args, env: [], span: [0, 0], via: [], stdin: noStdin, open: false, ...extra };
}

const isProven = (options: string, operands: string, text: string, single = false): boolean =>
  prove(readSpec(options, operands, single), command(`x ${text}`.trim()), scope) !== undefined;

describe('a line of the tables', () => {
  test.each([
    ['-ab', '', '-ab', true],
    ['-ab', '', '-abc', false],
    ['-#', '', '-20', true],
    ['-n=num', 'files', '-n5 f', true],
    ['-n=num', 'files', '-n 5 f', true],
    ['-an=num', '', '-n x', false],
    ['-n=', '', '-n', false],
    ['-a -n=num', 'files', '-an 5 f', true],
    ['-u?', '', '-uno', true],
    ['-u?', 'files', '-u no', true],
    ['--all', '', '--all', true],
    ['--all', '', '--al', false],
    ['--all', '', '--all=x', false],
    ['--lines=num', '', '--lines=5', true],
    ['--lines=num', '', '--lines 5', true],
    ['--lines=num', '', '--line=5', false],
    ['--color?', '', '--color', true],
    ['--color?', '', '--color=x', true],
    ['--arg==', 'files', '--arg a b f', true],
    ['!-t -v', '', '-v', false],
    ['!-t -v', '', '-vt', true],
    ['.', 'words', 'a -x', true],
    ['', 'words', 'a -x', false],
    ['', 'words', '-- -x', true],
    ['*', 'any', '-x', true],
    ['', 'files 1', 'a b', false],
    ['-w=num', 'files 1', 'a -w 3', false],
    ['', 'files 1+', '', false],
    ['', 'files 1-2', 'a b', true],
    ['', '', 'a', false],
    ['', 'files', '*', false],
    ['', 'files', 'src/*', true],
    ['', 'files', '-- *', true],
    ['', 'any', '*', true],
    ['', 'files', '/proc/self/environ', false],
    ['', 'files', '/dev/sda', false],
  ])('%j with operands %j, given %j: %s', (options, operands, text, expected) => {
    expect(isProven(options, operands, text)).toBe(expected);
  });

  test('of whole names: one dash or two, never letters', () => {
    expect(isProven('-json -state=', '', '-json --state x', true)).toBe(true);
    expect(isProven('-json', '', '-j', true)).toBe(false);
  });

  test('more arguments than are written end the proof, unless none could do harm', () => {
    expect(prove(readSpec('', 'files'), command('x a', { open: true }), scope)).toBeUndefined();
    expect(prove(readSpec('', 'any'), command('x a', { open: true }), scope)).toBeDefined();
  });

  test('an option that is only known when it runs ends the proof', () => {
    const [arg] = command('x -a').args;
    const given = command('x', { args: arg ? [{ ...arg, literal: false }] : [] });
    expect(prove(readSpec('-a', 'files'), given, scope)).toBeUndefined();
  });

  test('can be read, in every table', () => {
    expect(provenNames.length).toBeGreaterThan(250);
    for (const name of provenNames)
      for (const words of ['', ' x', ' -x', ' list'])
        expect(() => isHarmless(command(name + words), scope)).not.toThrow();
  });

  test('no program is safe with an option that nobody knows', () => {
    const raw = /^(?:echo|true|false|:|expr|test|\[)$/;
    const wrong = provenNames.filter(
      (name) =>
        !raw.test(name) &&
        ['--zz', '-~', '--zz=x', 'list --zz', 'x --zz'].some((words) =>
          isHarmless(command(`${name} ${words}`), scope),
        ),
    );
    // Theirs end at the first operand.
    expect(wrong).toEqual(['awk', 'gawk', 'mawk', 'nawk', 'printf']);
  });
});
