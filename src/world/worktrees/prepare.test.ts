import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { begunRun, makeDesk, prepared, type RunOptions } from './testing.ts';

const signal = new AbortController().signal;
const atWork = new Set<string>();
let trusted = true;
const desk = makeDesk({ isAtWork: async (run) => atWork.has(run), isTrusted: async () => trusted });
const { repository, worktrees, git, gitIn, write, commit, read } = desk;
const begun = (options: Omit<RunOptions, 'path'>) => begunRun({ path: repository, ...options });
const next = (task: string, branch: string, run = `${task}a2`) =>
  begun({ task, run, mode: 'request_changes', repository: { branch } });

test('a new task has a worktree of its own, locked, on a branch of its own, and git does not see it', async () => {
  const found = await prepared(worktrees, begun({ task: 't1', mode: 'plan' }));
  expect(found).toMatchObject({
    path: join(repository, '.agent-worktrees/t1'),
    branch: 'task/t1/plan',
    base: git('rev-parse', 'main'),
    head: git('rev-parse', 'main'),
    isNew: true,
    rescued: null,
    warnings: [],
  });
  expect(gitIn(found.path, 'symbolic-ref', 'HEAD')).toBe('refs/heads/task/t1/plan');
  expect(git('worktree', 'list', '--porcelain')).toContain('locked planwright: agent run t1a1');
  expect(git('status', '--porcelain')).toBe('');
  await worktrees.release(found.state);
  expect(git('worktree', 'list', '--porcelain')).not.toContain('locked');
});

test('a later phase goes on in it; what nobody committed is kept under a ref, then cleaned away', async () => {
  const first = await prepared(worktrees, begun({ task: 't2' }));
  commit(first.path, { 'b.txt': 'by the agent\n', '.gitignore': 'out/\n' });
  await worktrees.release(first.state);
  write(join(first.path, 'b.txt'), 'staged\n');
  gitIn(first.path, 'add', 'b.txt');
  write(join(first.path, 'b.txt'), 'changed\n');
  write(join(first.path, 'new/c.txt'), 'untracked\n');
  write(join(first.path, 'out/built'), 'ignored\n');
  const second = await prepared(worktrees, next('t2', first.branch));
  expect(second).toMatchObject({
    isNew: false,
    branch: first.branch,
    rescued: 'refs/planwright/rescue/t2/1',
  });
  expect(git('show', 'refs/planwright/rescue/t2/1:b.txt')).toBe('changed');
  expect(git('show', 'refs/planwright/rescue/t2/1:new/c.txt')).toBe('untracked');
  expect(git('show', 'refs/planwright/rescue/t2/1^2:b.txt')).toBe('staged');
  expect(read(join(first.path, 'b.txt'))).toBe('by the agent\n');
  expect(existsSync(join(first.path, 'new'))).toBe(false);
  expect(existsSync(join(first.path, 'out/built'))).toBe(true);
  await worktrees.release(second.state);
  expect((await prepared(worktrees, next('t2', first.branch, 't2a3'))).rescued).toBeNull();
});

test('a file that has become a pipe or a socket hinders nobody: it is back, and what lay beside it is kept', async () => {
  const first = await prepared(worktrees, begunRun({ path: repository, task: 'pipes', run: 'pipes1' }));
  commit(first.path, { 'piped.txt': 'p\n', 'plugged/in.txt': 's\n' });
  await worktrees.release(first.state);
  for (const name of ['piped.txt', 'plugged/in.txt']) rmSync(join(first.path, name));
  execFileSync('mkfifo', [join(first.path, 'piped.txt')]);
  const server = createServer().listen(join(first.path, 'plugged/in.txt'));
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  write(join(first.path, 'beside.txt'), 'beside\n');
  const again = { run: 'pipes2', repository: { branch: first.branch } };
  const { rescued, path } = await prepared(
    worktrees,
    begunRun({ path: repository, task: 'pipes', ...again }),
  );
  expect(git('show', `${rescued}:beside.txt`)).toBe('beside');
  expect(git('ls-tree', '--name-only', '-r', rescued!)).not.toContain('piped.txt');
  expect([read(join(path, 'piped.txt')), read(join(path, 'plugged/in.txt'))]).toEqual(['p\n', 's\n']);
});

test('commits that no branch has are kept too, and an operation that was left in the middle is left', async () => {
  const first = await prepared(worktrees, begun({ task: 't3' }));
  const before = commit(first.path, { 'd.txt': 'd\n' });
  gitIn(first.path, 'checkout', '--quiet', '--detach');
  const lost = commit(first.path, { 'd.txt': 'on nothing\n' });
  gitIn(first.path, 'checkout', '--quiet', '-b', 'other', before);
  commit(first.path, { 'd.txt': 'otherwise\n' });
  gitIn(first.path, 'checkout', '--quiet', '--detach', lost);
  expect(() => gitIn(first.path, 'rebase', 'other')).toThrow('could not apply');
  write(join(repository, '.git/worktrees/t3/index.lock'), '');
  const second = await prepared(worktrees, next('t3', first.branch));
  expect(git('log', '--format=%H', second.rescued!)).not.toBe('');
  expect(gitIn(first.path, 'symbolic-ref', 'HEAD')).toBe(`refs/heads/${first.branch}`);
  expect(second.head).toBe(before);
  expect(gitIn(first.path, 'status', '--porcelain')).toBe('');
  expect(existsSync(join(repository, '.git/worktrees/t3/rebase-merge'))).toBe(false);
});

test('what a branch has is put on top of its base; a conflict is told and nothing is left of it', async () => {
  const clean = await prepared(worktrees, begun({ task: 't4' }));
  commit(clean.path, { 'e.txt': 'e\n' });
  const conflicting = await prepared(worktrees, begun({ task: 't5' }));
  const before = commit(conflicting.path, { 'a.txt': 'theirs\n' });
  const base = commit(repository, { 'a.txt': 'ours\n' });
  const ontop = await prepared(worktrees, next('t4', clean.branch));
  expect(gitIn(clean.path, 'rev-parse', 'HEAD^')).toBe(base);
  expect(ontop.warnings).toEqual([]);
  const stays = await prepared(worktrees, next('t5', conflicting.branch));
  expect(stays.warnings).toEqual([expect.stringContaining('conflicts in a.txt')]);
  expect(stays.head).toBe(before);
  expect(gitIn(conflicting.path, 'status', '--porcelain=2', '--branch')).not.toContain('u UU');
});

describe('somebody meddled', () => {
  test('with the folder: it was removed by hand, and is made again with what was committed', async () => {
    const first = await prepared(worktrees, begun({ task: 'm1' }));
    const head = commit(first.path, { 'f.txt': 'f\n' });
    rmSync(first.path, { recursive: true });
    const again = await prepared(worktrees, next('m1', first.branch));
    expect(again).toMatchObject({ path: first.path, isNew: true, head });
    expect(read(join(first.path, 'f.txt'))).toBe('f\n');
  });

  test('with whoever made it: it was killed at that, and stands in nobody’s way', async () => {
    const record = join(repository, '.git/worktrees/m8');
    write(join(record, 'gitdir'), `${repository}/.agent-worktrees/m8/.git\n`);
    write(join(record, 'locked'), 'initializing');
    write(join(record, 'commondir'), '');
    write(join(record, 'HEAD'), 'ref: refs/heads/task/m8/implement\n');
    expect((await prepared(worktrees, begun({ task: 'm9' }))).isNew).toBe(true);
    expect((await prepared(worktrees, begun({ task: 'm8' }))).isNew).toBe(true);
    expect(git('worktree', 'list')).toContain('[task/m8/implement]');
  });

  test('with the branch: it is gone, and begun again, which is told', async () => {
    const first = await prepared(worktrees, begun({ task: 'm2' }));
    await worktrees.release(first.state);
    git('worktree', 'remove', first.path);
    git('branch', '-D', first.branch);
    const again = await prepared(worktrees, next('m2', first.branch));
    expect(again.warnings).toEqual([`the branch ${first.branch} was gone: it was begun again`]);
  });

  test('with the place: a folder or a link that is no worktree is left alone', async () => {
    write(join(repository, '.agent-worktrees/m3/mine'), 'mine');
    expect(await worktrees.prepare(begun({ task: 'm3' }), signal)).toMatchObject({ code: 'folder-taken' });
    expect(read(join(repository, '.agent-worktrees/m3/mine'))).toBe('mine');
    symlinkSync(desk.folder, join(repository, '.agent-worktrees/m4'));
    expect(await worktrees.prepare(begun({ task: 'm4' }), signal)).toMatchObject({ code: 'folder-taken' });
  });

  test('with its .git: it names another task’s, which stays as it was', async () => {
    const [one, other] = [
      await prepared(worktrees, begun({ task: 'm5' })),
      await prepared(worktrees, begun({ task: 'm6' })),
    ];
    const kept = commit(other.path, { 'g.txt': 'g\n' });
    write(join(one.path, '.git'), `gitdir: ${repository}/.git/worktrees/m6\n`);
    const again = await prepared(worktrees, next('m5', one.branch));
    expect(gitIn(again.path, 'symbolic-ref', 'HEAD')).toBe(`refs/heads/${one.branch}`);
    expect(gitIn(other.path, 'rev-parse', 'HEAD')).toBe(kept);
    expect(read(join(repository, '.git/worktrees/m6/gitdir'))).toBe(`${other.path}/.git\n`);
  });

  test('with the whole repository: it was moved, and the worktree found again', async () => {
    const first = await prepared(worktrees, begun({ task: 'm7' }));
    const head = commit(first.path, { 'h.txt': 'h\n' });
    write(join(first.path, 'h.txt'), 'not committed\n');
    const elsewhere = join(desk.folder, 'elsewhere');
    renameSync(repository, elsewhere);
    try {
      const state = begunRun({
        path: elsewhere,
        task: 'm7',
        run: 'm7a2',
        repository: { branch: first.branch },
      });
      const again = await prepared(worktrees, state);
      expect(again).toMatchObject({ path: join(elsewhere, '.agent-worktrees/m7'), isNew: false, head });
      expect(gitIn(elsewhere, 'show', `${again.rescued}:h.txt`)).toBe('not committed');
    } finally {
      renameSync(elsewhere, repository);
    }
  });
});

test('a lock of a person, or of a run that is at work, is minded; one of a run that is over is taken over', async () => {
  const first = await prepared(worktrees, begun({ task: 'l1' }));
  atWork.add('l1a1');
  expect(await worktrees.prepare(next('l1', first.branch), signal)).toMatchObject({ code: 'in-use' });
  atWork.clear();
  const second = await prepared(worktrees, next('l1', first.branch));
  await worktrees.release(first.state);
  expect(git('worktree', 'list', '--porcelain')).toContain('locked planwright: agent run l1a2');
  await worktrees.release(second.state);
  git('worktree', 'lock', '--reason', 'on a stick', first.path);
  const refused = await worktrees.prepare(next('l1', first.branch, 'l1a3'), signal);
  expect(refused).toMatchObject({ code: 'locked', message: expect.stringContaining('on a stick') });
});

test('many at once have one each, and of two for the same one gets it', async () => {
  const tasks = Array.from({ length: 8 }, (_, n) => `p${n}`);
  const all = await Promise.all(tasks.map((task) => prepared(worktrees, begun({ task }))));
  expect(new Set(all.map(({ path }) => path)).size).toBe(8);
  expect(new Set(all.map(({ path }) => gitIn(path, 'symbolic-ref', 'HEAD'))).size).toBe(8);
  await worktrees.release(all[0]!.state);
  atWork.add('p0a2').add('p0a3');
  const two = await Promise.all(
    ['p0a2', 'p0a3'].map((run) => worktrees.prepare(next('p0', all[0]!.branch, run), signal)),
  );
  expect(two.filter(({ ok }) => ok)).toHaveLength(1);
});

test('without a repository, a commit, or its base branch nothing is made, and why is said', async () => {
  const empty = join(desk.folder, 'empty');
  write(join(empty, 'x'), '');
  const failing = async (path: string, change = {}) =>
    worktrees.prepare(begunRun({ path, task: 'n1', repository: change }), signal);
  expect(await failing(empty)).toMatchObject({ code: 'no-repository' });
  expect(await failing(join(desk.folder, 'nowhere'))).toMatchObject({ code: 'no-repository' });
  gitIn(empty, 'init', '--quiet', '-b', 'main');
  const { baseBranch: _, ...noBase } = { baseBranch: undefined };
  expect(
    await worktrees.prepare(begunRun({ path: empty, task: 'n1', repository: noBase }), signal),
  ).toMatchObject({
    ok: false,
  });
  expect(await failing(repository, { baseBranch: 'gone' })).toMatchObject({
    code: 'no-base',
    message: expect.stringContaining('the base branch gone is not here any more'),
  });
  expect(await worktrees.prepare(begun({ task: '../out' }), signal)).toMatchObject({ code: 'bad-name' });
  expect(existsSync(join(repository, '.agent-worktrees/n1'))).toBe(false);
});

test('the remote’s branch is the base; one that cannot be fetched is a warning, one that is gone another', async () => {
  const origin = join(desk.folder, 'origin.git');
  git('clone', '--quiet', '--bare', repository, origin);
  git('remote', 'add', 'origin', origin);
  const other = join(desk.folder, 'other');
  gitIn(desk.folder, 'clone', '--quiet', origin, other);
  const pushed = commit(other, { 'pushed.txt': 'by somebody\n' });
  gitIn(other, 'push', '--quiet', 'origin', 'main');
  const remote = { remote: 'origin' };
  expect(await prepared(worktrees, begun({ task: 'r1', repository: remote }))).toMatchObject({
    base: pushed,
    head: pushed,
    warnings: [],
  });
  renameSync(origin, `${origin}.away`);
  const offline = await prepared(worktrees, begun({ task: 'r2', repository: remote }));
  expect(offline).toMatchObject({
    base: pushed,
    warnings: [expect.stringContaining('origin could not be fetched')],
  });
  renameSync(`${origin}.away`, origin);
  gitIn(origin, 'update-ref', '-d', 'refs/heads/main');
  const gone = await prepared(worktrees, begun({ task: 'r3', repository: remote }));
  expect(gone).toMatchObject({
    base: git('rev-parse', 'main'),
    warnings: ['origin has no branch main: the one here is the base'],
  });
});

describe('what .worktreeinclude of the base names', () => {
  test('is copied, and nothing through a link, from above, or over what is there', async () => {
    write(join(desk.folder, 'outside/secret'), 'secret');
    symlinkSync('../outside', join(repository, 'linked'));
    commit(repository, {
      '.worktreeinclude': '# ours\n.env\n*.local\n!not.local\n../outside/*\nlinked/secret\nconf/**\n',
      '.gitignore': '.env\n*.local\nconf/x\nlink.local\n',
      'conf/tracked': 'tracked\n',
    });
    write(join(repository, '.env'), 'KEY=1\n');
    write(join(repository, 'deep/a.local'), 'a');
    write(join(repository, 'not.local'), 'not');
    write(join(repository, 'conf/x'), 'x');
    symlinkSync('../outside/secret', join(repository, 'link.local'));
    const { path, warnings } = await prepared(worktrees, begun({ task: 'i1' }));
    expect(read(join(path, '.env'))).toBe('KEY=1\n');
    expect(read(join(path, 'deep/a.local'))).toBe('a');
    expect(read(join(path, 'conf/x'))).toBe('x');
    expect([existsSync(join(path, 'not.local')), existsSync(join(path, 'link.local'))]).toEqual([
      false,
      false,
    ]);
    expect(warnings).toEqual(['not copied: link.local: it is no file']);
    expect(gitIn(path, 'status', '--porcelain')).toBe('');
  });

  test('is not copied where the base has a link in the way', async () => {
    rmSync(join(repository, 'conf'), { recursive: true });
    symlinkSync('../../../outside', join(repository, 'conf'));
    commit(repository, {});
    rmSync(join(repository, 'conf'));
    write(join(repository, 'conf/x'), 'x');
    git('rm', '--quiet', '--cached', 'conf');
    const { warnings } = await prepared(worktrees, begun({ task: 'i2' }));
    expect(warnings).toContainEqual(expect.stringMatching(/^not copied: conf\/x: .* is no folder$/));
    expect(existsSync(join(desk.folder, 'outside/x'))).toBe(false);
  });

  test('is not read in a project that nobody trusts', async () => {
    trusted = false;
    const { path } = await prepared(worktrees, begun({ task: 'i3' }));
    expect(existsSync(join(path, '.env'))).toBe(false);
  });
});

test('what was done in a merge is not lost by a rebase', async () => {
  const { repository, worktrees, commit, gitIn, write, read } = makeDesk();
  const begin = (run: string, branch: string | null) =>
    prepared(worktrees, begunRun({ path: repository, task: 'merges', run, repository: { branch } }));
  const first = await begin('merges-a1', null);
  commit(first.path, { 'mine.txt': 'mine\n' });
  commit(repository, { 'base.txt': 'base\n' });
  gitIn(first.path, 'merge', '--quiet', '--no-commit', '--no-ff', 'main');
  write(join(first.path, 'within.txt'), 'done in the merge\n');
  gitIn(first.path, 'add', '--all');
  gitIn(first.path, 'commit', '--quiet', '-m', 'merge');
  await worktrees.release(first.state);
  commit(repository, { 'later.txt': 'later\n' });
  const second = await begin('merges-a2', first.branch);
  expect(read(join(second.path, 'within.txt'))).toBe('done in the merge\n');
  expect(second.warnings).toEqual([expect.stringContaining('there are merges in it')]);
});
