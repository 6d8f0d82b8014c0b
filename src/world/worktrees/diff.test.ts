import { chmodSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { begunRun, makeDesk, prepared, taskOf } from './testing.ts';

const desk = makeDesk();
const { repository, worktrees, write, commit } = desk;

test('what a branch changes is shown file by file, bounded, whatever the names and contents are', async () => {
  commit(repository, {
    'old name.txt': 'a\nb\nc\nd\ne\nf\n',
    'gone.txt': 'gone\n',
    'to-link': 'x\n',
    'm.txt': '1\n2\n3\n',
  });
  const { state, path } = await prepared(worktrees, begunRun({ path: repository, task: 't1' }));
  rmSync(join(path, 'gone.txt'));
  rmSync(join(path, 'to-link'));
  symlinkSync('m.txt', join(path, 'to-link'));
  rmSync(join(path, 'old name.txt'));
  write(join(path, 'new "näme"\n.txt'), 'a\nb\nc\nd\ne\nf\n');
  write(join(path, 'm.txt'), '1\n--- two\n+++ three\n3\n');
  write(join(path, 'bin'), 'a\0b');
  write(join(path, 'many.txt'), Array.from({ length: 5_000 }, (_, n) => `line ${n}\n`).join(''));
  write(join(path, 'zz-long.txt'), `${'x'.repeat(2 * 1024 * 1024)}\n`);
  write(join(path, 'zzz-last.txt'), 'last\n');
  chmodSync(join(path, 'a.txt'), 0o755);
  commit(path, {});
  const shown = await worktrees.diff(taskOf(state, null));
  const told = shown!.files.map(({ path: name, from, status, added, removed, hunks, isCut }) => ({
    ...{ name, from, status, added, removed, isCut },
    lines: hunks.flatMap(({ lines }) => lines).length,
  }));
  const file = (name: string, status: string, rest: object) => ({
    ...{ name, status, from: null, added: 0, removed: 0, isCut: false, lines: 0 },
    ...rest,
  });
  expect(told).toEqual([
    file('a.txt', 'modified', {}),
    file('bin', 'added', { added: null, removed: null }),
    file('gone.txt', 'deleted', { removed: 1, lines: 1 }),
    file('m.txt', 'modified', { added: 2, removed: 1, lines: 5 }),
    file('many.txt', 'added', { added: 5_000, isCut: true, lines: 2_000 }),
    file('new "näme"\n.txt', 'renamed', { from: 'old name.txt' }),
    file('to-link', 'type', { added: 1, removed: 1, lines: 3 }),
    file('zz-long.txt', 'added', { added: 1, isCut: true, lines: 1 }),
    file('zzz-last.txt', 'added', { added: 1, isCut: true }),
  ]);
  expect(shown!.files[3]!.hunks[0]!.lines).toEqual([' 1', '-2', '+--- two', '++++ three', ' 3']);
  expect(shown!.more).toBe(0);
});

test('a task without a branch, or without a repository, has nothing to show', async () => {
  const { state } = await prepared(worktrees, begunRun({ path: repository, task: 't2' }));
  const task = taskOf(state, null);
  expect(await worktrees.diff(task)).toEqual({ files: [], more: 0, pushesTo: null });
  expect(await worktrees.diff({ ...task, branch: null })).toBeNull();
  rmSync(join(repository, '.git'), { recursive: true });
  expect(await worktrees.diff(task)).toBeNull();
});
