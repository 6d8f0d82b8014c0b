import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { stoppingAtFirst } from './stops.ts';

test.each([
  ['false; echo a', 'one line is one command, as typed'],
  ['for x in 1 2; do\n  false\ndone', 'one loop'],
  ['cat <<E\nfalse\nE', 'one here-document'],
  ['curl -s \\\n  localhost', 'one line that goes on'],
  ['# only\n# words', 'nothing to do'],
  ['false; echo a\n', 'a line break at the end'],
])('%j stays as it is: %s', (text) => {
  expect(stoppingAtFirst(text)).toBe(text);
});

function printed(text: string): string {
  const { stdout, status } = spawnSync('bash', ['-c', stoppingAtFirst(text)], { encoding: 'utf8' });
  return `${stdout}${status}`;
}

test.each([
  ['false\necho a', '1', 'the first line that fails ends it'],
  ['sh -c "exit 7" && echo b\necho a', '7', 'a chain fails as a whole'],
  ['true && sh -c "exit 7"\necho a', '7', 'and where it breaks off later'],
  ['false || true\necho a', 'a\n0', 'an alternative was given'],
  ['[ -e /nosuch ] && echo b\necho a', 'a\n0', 'a condition'],
  ['[[ a = b ]] && echo b\necho a', 'a\n0', 'a condition of bash'],
  ['echo x | grep -q y && echo b\necho a', 'a\n0', 'a condition at the end of a pipeline'],
  ['! true\necho a', 'a\n0', 'turned round'],
  ['if false; then echo b; fi\necho a', 'a\n0', 'an if'],
  ['false | true\necho a', 'a\n0', 'of a pipeline the last counts'],
  ['set +e\nfalse\nfalse && true\necho a', 'a\n0', 'it says that it goes on'],
  ['f() {\n  false\n  echo b\n}\nf\necho a', '1', 'within a function too'],
  ['for x in 1 2; do\n  false\ndone\necho a', '1', 'within a loop too'],
  ['true && cat <<E\nin\nE\necho a', 'in\na\n0', 'a here-document behind a chain'],
  ['false && true # why\necho a', '1', 'a comment behind a chain'],
  ['false &\nwait\necho a', 'a\n0', 'in the background'],
])('%j prints %j: %s', (text, expected) => {
  expect(printed(text)).toBe(expected);
});

test('lines keep their numbers', () => {
  expect(printed('true && true\necho $LINENO')).toBe('2\n0');
});

test('what cannot be read stops as well', () => {
  expect(stoppingAtFirst('false\necho "')).toBe('set -e; false\necho "');
});
