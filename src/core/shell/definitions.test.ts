import { describe, expect, test } from 'vitest';
import {
  definedAfter,
  definedByWords,
  definitionsInView,
  functionsIn,
  namesAsked,
  noDefinitions,
} from './definitions.ts';

const defined = {
  variables: { BUILD: 'out', NAME: "it's", IN: 'x' },
  functions: { clean: 'clean() { rm -rf "$BUILD"; }', all: 'all() { clean; }', 'a-b': 'a-b() { :; }' },
};

test.each([
  ['ls', ''],
  ['echo $BUILD', 'BUILD=out'],
  ['echo "${NAME}s" BUILDS', "NAME='it'\\''s'"],
  ['clean', 'BUILD=out\nclean() { rm -rf "$BUILD"; }'],
  ['all', 'BUILD=out\nall() { clean; }\nclean() { rm -rf "$BUILD"; }'],
  ['a-b; cd', 'a-b() { :; }'],
  ['((IN++))', 'IN=x'],
])('in view of %j stands %j', (text, expected) => {
  expect(definitionsInView(defined, text).text).toBe(expected);
});

describe('functions of a text', () => {
  test.each([
    ['f() { a; }\nf', ['f']],
    ['function g {\n a\n}', ['g']],
    ['if true; then f() { a; }; fi', []],
    ['(f() { a; })', []],
    ['f() { a; }; unset -f f', []],
    ['f() { a; ', []],
    ['__planwright_report() { a; }', []],
  ])('%j', (text, names) => {
    expect(Object.keys(functionsIn(text))).toEqual(names);
  });
});

test.each([
  ['A=1; B=2 cmd; declare C=3', ['A', 'B', 'C']],
  ['for x in 1; do read -r y; done', ['x', 'y']],
  ['IFS=, ; PS4=x; BASH_ENV=y; LINES=1', []],
  ['echo $BUILD; export Z', ['BUILD']],
  ['A="', []],
])('after %j its shell is asked for %j', (text, names) => {
  expect(namesAsked(defined, text)).toEqual(names);
});

test('what a text did not name is as it was, and what it took back is gone', () => {
  const after = definedAfter(defined, 'unset BUILD; NEW=1; unset -f all; clean() { :; }', {
    NEW: '1',
    FORGED: '1',
  });
  expect(after.variables).toEqual({ NAME: "it's", IN: 'x', NEW: '1' });
  expect(Object.keys(after.functions)).toEqual(['clean', 'a-b']);
  expect(after.functions['clean']).toBe('clean() { :; }');
  expect(definedAfter(noDefinitions, 'ls', {})).toEqual(noDefinitions);
});

test('by the words alone: what is fixed is known, what is not is not taken for the old value', () => {
  const after = definedByWords(defined, "A='x y'; BUILD=$(date); B=1 cmd; NAME=new; f() { :; }");
  expect(after.variables).toEqual({ IN: 'x', A: 'x y', NAME: 'new' });
  expect(Object.keys(after.functions)).toContain('f');
});
