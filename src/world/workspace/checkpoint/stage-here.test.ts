import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { indexByStats } from './index-stats.ts';
import { writeObjects } from './objects.ts';
import { ensureRepository } from './repository.ts';
import { stageHere } from './stage-here.ts';

/** A workspace below the top of a repository, and a private one that covers it. */
async function covered(prefix = '') {
  const folder = mkdtempSync(join(tmpdir(), 'pw-stage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const top = join(folder, 'top');
  const workspace = join(top, prefix);
  mkdirSync(join(workspace, 'deep/er'), { recursive: true });
  const at = (name: string) => join(workspace, name);
  for (const name of ['a', 'a-b', 'deep/b', 'deep/er/ü', 'deep-er', 'z'])
    writeFileSync(at(name), `${name}\n`);
  symlinkSync('a', at('link'));
  const gitDir = await ensureRepository(join(folder, 'data'));
  const git = (args: string[], input = '') =>
    execFileSync('git', args, {
      cwd: top,
      input,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { PATH: process.env['PATH'], GIT_DIR: gitDir, GIT_WORK_TREE: top, GIT_CONFIG_NOSYSTEM: '1' },
    });
  git(['add', '-A']);
  const treeByGit = () => git(['write-tree', ...(prefix === '' ? [] : [`--prefix=${prefix}`])]).trim();
  const place = { gitDir, top, workspace, prefix, exclude: null, userIndex: null };
  const before = treeByGit();
  const staged = async (add: string[], gone: string[] = []) => {
    const found = new Map(add.map((name) => [name, lstatSync(at(name))]));
    const here = stageHere(place, before, { add: found, gone: new Set(gone) }, () => {});
    if (here === null) return null;
    await writeObjects(gitDir, here.objects);
    here.adopt();
    const { tree, unreadable } = here;
    return { tree, unreadable };
  };
  return { at, before, git, gitDir, place, staged, top, treeByGit };
}

describe('what is put into a small index without git', () => {
  test.each<[string, (at: (name: string) => string) => { add: string[]; gone?: string[] }]>([
    [
      'a file that changed, and a new one in a new folder',
      (at) => {
        writeFileSync(at('a'), 'another');
        mkdirSync(at('new/földer'), { recursive: true });
        writeFileSync(at('new/földer/file'), '');
        return { add: ['a', 'new/földer/file'] };
      },
    ],
    [
      'one that may be executed, and a link to elsewhere',
      (at) => {
        chmodSync(at('deep/b'), 0o755);
        rmSync(at('link'));
        symlinkSync('deep/er', at('link'));
        return { add: ['deep/b', 'link'] };
      },
    ],
    [
      'a file where a folder was, and a folder where a file was',
      (at) => {
        renameSync(at('deep/er'), at('moved'));
        writeFileSync(at('deep/er'), '');
        rmSync(at('a'));
        renameSync(at('moved'), at('a'));
        return { add: ['deep/er', 'a/ü'], gone: ['deep/er/ü', 'a'] };
      },
    ],
    [
      'nothing but what is gone, and its folders with it',
      (at) => {
        rmSync(at('deep'), { recursive: true });
        return { add: [], gone: ['deep/b', 'deep/er/ü'] };
      },
    ],
  ])('is what git would have put there: %s', async (_, change) => {
    for (const prefix of ['', 'in/side/']) {
      const { at, git, gitDir, staged, treeByGit } = await covered(prefix);
      const { add, gone = [] } = change(at);
      const here = await staged(add, gone);
      expect(here).toMatchObject({ unreadable: [] });
      // Its trees are all there, and kept by the index alone.
      git(['repack', '-a', '-d', '-q']);
      git(['prune', '--expire=now']);
      expect(git(['ls-tree', '-r', '-z', here!.tree]).split('\0').length).toBeGreaterThan(3);
      const ours = readFileSync(join(gitDir, 'index'));
      expect(git(['diff-files', '--name-only'])).toBe('');
      expect(git(['fsck', '--strict', '--no-dangling', '--no-progress'])).toBe('');
      git(['read-tree', '--empty']);
      git(['add', '-A']);
      expect(treeByGit()).toBe(here!.tree);
      const byGit = git(['ls-files', '-s', '-z']);
      writeFileSync(join(gitDir, 'index'), ours);
      expect(git(['ls-files', '-s', '-z'])).toBe(byGit);
    }
  });

  test('is as old as the moment before it was read: what changes afterwards is seen', async () => {
    const { at, gitDir, place, staged, treeByGit } = await covered();
    writeFileSync(at('a'), 'one');
    // The time of the content says nothing: it can be put back.
    writeFileSync(at('z'), 'one');
    utimesSync(at('z'), 1_000_000_000, 1_000_000_000);
    const began = Math.ceil(lstatSync(at('a')).ctimeMs) + 5;
    const clock = vi.spyOn(Date, 'now').mockReturnValue(began);
    const here = await staged(['a', 'z']).finally(() => clock.mockRestore());
    expect(here!.tree).toBe(treeByGit());
    expect(Math.round(lstatSync(join(gitDir, 'index')).mtimeMs)).toBe(began);
    expect(indexByStats(place)!.changed).toEqual(expect.arrayContaining(['a', 'z']));
  });

  test('what is the same after all leaves the tree as it was', async () => {
    const { at, before, staged } = await covered();
    copyFileSync(at('a'), at('copy'));
    renameSync(at('copy'), at('a'));
    expect(await staged(['a'])).toEqual({ tree: before, unreadable: [] });
  });

  test.each<[string, (at: (name: string) => string) => string[]]>([
    [
      'much',
      (at) => {
        writeFileSync(at('a'), Buffer.alloc(600_000));
        return ['a'];
      },
    ],
    [
      'many',
      (at) => {
        const names = Array.from({ length: 30 }, (_, n) => `n${n}`);
        for (const name of names) writeFileSync(at(name), '');
        return names;
      },
    ],
    ['a folder', () => ['deep']],
  ])('%s is for git', async (_, change) => {
    const { at, staged } = await covered();
    expect(await staged(change(at))).toBeNull();
  });
});
