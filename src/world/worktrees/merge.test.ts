import { join } from 'node:path';
import { expect, test } from 'vitest';
import { begunRun, makeDesk, prepared, taskOf } from './testing.ts';

const desk = makeDesk();
const { repository, worktrees, git, gitIn, write, commit, read } = desk;
const signal = new AbortController().signal;

/** A task whose branch has these files. */
async function made(task: string, files: Record<string, string>) {
  const { state, path, branch } = await prepared(worktrees, begunRun({ path: repository, task }));
  const seen = commit(path, files, `work of ${task}`);
  await worktrees.release(state);
  return { task: taskOf(state, seen), state, path, branch };
}

test('a merge brings the files along, and done twice it is done once', async () => {
  const { task, branch } = await made('m1', { 'm1.txt': 'm1\n' });
  const merged = await worktrees.merge(task, 'merge', signal);
  expect(merged).toMatchObject({ ok: true, commit: git('rev-parse', 'main'), conflicts: [] });
  expect(read(join(repository, 'm1.txt'))).toBe('m1\n');
  expect(git('rev-parse', 'main^2')).toBe(git('rev-parse', branch));
  expect(git('log', '-1', '--format=%an %s')).toBe(`Ada Merge ${branch} into main: Do m1`);
  expect(git('status', '--porcelain')).toBe('');
  commit(repository, { 'after.txt': 'after\n' });
  const head = git('rev-parse', 'main');
  expect(await worktrees.merge(task, 'merge', signal)).toMatchObject({ ok: true, commit: merged.commit });
  expect(git('rev-parse', 'main')).toBe(head);
  const diff = await worktrees.diff({ ...task, merged: { commit: merged.commit!, how: 'merge' } });
  expect(diff?.files.map(({ path }) => path)).toEqual(['m1.txt']);
});

test('a squash is one commit, and done twice it is done once', async () => {
  const { state, path } = await made('s1', { 's1.txt': 'one\n' });
  const task = taskOf(state, commit(path, { 's1.txt': 'two\n' }, 'more of s1'));
  const before = git('rev-parse', 'main');
  const squashed = await worktrees.merge(task, 'squash', signal);
  expect(git('rev-parse', 'main^')).toBe(before);
  expect(git('log', '-1', '--format=%s%n%b')).toContain('Do s1\n- work of s1\n- more of s1');
  expect(await worktrees.merge(task, 'squash', signal)).toMatchObject({ ok: true, commit: squashed.commit });
  expect(git('rev-parse', 'main')).toBe(squashed.commit);
  expect(read(join(repository, 's1.txt'))).toBe('two\n');
});

test('a conflict is told file by file, and nothing is half done', async () => {
  const { task } = await made('c1', { 'a.txt': 'theirs\n', 'b.txt': 'theirs\n', 'c.txt': 'alone\n' });
  commit(repository, { 'a.txt': 'ours\n', 'b.txt': 'ours\n' });
  const head = git('rev-parse', 'main');
  for (const how of ['merge', 'squash'] as const)
    expect(await worktrees.merge(task, how, signal)).toMatchObject({
      ok: false,
      code: 'conflict',
      conflicts: ['a.txt', 'b.txt'],
    });
  expect([git('rev-parse', 'main'), git('status', '--porcelain')]).toEqual([head, '']);
});

test('where the base is checked out with changes, or it is stopped in time, nothing is touched', async () => {
  const { task } = await made('d1', { 'd1.txt': 'd1\n' });
  const head = git('rev-parse', 'main');
  expect(await worktrees.merge(task, 'merge', AbortSignal.abort())).toMatchObject({
    ok: false,
    code: 'stopped',
  });
  expect(git('rev-parse', 'main')).toBe(head);
  write(join(repository, 'after.txt'), 'being written\n');
  const refused = await worktrees.merge(task, 'merge', signal);
  expect(refused).toMatchObject({ ok: false, code: 'dirty', message: expect.stringContaining('after.txt') });
  git('checkout', '--quiet', 'after.txt');
  write(join(repository, 'd1.txt'), 'mine, and in the way\n');
  expect(await worktrees.merge(task, 'merge', signal)).toMatchObject({ ok: false, code: 'refused' });
  expect([read(join(repository, 'd1.txt')), git('rev-parse', 'main')]).toEqual([
    'mine, and in the way\n',
    head,
  ]);
  git('clean', '-fdq');
});

test('where the base is not checked out no file is touched; during its rebase it is left alone', async () => {
  const { task } = await made('e1', { 'e1.txt': 'e1\n' });
  git('checkout', '--quiet', '-b', 'desk');
  write(join(repository, 'after.txt'), 'being written\n');
  expect(await worktrees.merge(task, 'squash', signal)).toMatchObject({ ok: true });
  expect(git('show', 'main:e1.txt')).toBe('e1');
  expect([read(join(repository, 'e1.txt')), read(join(repository, 'after.txt'))]).toEqual([
    null,
    'being written\n',
  ]);
  git('checkout', '--quiet', '--force', 'main');
  const { task: other } = await made('e2', { 'e2.txt': 'e2\n' });
  git('branch', 'upstream', 'main~1');
  gitIn(
    repository,
    '-c',
    'core.editor=:',
    '-c',
    'sequence.editor=sed -i 1s/^pick/edit/',
    'rebase',
    '-i',
    'upstream',
  );
  expect(await worktrees.merge(other, 'merge', signal)).toMatchObject({ ok: false, code: 'busy' });
  git('rebase', '--abort');
  expect(await worktrees.merge(other, 'merge', signal)).toMatchObject({ ok: true });
});

test('what was reviewed is merged: a branch that has moved since needs another review', async () => {
  const { task, state, path, branch } = await made('r1', { 'r1.txt': 'reviewed\n' });
  const more = commit(path, { 'r1.txt': 'nobody looked\n' });
  const head = git('rev-parse', 'main');
  for (const how of ['merge', 'squash'] as const)
    expect(await worktrees.merge(task, how, signal)).toMatchObject({
      code: 'moved-since',
      message: expect.stringContaining(more.slice(0, 12)),
    });
  expect(await worktrees.merge(taskOf(state, null), 'merge', signal)).toMatchObject({ code: 'not-reviewed' });
  expect(git('rev-parse', 'main')).toBe(head);
  expect(await worktrees.merge({ ...task, seen: more }, 'merge', signal)).toMatchObject({ ok: true });
  // Done before, it is done, whatever becomes of the branch.
  commit(path, { 'r1.txt': 'later\n' });
  expect(await worktrees.merge({ ...task, seen: more }, 'merge', signal)).toMatchObject({ ok: true });
  expect(git('rev-parse', `${branch}~1`)).toBe(more);
});

test('what is not there cannot be merged', async () => {
  const { task, branch, path } = await made('n1', { 'n1.txt': 'n1\n' });
  const phase = task.phases[0]!;
  const elsewhere = { ...phase.given.repository, baseBranch: 'gone' };
  const given = { ...phase.given, repository: elsewhere };
  expect(await worktrees.merge({ ...task, phases: [{ ...phase, given }] }, 'merge', signal)).toMatchObject({
    code: 'no-base',
  });
  git('worktree', 'remove', path);
  git('branch', '-D', branch);
  expect(await worktrees.merge(task, 'merge', signal)).toMatchObject({ code: 'no-branch' });
  expect(await worktrees.merge({ ...task, branch: null }, 'merge', signal)).toMatchObject({
    code: 'no-branch',
  });
});

test('only what is merged, clean and unlocked is removed, and branches stay', async () => {
  const kinds = ['g-merged', 'g-squashed', 'g-open', 'g-dirty', 'g-locked'];
  const all = new Map<string, Awaited<ReturnType<typeof made>>>();
  for (const name of kinds) all.set(name, await made(name, { [`${name}.txt`]: name }));
  for (const name of kinds.filter((one) => one !== 'g-open'))
    await worktrees.merge(all.get(name)!.task, name === 'g-squashed' ? 'squash' : 'merge', signal);
  write(join(all.get('g-dirty')!.path, 'untracked'), 'untracked');
  await prepared(worktrees, { ...all.get('g-locked')!.state, worktree: null });
  const through = [...all].map(([task, { branch }]) => ({ task, branch }));
  const given = all.get('g-open')!.task.phases[0]!.given.repository;
  const { removed, kept } = await worktrees.gc(given, [
    ...through,
    { task: 'never', branch: 'task/never/plan' },
  ]);
  expect(removed.map(({ task }) => task)).toEqual(['g-merged', 'g-squashed']);
  expect(removed.every(({ bytes }) => bytes > 0)).toBe(true);
  expect(kept.map(({ task, why }) => `${task}: ${why}`)).toEqual([
    'g-open: its branch is not merged',
    'g-dirty: it has changes that are not committed: untracked',
    'g-locked: it is locked',
  ]);
  expect(git('branch', '--list', 'task/g-*').split('\n')).toHaveLength(5);
  expect(await worktrees.diskUse(all.get('g-open')!.task)).toBeGreaterThan(0);
});

test('what the person has and git ignores is not written over by a branch that has it by force', async () => {
  const { task, path } = await made('i1', { 'i1.txt': 'i1\n' });
  commit(repository, { '.gitignore': '.env\n' });
  write(join(repository, '.env'), 'the person’s\n');
  write(join(path, '.env'), 'the agent’s\n');
  gitIn(path, 'add', '--force', '.env');
  gitIn(path, 'commit', '--quiet', '-m', 'with what is ignored');
  const seen = gitIn(path, 'rev-parse', 'HEAD');
  const before = git('rev-parse', 'main');
  for (const how of ['merge', 'squash'] as const)
    expect(await worktrees.merge({ ...task, seen }, how, signal)).toMatchObject({
      ok: false,
      code: 'refused',
      message: expect.stringContaining('.env'),
    });
  expect([read(join(repository, '.env')), git('rev-parse', 'main')]).toEqual(['the person’s\n', before]);
});

test('what an agent writes into its messages makes no other task merged', async () => {
  const precious = await made('p1', { 'p1.txt': 'p1\n' });
  const claim = `Planwright-Task: p1 ${git('rev-parse', precious.branch)}`;
  for (const [name, how] of [
    ['liar1', 'merge'],
    ['liar2', 'squash'],
  ] as const) {
    const { task, path } = await made(name, { [`${name}.txt`]: 'x\n' });
    commit(path, { [`${name}.txt`]: 'y\n' }, claim);
    const seen = commit(path, { [`${name}.txt`]: 'z\n' }, `More\n\n${claim}`);
    expect(await worktrees.merge({ ...task, seen }, how, signal)).toMatchObject({ ok: true });
  }
  expect(await worktrees.merge(precious.task, 'merge', signal)).toMatchObject({ ok: true });
  expect(read(join(repository, 'p1.txt'))).toBe('p1\n');
});

test('a branch with files in the folder of worktrees is not merged: they would lie in those of other tasks', async () => {
  const other = await made('o1', { 'o1.txt': 'o1\n' });
  const { task, path } = await made('w1', { 'w1.txt': 'w1\n' });
  write(join(path, '.agent-worktrees/o1/planted.txt'), 'planted\n');
  gitIn(path, 'add', '--force', '.agent-worktrees');
  gitIn(path, 'commit', '--quiet', '-m', 'for another one');
  const seen = gitIn(path, 'rev-parse', 'HEAD');
  expect(await worktrees.merge({ ...task, seen }, 'merge', signal)).toMatchObject({ code: 'in-the-way' });
  expect(read(join(other.path, 'planted.txt'))).toBeNull();
});
