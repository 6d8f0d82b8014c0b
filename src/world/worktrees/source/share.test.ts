import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDesk } from '../testing.ts';
import type { Caching } from './mirror.ts';
import { makeProject, packLeft, shareBranch } from './share.ts';

test('a branch is pushed as it was committed, again after it was put on another base, and never with what is for nobody else', async () => {
  const { folder, repository, env, git, gitIn, commit, write } = makeDesk();
  const around: Caching = { env, protocols: ['file'], cache: join(folder, 'cache') };
  const origin = join(folder, 'origin.git');
  git('init', '--quiet', '--bare', '-b', 'main', origin);
  const base = commit(repository, { '.worktreeinclude': 'local.ini\n' });
  git('push', '--quiet', origin, 'main');
  const worktree = join(repository, '.agent-worktrees', 't1');
  git('worktree', 'add', '--quiet', '-b', 'task/t1/plan', worktree);
  const about = { project: repository, task: 't1', branch: 'task/t1/plan', base, url: origin };
  expect(await shareBranch(about, around)).toBeNull();

  const first = commit(worktree, { 'b.txt': 'b\n' });
  expect(await shareBranch(about, around)).toEqual({ pushed: first });
  gitIn(worktree, 'commit', '--quiet', '--amend', '-m', 'other words');
  const amended = gitIn(worktree, 'rev-parse', 'HEAD');
  expect(await shareBranch(about, around)).toEqual({ pushed: amended });
  expect(gitIn(origin, 'rev-parse', 'task/t1/plan')).toBe(amended);

  // What is not committed goes with whoever takes it up, and to nobody else.
  write(join(worktree, 'half.txt'), 'half\n');
  const left = await packLeft(about, around);
  const wanted = { task: 't1', url: origin, baseBranch: 'main', branch: 'task/t1/plan', left };
  const elsewhere = await makeProject(wanted, { ...around, cache: join(folder, 'other') });
  expect(gitIn(elsewhere, 'rev-parse', 'task/t1/plan')).toBe(amended);
  expect(gitIn(elsewhere, 'show', 'refs/planwright/rescue/t1/1:half.txt')).toBe('half');
  expect(existsSync(join(elsewhere, 'half.txt'))).toBe(false);

  // What could not be made leaves nothing behind, however often it is tried.
  const third = { ...around, cache: join(folder, 'third') };
  const broken = { ...wanted, left: { ...left!, bytes: Buffer.from('no pack') } };
  for (const _ of ['once', 'twice']) await expect(makeProject(broken, third)).rejects.toThrow();
  expect(readdirSync(join(third.cache, 'runs'))).toEqual([]);

  // A secret that was committed and taken out again is in the history all the same.
  for (const path of ['.env', 'local.ini']) {
    commit(worktree, { [path]: 'TOKEN=1\n' });
    gitIn(worktree, 'rm', '--quiet', path);
    gitIn(worktree, 'commit', '--quiet', '-m', 'without');
    expect(await shareBranch(about, around)).toEqual({ warning: expect.stringContaining(path) });
    gitIn(worktree, 'reset', '--quiet', '--hard', amended);
  }
  expect(gitIn(origin, 'rev-parse', 'task/t1/plan')).toBe(amended);

  // Somebody else works on it there.
  gitIn(origin, 'update-ref', 'refs/heads/task/t1/plan', base);
  commit(worktree, { 'c.txt': 'c\n' });
  expect(await shareBranch(about, around)).toEqual({ warning: expect.stringContaining('not pushed') });
  expect(gitIn(origin, 'rev-parse', 'task/t1/plan')).toBe(base);
});
