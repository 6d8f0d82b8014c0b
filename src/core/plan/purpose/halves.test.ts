import { expect, test } from 'vitest';
import { countsTwice, doneTwice, goingOn, halfwayIn, isOpaque } from './halves.ts';

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
  expect(countsTwice('git -C w -c user.name=x commit -m a')).toBe(true);
  expect(countsTwice('git -C w status')).toBe(false);
  expect(countsTwice('mkdir -p a')).toBe(false);
  expect(['./record.sh', 'python3 seed.py', 'bash x.sh'].every(isOpaque)).toBe(true);
  expect(['make x', 'python3 -m venv .venv', '/usr/bin/env', 'cd a/b'].some(isOpaque)).toBe(false);
});

test('where nobody knows how far it came, a script that may show it counts too', () => {
  expect(doneTwice('cd a && python3 seed.py; cat x > y')).toBe('python3 seed.py');
  expect(doneTwice('cd a && make; cat x > y')).toBeNull();
  expect(doneTwice('python3 seed.py')).toBeNull();
});
