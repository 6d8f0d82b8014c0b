import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../src/world/process/testing.ts';
import { describeSandbox, makePlace } from './testing.ts';

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', ...args], {
    cwd: folder,
    stdio: 'pipe',
  }).toString();

/** What git in this folder would obey. */
const whatRuns = (folder: string) => ({
  config: readFileSync(join(folder, '.git/config'), 'utf8'),
  hooks: readdirSync(join(folder, '.git/hooks')),
  elsewhere: existsSync(join(folder, '.git/commondir')),
});

/** Ways to a hook that runs when the person next uses git in `folder`. Each must fail. */
const plants = (folder: string): [string, string][] => [
  ['a hook', `mkdir -p ${folder}/.git/hooks; echo x > ${folder}/.git/hooks/pre-commit`],
  [
    'a hook by its folder’s name',
    `mv ${folder}/.git/hooks h; mkdir ${folder}/.git/hooks && touch ${folder}/.git/hooks/pre-commit`,
  ],
  ['configuration', `git -C ${folder} config core.fsmonitor x`],
  ['configuration by hand', `echo '[core] fsmonitor = x' >> ${folder}/.git/config`],
  [
    'another .git',
    `mv ${folder}/.git old; mkdir -p ${folder}/.git/hooks && touch ${folder}/.git/hooks/pre-commit`,
  ],
  ['no .git', `rm -rf ${folder}/.git/hooks ${folder}/.git/config; touch ${folder}/.git/hooks/pre-commit`],
  ['a .git file', `rm -rf ${folder}/.git; echo 'gitdir: evil' > ${folder}/.git`],
  [
    'another place for both',
    `mkdir -p evil/hooks; touch evil/hooks/pre-commit; echo ../evil > ${folder}/.git/commondir`,
  ],
];

describeSandbox('no hook can be planted', () => {
  describe('in a repository', () => {
    const { workspace, run } = makePlace();
    git(workspace, 'init', '-q');
    git(workspace, 'commit', '-q', '--allow-empty', '-m', 'first');
    test('while git itself works', async () => {
      const { exitCode, stderr } = await run(
        'echo a > a && git add a && git -c user.name=n -c user.email=e@x commit -qm second && git checkout -qb other && git gc -q',
      );
      expect([stderr, exitCode]).toEqual(['', 0]);
      expect(git(workspace, 'log', '--format=%s')).toBe('second\nfirst\n');
    });
  });

  // A repository each: what is no hook may be destroyed, and some of them do.
  describe.each(plants('.'))('in a repository: %s', (_, script) => {
    const { workspace, run } = makePlace();
    git(workspace, 'init', '-q');
    const before = whatRuns(workspace);

    test('is not planted', async () => {
      await run(`${script}; true`);
      expect(whatRuns(workspace)).toEqual(before);
    });
  });

  describe('in a folder that is no repository yet', () => {
    const { workspace, run, policy, write } = makePlace();

    test.each([...plants('.'), ['a new repository', 'git init -q .'] as const])('%s', async (_, script) => {
      const { exitCode } = await run(`${script} && exit 0; exit 1`);
      if (!script.includes('mv')) expect(exitCode).toBe(1);
      expect(existsSync(join(workspace, '.git'))).toBe(false);
      expect(existsSync(join(workspace, '.planwright'))).toBe(false);
    });

    test('as long as any of two commands runs', async () => {
      const done = join(workspace, 'go');
      const long = run(`touch up; until test -e ${done}; do sleep 0.02; done; mkdir -p .git/hooks`);
      await eventually(() => existsSync(join(workspace, 'up')), 'the first runs');
      await run('true');
      expect(existsSync(join(workspace, '.git'))).toBe(true);
      write('work/go');
      expect(await long).toMatchObject({ exitCode: 1 });
      expect(existsSync(join(workspace, '.git'))).toBe(false);
    });

    test('with the grant a repository can be made', async () => {
      expect(await run('git init -q .', { write: [join(policy().workspace, '.git')] })).toMatchObject({
        exitCode: 0,
      });
      expect(existsSync(join(workspace, '.git/config'))).toBe(true);
    });
  });

  describe.each([
    ...plants('nested'),
    ['another folder', 'mv nested old; mkdir -p nested/.git/hooks && touch nested/.git/hooks/pre-commit'],
  ])('in a repository that lies in the workspace: %s', (_, script) => {
    const { workspace, run } = makePlace();
    const nested = join(workspace, 'nested');
    mkdirSync(nested);
    git(nested, 'init', '-q');
    const before = whatRuns(nested);

    test('is not planted', async () => {
      await run(`${script}; true`);
      expect(whatRuns(nested)).toEqual(before);
    });
  });

  describe('among hooks that the configuration keeps in the working tree', () => {
    const { workspace, run, write } = makePlace();

    test('as husky does', async () => {
      git(workspace, 'init', '-q');
      git(workspace, 'config', 'core.hooksPath', '.husky/_');
      write('work/.husky/_/pre-commit', 'run it');
      write('work/.husky/pre-commit', 'npm test');
      expect((await run('echo x > .husky/pre-commit')).stderr).toContain('Read-only');
      expect((await run('mv .husky old')).stderr).toContain('busy');
    });
  });
});

describeSandbox('Planwright’s own configuration of a workspace', () => {
  const { workspace, run, write } = makePlace();

  test('cannot be made', async () => {
    expect((await run('mkdir -p .planwright/x')).stderr).toContain('Read-only');
    expect(existsSync(join(workspace, '.planwright'))).toBe(false);
  });

  test('can be read and not changed', async () => {
    write('work/.planwright/config.yaml', 'mode: planner');
    const { stdout, stderr } = await run('cat .planwright/config.yaml; echo x > .planwright/config.yaml');
    expect([stdout, stderr.includes('Read-only')]).toEqual(['mode: planner', true]);
  });
});
