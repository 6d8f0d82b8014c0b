import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fetchFromClone, makeClone, removeClone } from './index.ts';
import { begunRun, makeDesk, prepared } from './testing.ts';

const desk = makeDesk();
const { repository, worktrees, git, gitIn, write, commit, read } = desk;
const where = { env: desk.env };

async function cloned(task: string) {
  const { branch, base, path: worktree } = await prepared(worktrees, begunRun({ path: repository, task }));
  const given = { project: repository, task, branch, base };
  return { ...given, given, worktree, path: await makeClone(given, where) };
}
const refs = (): string => git('for-each-ref', '--format=%(refname) %(objectname)');

test('an agent that cannot be gated works on objects of its own, and just its branch comes back', async () => {
  const { path, given, branch, worktree } = await cloned('c1');
  expect(read(join(path, 'a.txt'))).toBe('one\n');
  expect(gitIn(path, 'rev-parse', 'base')).toBe(given.base);
  const objects = git('count-objects', '-v');
  const made = commit(path, { 'b.txt': 'from the clone\n' });
  gitIn(path, 'update-ref', 'refs/heads/main', made);
  gitIn(path, 'tag', 'evil', made);
  expect(git('count-objects', '-v')).toBe(objects);
  const before = refs();
  expect(await fetchFromClone(given, where)).toBe(made);
  expect(refs()).toBe(before.replace(new RegExp(`(refs/heads/${branch}) \\w+`), `$1 ${made}`));
  expect(read(join(worktree, 'b.txt'))).toBe('from the clone\n');
  expect(await fetchFromClone(given, where)).toBe(made);
  removeClone(repository, 'c1');
  expect([read(join(path, 'a.txt')), git('fsck', '--strict')]).toEqual([null, '']);
});

test('nothing that the clone says about itself is run or believed', async () => {
  const { path, given } = await cloned('c2');
  const trace = join(desk.folder, 'trace');
  const made = commit(path, { 'c.txt': 'c\n' });
  write(join(path, '.git/hooks/reference-transaction'), `#!/bin/sh\ntouch ${trace}\n`);
  for (const key of [
    'core.fsmonitor',
    'uploadpack.packObjectsHook',
    'filter.x.smudge',
    'core.alternateRefsCommand',
  ])
    gitIn(path, 'config', key, `touch ${trace}`);
  gitIn(path, 'config', 'core.worktree', desk.folder);
  expect(await fetchFromClone(given, where)).toBe(made);
  expect(read(trace)).toBeNull();
});

test('a branch that was rewritten, a broken object or a foreign store is refused, and no branch moves', async () => {
  const { path, given } = await cloned('c3');
  const before = refs();
  gitIn(path, 'commit', '--quiet', '--amend', '-m', 'rewritten');
  const rewritten = gitIn(path, 'rev-parse', 'HEAD');
  await expect(fetchFromClone(given, where)).rejects.toMatchObject({ code: 'not-forward' });
  gitIn(path, 'reset', '--quiet', '--hard', given.base);
  const tree = gitIn(path, 'hash-object', '-t', 'tree', '-w', '--literally', '/dev/null');
  const broken = join(desk.folder, 'broken');
  write(broken, `tree ${tree}\nparent ${given.base}\nauthor nobody\ncommitter nobody\n\nbroken\n`);
  const commitId = gitIn(path, 'hash-object', '-t', 'commit', '-w', '--literally', broken);
  gitIn(path, 'update-ref', `refs/heads/${given.branch}`, commitId);
  await expect(fetchFromClone(given, where)).rejects.toMatchObject({ code: 'git-failed' });
  write(join(path, '.git/objects/info/alternates'), `${repository}/.git/objects\n/somewhere/else\n`);
  await expect(fetchFromClone(given, where)).rejects.toMatchObject({ code: 'changed' });
  // What it was rewritten to is kept.
  expect(refs()).toBe(`${before}\nrefs/planwright/rescue/c3/1 ${rewritten}`);
});
