import { expect, test } from 'vitest';
import { branchFile } from './diff.ts';

const file = {
  path: 'a.ts',
  from: null,
  status: 'modified' as const,
  added: 1,
  removed: 1,
  hunks: [
    {
      header: '@@ -8,3 +9,3 @@ function a()',
      lines: [' before', '-old', '+new', ' after', '\\ No newline at end of file'],
    },
    { header: '@@ -40 +41 @@', lines: ['+far'] },
  ],
  isCut: false,
};

test('lines of a branch have the numbers that they have now; those that are gone, and headers, have none', () => {
  expect(branchFile(file).lines.map(({ kind, line }) => [kind, line])).toEqual([
    ['hunk', undefined],
    ['same', 9],
    ['del', undefined],
    ['add', 10],
    ['same', 11],
    ['hunk', undefined],
    ['hunk', undefined],
    ['add', 41],
  ]);
});

test('what is not shown of a file is said', () => {
  const last = (change: object) => branchFile({ ...file, ...change }).lines.at(-1)?.text;
  expect(last({ isCut: true })).toBe('There is more of it.');
  expect(last({ added: null, removed: null, hunks: [] })).toBe('Not text: it is not shown.');
});
