import { expect, test } from 'vitest';
import { alternatives, segmentsOf, splitPattern } from './glob.ts';

test.each([
  ['*.ts', 'a.ts b.ts', '.ts .a.ts a.tsx'],
  ['.*', '.env .a', 'a'],
  ['a?c', 'abc a.c aéc', 'ac abbc'],
  ['[a-c]x', 'ax cx', 'dx Ax -x'],
  ['[!a-c]x', 'dx', 'ax .x'],
  ['[]]x', ']x', 'x'],
  ['[', '[', 'a'],
  ['[z-a]', '', 'z a [z-a]'],
  ['a+(b)', 'a+(b)', 'ab aab'],
  ['**x', 'x ax', '.x'],
  ['file-[0-9]*.log', 'file-1.log file-12.log', 'file-.log'],
])('%s', (pattern, matching, others) => {
  const [segment] = segmentsOf(pattern);
  const matches = (name: string) => typeof segment === 'function' && segment(name);
  expect(matching.split(' ').filter((name) => name !== '' && !matches(name))).toEqual([]);
  expect(others.split(' ').filter(matches)).toEqual([]);
});

test('braces with a comma are alternatives, others are themselves', () => {
  expect(alternatives('a.{ts,js}')).toEqual(['a.ts', 'a.js']);
  expect(alternatives('{a,b{c,d}}/{e,}')).toEqual(['a/e', 'a/', 'bc/e', 'bc/', 'bd/e', 'bd/']);
  expect(alternatives('{a}{b')).toEqual(['{a}{b']);
  expect(alternatives('{a,b}'.repeat(20))).toHaveLength(1);
});

test('what comes before the first pattern is a plain path', () => {
  expect(splitPattern('src/a/*.ts')).toEqual({ base: 'src/a', rest: '*.ts' });
  expect(splitPattern('**/x')).toEqual({ base: '.', rest: '**/x' });
  expect(splitPattern('/*')).toEqual({ base: '/', rest: '*' });
  expect(splitPattern('../x')).toEqual({ base: '..', rest: 'x' });
  expect(splitPattern('/a/b')).toEqual({ base: '/a', rest: 'b' });
});
