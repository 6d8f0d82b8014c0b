import { expect, test } from 'vitest';
import { countsTwice, goingOn, halfwayIn } from './halves.ts';

test.each([
  ['echo a >> log && gti push', 'gti push', ['echo a >> log']],
  ['cd sub && echo a>>log && make  x', 'make x', ['cd sub', 'echo a>>log']],
  ['set -e\necho a >> log\ncat b | grep c 2> err', 'grep c 2> err', ['set -e', 'echo a >> log']],
  ['a; b; c >&2', 'c 1>&2', ['a', 'b']],
  ['a && b\nc', 'c', ['a', 'b']],
])('%s stopped at %s', (text, told, done) => {
  expect(halfwayIn(text, told)?.done).toEqual(done);
});

test.each([
  ['a && b; c', 'c', 'a chain before it may have broken off'],
  ['set -e; a && b; c', 'c', 'set -e does not see where a chain breaks off'],
  ['test -f a && b\nc', 'c', 'a condition before it may not have held'],
  ['set +e\na && b\nc', 'c', 'it said that it goes on'],
  ['a && a && b', 'a', 'it stands there twice'],
  ['a || b', 'b', 'it branches'],
  ['for x in 1 2; do a; done; b', 'b', 'it loops'],
  ['a && (b && c)', 'a', 'it forks'],
  ['cat <<E > f\nx\nE\nb', 'b', 'a here-document'],
  ['a && b', 'd', 'it is not in it'],
])('of %s at %s nothing is said: %s', (text, told) => {
  expect(halfwayIn(text, told)).toBeNull();
});

test('what ran is left out, what prepared the shell is not', () => {
  const text = 'cd sub && export A=1 && echo a >> log && make x && echo b >> log';
  const done = ['cd sub', 'export A=1', 'echo a >> log'];
  expect(goingOn(text, done)).toBe('cd sub && export A=1 && make x && echo b >> log');
  expect(goingOn('set -e\necho a >> log\nmake x', ['set -e', 'echo a >> log'])).toBe('set -e\nmake x');
});

test.each([
  ['x=$(date) && echo $x >> log && make $x', ['x=$(date)', 'echo $x >> log']],
  ['read x < f && echo a >> log && make $x', ['read x < f', 'echo a >> log']],
  ['echo a >> log; test $? = 0', ['echo a >> log']],
  ['echo b >> log && make x', ['echo a >> log']],
])('%s does not surely go on the same', (text, done) => {
  expect(goingOn(text, done)).toBeNull();
});

test('what shows when it is done twice', () => {
  expect(countsTwice('echo a | tee -a log')).toBe(true);
  expect(countsTwice('mkdir -p a')).toBe(false);
});
