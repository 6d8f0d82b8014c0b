import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { overriding } from './settings.ts';
import { begunRun, makeDesk, prepared, taskOf } from './testing.ts';

const desk = makeDesk();
const { repository, worktrees, git, gitIn, write, commit, read } = desk;
const signal = new AbortController().signal;
const trace = join(desk.folder, 'trace');
/** Notes that it ran, and does what a filter or a driver has to. */
const program = join(desk.folder, 'evil');
write(program, `#!/bin/sh\necho "$0 $*" >> ${trace}\ncat\n`);
chmodSync(program, 0o755);

const settings = [
  'core.fsmonitor',
  'core.sshCommand',
  'core.editor',
  'core.pager',
  'core.askPass',
  'core.alternateRefsCommand',
  'sequence.editor',
  'diff.external',
  'diff.x.command',
  'diff.x.textconv',
  'filter.x.clean',
  'filter.x.smudge',
  'filter.x.process',
  'filter.a=b.clean',
  'filter.a=b.smudge',
  'merge.x.driver',
  'gpg.program',
  'credential.helper',
  'remote.origin.uploadpack',
  'uploadpack.packObjectsHook',
];
const hooks =
  'post-checkout pre-rebase post-rewrite post-commit pre-commit prepare-commit-msg commit-msg post-merge pre-merge-commit reference-transaction post-index-change fsmonitor-watchman';

test('nothing that a repository’s configuration, attributes or hooks name is run, whatever is done', async () => {
  const origin = join(desk.folder, 'origin.git');
  git('clone', '--quiet', '--bare', repository, origin);
  git('remote', 'add', 'origin', origin);
  commit(repository, {
    '.gitattributes': '*.txt filter=x diff=x merge=x\n*.md filter=a=b\n*.w filter=w\n',
    'b.md': 'b\n',
    'c.w': 'c\n',
    'm.txt': '1\n2\n3\n4\n5\n',
  });
  git('push', '--quiet', 'origin', 'main');
  for (const key of settings) git('config', key, program);
  git('config', 'filter.x.required', 'true');
  git('config', 'extensions.worktreeConfig', 'true');
  git('config', '--worktree', 'filter.y.clean', program);
  git('config', 'commit.gpgSign', 'true');
  git('config', 'log.showSignature', 'true');
  for (const name of hooks.split(' ')) {
    write(join(repository, '.git/hooks', name), `#!/bin/sh\necho "hook ${name}" >> ${trace}\n`);
    chmodSync(join(repository, '.git/hooks', name), 0o755);
  }
  /** As if all of this had been configured afterwards. */
  const plain = [
    ...settings.filter((key) => !key.includes('=')).flatMap((key) => ['-c', `${key}=`]),
    ...['core.hooksPath=/dev/null', 'commit.gpgSign=false', 'filter.x.required=false'].flatMap((one) => [
      '-c',
      one,
    ]),
  ];
  const commitPlainly = (folder: string, name: string, text: string): void => {
    write(join(folder, name), text);
    gitIn(folder, ...plain, 'commit', '--quiet', '-am', 'x');
  };
  const run = (n: number, change: { remote: string | null; branch: string | null }) =>
    begunRun({ path: repository, task: 'evil', run: `evil-a${n}`, repository: change });
  const first = await prepared(worktrees, run(1, { remote: 'origin', branch: null }));
  expect(read(trace)).toBeNull();
  expect(first.warnings).toEqual([expect.stringContaining('filter.x.smudge')]);
  expect(read(join(first.path, 'a.txt'))).toBe('one\n');

  commitPlainly(first.path, 'm.txt', '1\n2\n3\n4\nagent\n');
  commitPlainly(repository, 'm.txt', 'person\n2\n3\n4\n5\n');
  const sub = join(first.path, 'sub');
  mkdirSync(sub);
  gitIn(sub, 'init', '--quiet');
  commit(sub, { 'f.txt': 'f\n', '.gitattributes': '*.txt filter=z\n' });
  gitIn(sub, 'config', 'filter.z.clean', program);
  gitIn(sub, 'config', 'core.fsmonitor', program);
  write(join(sub, 'f.txt'), 'g\n');
  write(join(first.path, '.gitmodules'), '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n');
  const link = `160000,${gitIn(sub, ...plain, 'rev-parse', 'HEAD')},sub`;
  gitIn(first.path, ...plain, 'update-index', '--add', '--cacheinfo', link);
  write(join(first.path, 'a.txt'), 'not committed\n');
  // In the configuration of the worktree alone, which whoever works in it can write.
  gitIn(first.path, ...plain, 'config', '--worktree', 'filter.w.clean', program);
  write(join(first.path, 'c.w'), 'not committed\n');
  rmSync(trace, { force: true });

  const second = await prepared(worktrees, run(2, { remote: null, branch: first.branch }));
  expect(second.rescued).not.toBeNull();
  // The driver is git's own merge of lines: both sides are there, not one of them.
  expect(read(join(second.path, 'm.txt'))).toBe('person\n2\n3\n4\nagent\n');
  expect(await worktrees.changes(second.state)).toMatchObject({ commits: 1, files: 1 });
  const task = taskOf(second.state, git('rev-parse', second.branch));
  const shown = await worktrees.diff(task);
  expect(shown?.files).toMatchObject([
    { path: 'm.txt', hunks: [{ lines: expect.arrayContaining(['+agent']) }] },
  ]);
  expect(await worktrees.merge(task, 'merge', signal)).toMatchObject({ ok: true });
  await worktrees.release(second.state);
  await worktrees.gc(task.phases[0]!.given.repository, [{ task: 'evil', branch: second.branch }]);
  expect(read(trace)).toBeNull();
});

test('a configuration of which nobody can tell what it would run is refused, and nothing of it is run', async () => {
  const other = makeDesk();
  const settled = async (task: string) =>
    other.worktrees.prepare(begunRun({ path: other.repository, task }), signal);
  other.commit(other.repository, { '.gitattributes': '*.txt filter=x\n', 'lost.bin': 'lost\n' });
  other.write(join(other.repository, '.git/more'), `[filter "x"]\n\tsmudge = ${program}\n`);
  // It holds in the worktree alone: what is listed beside it does not name the filter.
  other.git('config', 'includeIf.onbranch:task/**.path', 'more');
  expect(await settled('sometimes')).toMatchObject({ ok: false, code: 'unsafe-settings' });
  other.git('config', '--unset', 'includeIf.onbranch:task/**.path');

  const lost = other.git('rev-parse', 'HEAD:lost.bin');
  rmSync(join(other.repository, '.git/objects', lost.slice(0, 2), lost.slice(2)));
  other.git('config', 'extensions.partialClone', 'far');
  other.git('config', 'remote.far.url', join(other.folder, 'far.git'));
  other.git('config', 'remote.far.uploadpack', `${program} < /dev/null`);
  expect(await settled('partial')).toMatchObject({ ok: false, code: 'unsafe-settings' });
  expect(read(trace)).toBeNull();
});

test('what the person has said for themselves holds where the repository says otherwise', () => {
  const { config, dropped } = overriding([
    { scope: 'global', key: 'credential.helper', value: 'store' },
    { scope: 'global', key: 'filter.lfs.smudge', value: 'git-lfs smudge -- %f' },
    { scope: 'global', key: 'core.sshcommand', value: 'ssh -i mine' },
    { scope: 'local', key: 'credential.helper', value: '!evil' },
    { scope: 'local', key: 'core.sshcommand', value: 'evil' },
    { scope: 'worktree', key: 'merge.x.driver', value: 'evil' },
    { scope: 'command', key: 'core.pager', value: 'cat' },
    { scope: 'local', key: 'user.name', value: 'Ada' },
  ]);
  expect(dropped).toEqual(['credential.helper', 'core.sshcommand', 'merge.x.driver']);
  expect(config.slice(0, 4)).toEqual([
    ['credential.helper', ''],
    ['credential.helper', 'store'],
    ['core.sshcommand', 'ssh -i mine'],
    ['merge.x.driver', 'git merge-file --marker-size=%L %A %O %B'],
  ]);
});
