import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { indexByStats } from './index-stats.ts';

/** A repository with a few files in its index, none of them young by the index's time. */
function covered(version = '4') {
  const top = mkdtempSync(join(tmpdir(), 'pw-index-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', top, '-c', 'core.trustctime=true', ...args], { encoding: 'utf8' });
  mkdirSync(join(top, 'deep/er'), { recursive: true });
  for (const name of ['a.txt', 'deep/b.txt', 'deep/er/ü c.txt']) writeFileSync(join(top, name), `${name}\n`);
  symlinkSync('a.txt', join(top, 'link'));
  git('init', '-q');
  git('add', '-A');
  git('update-index', '--index-version', version);
  const gitDir = join(top, '.git');
  const settle = () => {
    const later = Date.now() / 1000 + 60;
    utimesSync(join(gitDir, 'index'), later, later);
  };
  settle();
  return {
    top,
    gitDir,
    git,
    settle,
    at: (name: string) => join(top, name),
    changed: () => indexByStats({ gitDir, top })?.changed ?? null,
  };
}

describe('what a small index says of its files', () => {
  test.each(['2', '4'])('nothing, where nothing changed, whatever else is there: version %s', (version) => {
    const { at, changed } = covered(version);
    writeFileSync(at('new.txt'), '');
    expect(changed()).toEqual([]);
    appendFileSync(at('deep/er/ü c.txt'), 'x');
    expect(changed()).toEqual(['deep/er/ü c.txt']);
  });

  test.each<[string, (at: (name: string) => string) => void, string[]]>([
    ['another content', (at) => appendFileSync(at('a.txt'), 'x'), ['a.txt']],
    [
      'another content of the same length, its time put back',
      (at) => {
        const { atime, mtime } = statSync(at('a.txt'));
        writeFileSync(at('a.txt'), 'A.TXT\n');
        utimesSync(at('a.txt'), atime, mtime);
      },
      ['a.txt'],
    ],
    ['another mode', (at) => chmodSync(at('deep/b.txt'), 0o755), ['deep/b.txt']],
    ['a file that is gone', (at) => rmSync(at('deep/er/ü c.txt')), ['deep/er/ü c.txt']],
    [
      'a folder behind a link, its files untouched',
      (at) => {
        renameSync(at('deep'), at('moved'));
        symlinkSync('moved', at('deep'));
      },
      ['deep/b.txt', 'deep/er/ü c.txt'],
    ],
    [
      'a file where a folder was',
      (at) => {
        rmSync(at('deep/er'), { recursive: true });
        writeFileSync(at('deep/er'), '');
      },
      ['deep/er/ü c.txt'],
    ],
    [
      'a link to elsewhere',
      (at) => {
        rmSync(at('link'));
        symlinkSync('b.txt', at('link'));
      },
      ['link'],
    ],
  ])('%s', (_, change, expected) => {
    const { at, changed, git } = covered(expected.length > 1 ? '2' : '4');
    change(at);
    expect(changed()).toEqual(expected);
    // Git, which compares seconds, sees no more.
    const seen = git('diff-files', '--name-only', '-z').split('\0').filter(Boolean);
    expect(expected).toEqual(expect.arrayContaining(seen));
  });

  test('a file that was as young as the index counts as changed', () => {
    const { gitDir, at, changed } = covered();
    const { atime, mtime } = lstatSync(at('a.txt'));
    utimesSync(join(gitDir, 'index'), atime, mtime);
    expect(changed()).toContain('a.txt');
  });

  test('a file that was as young as the index, and whose time was put back, counts as changed', () => {
    const { gitDir, at, changed, git } = covered();
    utimesSync(at('a.txt'), 1, 1);
    git('add', 'a.txt');
    const changedAt = lstatSync(at('a.txt')).ctimeMs / 1000;
    utimesSync(join(gitDir, 'index'), changedAt, changedAt + 0.005);
    expect(changed()).toContain('a.txt');
    utimesSync(join(gitDir, 'index'), changedAt, changedAt + 60);
    expect(changed()).toEqual([]);
  });

  test.each<[string, (git: (...args: string[]) => string) => void]>([
    ['with marks of its own', (git) => void git('update-index', '--assume-unchanged', 'a.txt')],
    ['of two parts', (git) => void git('update-index', '--split-index')],
    ['that is none', (git) => void git('read-tree', '--empty')],
  ])('an index %s is for git', (name, change) => {
    const { git, gitDir, changed, settle } = covered();
    change(git);
    if (name === 'that is none')
      writeFileSync(join(gitDir, 'index'), 'no index at all, but something else\n');
    settle();
    expect(changed()).toBeNull();
  });
});
