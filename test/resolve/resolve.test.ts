import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveAndJudge } from '../../src/world/actions/resolve/index.ts';
import { makeWorld } from './place.ts';

const sentence = (verdict: { reasons: { rule: string; sentence: string }[] }): string =>
  verdict.reasons.find(({ rule }) => rule === 'resolved-paths')?.sentence ?? '';

describe('variables', () => {
  it.each([
    ['rm -rf $DIR', { DIR: '/' }],
    ['rm -rf "${DIR}"', { DIR: '/' }],
    ['rm -rf "$DIR"/*', { DIR: '' }],
    ['rm -rf $NOT_SET/', {}],
    ['rm -rf $DIR', { DIR: 'build /etc' }],
    ["bash -c 'rm -rf $DIR'", { DIR: '/' }],
    ['bash <<END\nrm -rf $DIR\nEND', { DIR: '/' }],
    ['sudo rm -rf $DIR', { DIR: '/usr/../' }],
    ['$DO', { DO: 'rm -rf /' }],
    ['A=$DIR; rm -rf $A', { DIR: '/' }],
    ['for d in x "$DIR"; do rm -rf $d; done', { DIR: '/' }],
    ['echo $(rm -rf $DIR)', { DIR: '/' }],
    ['make || rm -rf $DIR', { DIR: '/' }],
    ['clean() { rm -rf $DIR; }; clean', { DIR: '/' }],
    ['rm -rf ${DIR:-/}', {}],
    ['cd $DIR && chmod -R 777 .', { DIR: '/' }],
    ['echo x > $STORE/journal.db', { STORE: '~store' }],
  ])('%s with %j is blocked', async (command, env: Record<string, string>) => {
    const world = makeWorld();
    for (const [name, value] of Object.entries(env))
      world.place.session.env[name] = value.replace('~store', world.place.storeDir);
    expect((await world.judge(command)).level).toBe('blocked');
  });

  it.each([
    ['DIR=/ ; DIR=build; rm -rf $DIR', './build'],
    ['DIR=/ rm -rf $DIR', './build'],
    ["rm -rf '$DIR'", './$DIR'],
    ['rm -rf \\$DIR', './$DIR'],
    ['unset DIR; rm -rf x$DIR', './x'],
    ['export DIR=out; rm -rf $DIR', './out'],
    ['(DIR=x); rm -rf $DIR', './build'],
    ['true && DIR=a || DIR=x; rm -rf $DIR', './a'],
  ])('%s touches %s', async (command, path) => {
    const world = makeWorld({ DIR: 'build' });
    const verdict = await world.judge(command);
    expect(verdict.level).toBe('dangerous');
    expect(await world.paths(command)).toEqual([path]);
  });

  it.each([
    'read DIR; rm -rf $DIR',
    'source ./env; rm -rf $DIR',
    'eval "$X"; rm -rf $DIR',
    'if make; then DIR=x; fi; rm -rf $DIR',
    'while read -r DIR; do rm -rf $DIR; done',
    'rm -rf $RANDOM $1 $(date)',
    'set -u; rm -rf $NOT_SET',
    '((DIR=1)); rm -rf $DIR',
    'IFS=:; rm -rf $DIR',
    'set -f; rm -rf $DIR*',
  ])('leaves unresolved what is only known when it runs: %s', async (command) => {
    const world = makeWorld({ DIR: 'build' });
    expect((await world.judge(command)).level).toBe('dangerous');
    expect((await world.paths(command)).filter((path) => path.startsWith('./build'))).toEqual([]);
  });

  it('a removed variable of the session is not there', async () => {
    const world = makeWorld({ DIR: null });
    world.place.baseEnv = { ...world.place.baseEnv, DIR: 'build' };
    expect((await world.judge('rm -rf $DIR/')).level).toBe('blocked');
  });
});

describe('patterns and ~', () => {
  it('match what bash matches, with blanks, letters of the world and dots', async () => {
    const world = makeWorld();
    world.files('a b.log', 'über.log', '日本.log', '.hidden.log', "it's.log", 'x.txt');
    expect(await world.paths('rm *.log')).toEqual(['./a b.log', "./it's.log", './über.log', './日本.log']);
    expect(await world.paths('rm .*.log')).toEqual(['./.hidden.log']);
    expect(await world.paths('rm [!a-z]*.log')).toEqual(['./über.log', './日本.log']);
    expect(await world.paths('rm "*.log"')).toEqual(['./*.log']);
    expect(await world.paths('rm *.none')).toEqual(['./*.none']);
    expect(await world.paths('rm {x,y}.txt')).toEqual(['./x.txt', './y.txt']);
    expect((await world.judge('ls *')).level).toBe('safe');
  });

  it('~ is home', async () => {
    const world = makeWorld();
    expect(await world.paths('rm -rf ~/old "~/not"')).toEqual(['./~/not', 'R/home/old']);
    expect((await world.judge('rm -rf ~')).level).toBe('blocked');
  });

  it('a pattern that matches a secret reads it', async () => {
    const world = makeWorld();
    world.files('conf/id_rsa', 'conf/a');
    expect((await world.judge('cat conf/*')).reasons.map(({ rule }) => rule)).toContain('secret-read');
  });
});

describe('links', () => {
  it('a removed link is the link, and one with a slash behind it is where it leads', async () => {
    const world = makeWorld();
    symlinkSync('/home', join(world.workspace, 'build'));
    const verdict = await world.judge('rm -rf build');
    expect(verdict.level).toBe('dangerous');
    expect(sentence(verdict)).toContain('build is a link to /home; the link itself is meant.');
    expect((await world.judge('rm -rf build/')).level).toBe('blocked');
    expect((await world.judge('cd build && rm -rf .')).level).toBe('blocked');
    expect((await world.judge('chmod -R 777 build')).level).toBe('blocked');
    expect((await world.judge('find build/ -delete')).level).toBe('blocked');
  });

  it('writing and reading go through links', async () => {
    const world = makeWorld();
    symlinkSync(join(world.home, '.bashrc'), join(world.workspace, 'notes'));
    symlinkSync(join(world.home, '.ssh'), join(world.workspace, 'keys'));
    symlinkSync(world.place.storeDir, join(world.workspace, 'data'));
    const rules = async (command: string): Promise<string[]> =>
      (await world.judge(command)).reasons.map(({ rule }) => rule);
    expect(await rules('echo x >> notes')).toContain('persistence');
    expect(await rules('cp a notes')).toContain('persistence');
    expect(await rules('cat keys/id_rsa')).toContain('secret-read');
    expect(await rules('touch data/x')).toContain('store-tampering');
  });

  it('dangling and circular ones end', async () => {
    const world = makeWorld();
    symlinkSync('/nowhere/at/all', join(world.workspace, 'dangling'));
    symlinkSync('b', join(world.workspace, 'a'));
    symlinkSync('a', join(world.workspace, 'b'));
    expect(await world.paths('echo x > dangling')).toEqual(['/nowhere/at/all']);
    expect(await world.paths('rm dangling')).toEqual(['./dangling', '/nowhere/at/all']);
    expect(await world.paths('rm -rf a/x b/')).toContain('./a/x');
  });

  it('spans point into the text as it was written', async () => {
    const world = makeWorld({ DIR: '/' });
    const command = 'echo "$DIR" && rm -rf $DIR';
    const reason = (await world.judge(command)).reasons.find(({ rule }) => rule === 'delete-vital');
    expect(command.slice(...(reason?.span ?? [0, 0]))).toBe('$DIR');
  });
});

describe('directories', () => {
  it('a folder that is not there may be made, or left out of account: both are looked at', async () => {
    const world = makeWorld();
    world.files('src/a');
    expect(await world.paths('cd out; rm -rf *')).toEqual(['./out/*', './src', './src/a']);
    expect(await world.paths('cd out && rm -rf *')).toEqual(['./out/*']);
    expect(await world.paths('cd out || exit 1; rm -rf *')).toEqual(['./out/*']);
    expect(await world.paths('set -e; cd out; rm -rf *')).toEqual(['./out/*']);
    expect(await world.paths('cd src; rm -rf *')).toEqual(['./src', './src/a']);
    expect(await world.paths('make && cd src; rm -rf a')).toEqual(['./src', 'a']);
    expect(await world.paths('(cd src); rm -rf x')).toEqual(['./src', './x']);
  });
});

describe('what is shown', () => {
  it('counts what lies below', async () => {
    const world = makeWorld();
    world.files('build/a', 'build/deep/b', 'build/deep/c');
    const counted = 'Would touch 3 files and 2 folders, 31 bytes, in build/.';
    for (const command of ['rm -rf build', 'chmod -R 755 build', 'mv build out', 'cp -r build out'])
      expect(sentence(await world.judge(command)), command).toBe(counted);
    expect(sentence(await world.judge("find . -name '[bc]' -type f -delete"))).toBe(
      'Would touch 2 files, 24 bytes, in ./.',
    );
    expect(sentence(await world.judge('find . -newer build/a -delete'))).toMatch(
      /^Would touch at most 3 files/,
    );
    expect(sentence(await world.judge('rm -rf none'))).toBe(
      'Nothing is there now of what it would touch: none.',
    );
    expect(sentence(await world.judge('ls build'))).toBe('');
  });

  it('lists the same for the same world, and another list for another one', async () => {
    const world = makeWorld({ DIR: 'build' });
    world.files('build/a', 'build/deep/b', 'other/c');
    symlinkSync('build', join(world.workspace, 'link'));
    const commands = ['rm -rf $DIR', 'rm -rf link', 'rm -rf link/', 'cd link && rm -rf *'];
    const lists = async (): Promise<string[]> =>
      Promise.all(commands.map(async (command) => (await world.paths(command)).join()));
    const before = await lists();
    expect(await lists()).toEqual(before);
    world.files('build/deep/new');
    const grown = await lists();
    unlinkSync(join(world.workspace, 'build/deep/new'));
    unlinkSync(join(world.workspace, 'link'));
    symlinkSync('other', join(world.workspace, 'link'));
    const turned = await lists();
    world.place.session = { ...world.place.session, env: { DIR: 'other' } };
    const set = await lists();
    for (const [index, command] of commands.entries()) {
      if (command !== 'rm -rf link') expect(grown[index], command).not.toBe(before[index]);
      if (index > 0) expect(turned[index], command).not.toBe(before[index]);
    }
    expect(set[0]).not.toBe(before[0]);
  });
});

describe('file actions', () => {
  it('are judged where their paths really lead', async () => {
    const world = makeWorld();
    symlinkSync('/etc', join(world.workspace, 'conf'));
    const judge = (action: Parameters<typeof resolveAndJudge>[0]) => resolveAndJudge(action, world.place);
    expect(await judge({ kind: 'write-file', path: 'conf/x', content: '' })).toMatchObject({
      level: 'dangerous',
      paths: ['/etc/x'],
    });
    expect((await judge({ kind: 'delete-path', path: 'conf/' })).level).toBe('blocked');
    expect((await judge({ kind: 'write-file', path: 'x', content: '' })).level).toBe('caution');
    world.files('build/a');
    const deleted = await judge({ kind: 'delete-path', path: 'build' });
    expect(deleted.paths).toEqual([join(world.workspace, 'build'), join(world.workspace, 'build/a')]);
  });
});

it('runs nothing and opens no pipe', async () => {
  const world = makeWorld({ X: '$(canary)', CMD: 'canary' });
  const bin = join(world.root, 'bin');
  mkdirSync(bin);
  const trace = join(world.root, 'ran');
  for (const name of ['canary', 'rm', 'ls', 'find', 'cat', 'bash', 'sh']) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} >> ${trace}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  execFileSync('mkfifo', [join(world.workspace, 'pipe')]);
  const path = process.env['PATH'];
  process.env['PATH'] = `${bin}:${path}`;
  world.place.baseEnv = { ...world.place.baseEnv, PATH: `${bin}:${path}` };
  try {
    for (const command of [
      'canary',
      '$CMD',
      'eval "$X"',
      'echo $(canary) `canary` <(canary)',
      'rm -rf $(ls) *',
      'cat pipe < pipe > pipe',
      "find . -exec canary {} ';' -delete",
      'bash -c canary',
      'trap canary EXIT',
      'a[$(canary)]=1',
      'echo ${X@P}',
    ])
      await world.judge(command);
  } finally {
    process.env['PATH'] = path;
  }
  expect(existsSync(trace)).toBe(false);
  rmSync(join(world.workspace, 'pipe'));
});
