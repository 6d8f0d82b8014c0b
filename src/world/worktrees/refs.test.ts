import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentVariables, commitLeft } from './index.ts';
import { begunRun, makeDesk, prepared } from './testing.ts';

const desk = makeDesk();
const { repository, worktrees, git, gitIn, write, commit, read } = desk;
const begin = (task: string) => prepared(worktrees, begunRun({ path: repository, task }));

test('what a branch has that its base has not is counted', async () => {
  const { state, path } = await begin('t1');
  expect(await worktrees.changes(state)).toMatchObject({ commits: 0, files: 0, foreign: [] });
  commit(path, { 'b.txt': 'b\n' });
  const head = commit(path, { 'b.txt': 'c\n', 'c.txt': 'c\n' });
  commit(repository, { 'meanwhile.txt': 'by the person\n' });
  expect(await worktrees.changes(state)).toEqual({ commits: 2, files: 2, foreign: [], head });
});

test('refs that an agent moved are put back and named, and nothing that it did is lost', async () => {
  git('branch', 'precious');
  git('branch', 'rewound');
  git('tag', 'v1');
  const { state, path, branch } = await begin('t2');
  const [main, precious] = [git('rev-parse', 'main'), git('rev-parse', 'precious')];
  const made = commit(path, { 'd.txt': 'd\n' });
  gitIn(path, 'update-ref', 'refs/heads/main', made);
  gitIn(path, 'branch', '-D', 'precious');
  gitIn(path, 'branch', '--force', 'rewound', 'main~2');
  gitIn(path, 'tag', '--force', 'v1', made);
  gitIn(path, 'branch', 'backup');
  const found = await worktrees.changes(state);
  expect(found.foreign.toSorted()).toEqual([
    'refs/heads/backup',
    'refs/heads/main',
    'refs/heads/precious',
    'refs/heads/rewound',
    'refs/tags/v1',
  ]);
  expect([git('rev-parse', 'main'), git('rev-parse', 'precious')]).toEqual([main, precious]);
  expect(git('rev-parse', branch)).toBe(made);
  expect(await worktrees.changes(state)).toEqual({ commits: 1, files: 1, foreign: [], head: made });
});

test('what it committed in the person’s own folder is put back and kept, and told by the variables it was started with', async () => {
  const { state, path } = await begin('t3');
  commit(path, { 'e.txt': 'e\n' });
  const main = git('rev-parse', 'main');
  write(join(repository, 'f.txt'), 'in the wrong folder\n');
  git('add', 'f.txt');
  const { execFileSync } = await import('node:child_process');
  const env = { ...desk.env, ...agentVariables('t3a1') };
  execFileSync('git', ['commit', '--quiet', '-m', 'wrong'], { cwd: repository, env });
  const wrong = git('rev-parse', 'main');
  expect((await worktrees.changes(state)).foreign).toEqual(['refs/heads/main']);
  expect(git('rev-parse', 'main')).toBe(main);
  expect(git('rev-parse', 'refs/planwright/rescue/t3/1')).toBe(wrong);
  git('reset', '--quiet', '--hard');
});

test('what it committed on a branch that it had checked out is put back and kept', async () => {
  git('branch', 'aside');
  const { state, path } = await begin('t7');
  gitIn(path, 'checkout', '--quiet', 'aside');
  const made = commit(path, { 'j.txt': 'j\n' });
  gitIn(path, 'checkout', '--quiet', state.worktree.branch);
  expect((await worktrees.changes(state)).foreign).toEqual(['refs/heads/aside']);
  expect(git('rev-parse', 'refs/planwright/rescue/t7/1')).toBe(made);
});

test('what the person does meanwhile, and other tasks, is nobody’s to put back', async () => {
  const { state, path } = await begin('t4');
  commit(path, { 'g.txt': 'g\n' });
  const other = await begin('t5');
  commit(other.path, { 'h.txt': 'h\n' });
  const mine = commit(repository, { 'mine.txt': 'mine\n' });
  git('branch', 'mine-too');
  git('tag', 'v2');
  expect((await worktrees.changes(state)).foreign).toEqual([]);
  expect(git('rev-parse', 'main')).toBe(mine);
  expect((await worktrees.changes(other.state)).foreign).toEqual([]);
});

test('another task’s branch is not an agent’s to move: it is put back to what that task made of it', async () => {
  const idle = await begin('u1');
  const kept = commit(idle.path, { 'u1.txt': 'reviewed\n' });
  const { state, path } = await begin('u2');
  const busy = await begin('u3');
  const work = commit(busy.path, { 'u3.txt': 'at it\n' });
  const taken = await begin('u5');
  commit(taken.path, { 'u5.txt': 'taken over by another one\n' });
  for (const { branch } of [busy, taken]) gitIn(path, 'merge', '--quiet', '--no-edit', branch);
  const made = commit(path, { 'u2.txt': 'planted\n' });
  for (const { branch } of [idle, busy]) gitIn(path, 'update-ref', `refs/heads/${branch}`, made);
  gitIn(path, 'update-ref', 'refs/heads/task/u4/plan', made);
  // It may say that it works on the branch of another one.
  gitIn(path, 'symbolic-ref', 'HEAD', `refs/heads/${idle.branch}`);
  commit(path, { 'u2.txt': 'more\n' });
  const { foreign } = await worktrees.changes(state);
  expect(foreign.toSorted()).toEqual([
    `refs/heads/${idle.branch}`,
    `refs/heads/${busy.branch}`,
    'refs/heads/task/u4/plan',
  ]);
  expect([git('rev-parse', idle.branch), git('rev-parse', busy.branch)]).toEqual([kept, work]);
  expect(git('branch', '--list', 'task/u4/plan')).toBe('');
});

test('what an agent left is committed on its branch, what is ignored not, and nothing twice', async () => {
  const { state, path, branch } = await begin('t6');
  const left = (message: string) => commitLeft(state, message, { env: desk.env });
  expect(await left('nothing')).toBeNull();
  write(join(path, '.gitignore'), 'out\n');
  write(join(path, 'out'), 'ignored');
  write(join(path, 'i.txt'), 'i\n');
  const made = await left('what it left\n\nmore about it');
  expect(git('rev-parse', branch)).toBe(made);
  expect(git('log', '-1', '--format=%an: %B', branch)).toBe('Ada: what it left\n\nmore about it');
  expect(git('show', '--name-only', '--format=', branch).split('\n')).toEqual(['.gitignore', 'i.txt']);
  expect([await left('again'), gitIn(path, 'status', '--porcelain'), read(join(path, 'out'))]).toEqual([
    null,
    '',
    'ignored',
  ]);
});

test('what an agent leaves is committed on the task’s branch, or not at all', async () => {
  const { state, path, branch } = await begin('left');
  const before = [git('rev-parse', 'main'), git('rev-parse', branch)];
  write(join(path, 'left.txt'), 'left\n');
  gitIn(path, 'symbolic-ref', 'HEAD', 'refs/heads/main');
  await expect(commitLeft(state, 'on the base', desk)).rejects.toMatchObject({ code: 'elsewhere' });
  expect([git('rev-parse', 'main'), git('rev-parse', branch)]).toEqual(before);
  gitIn(path, 'symbolic-ref', 'HEAD', `refs/heads/${branch}`);
  expect(await commitLeft(state, 'on the branch', desk)).toBe(git('rev-parse', branch));
});
