import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRealPaths } from './real-paths.ts';

describe('real paths', () => {
  let root = '';
  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'planwright-real-')));
    mkdirSync(join(root, 'a/b'), { recursive: true });
    writeFileSync(join(root, 'a/b/file'), '');
    symlinkSync('a/b', join(root, 'link'));
    symlinkSync(join(root, 'link'), join(root, 'chain'));
    symlinkSync('gone/x', join(root, 'dangling'));
    symlinkSync('loop', join(root, 'loop'));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it.each([
    ['link/file', false, 'a/b/file', 'file'],
    ['chain/../b/./file', false, 'a/b/file', 'file'],
    ['link', false, 'link', 'link'],
    ['link', true, 'a/b', 'folder'],
    ['link/', false, 'a/b', 'folder'],
    ['link/.', false, 'a/b', 'folder'],
    ['link/..', false, 'a', 'folder'],
    ['dangling', true, 'gone/x', 'missing'],
    ['link/none/deeper', false, 'a/b/none/deeper', 'missing'],
    ['a/b/file/x', false, 'a/b/file/x', 'missing'],
    ['loop/x', false, 'loop/x', 'missing'],
  ])('%s (follow: %s) is %s', (path, follow, real, kind) => {
    expect(createRealPaths().find(`${root}/${path}`, follow)).toMatchObject({ path: join(root, real), kind });
  });

  it('says where a link leads that is meant itself', () => {
    expect(createRealPaths().find(`${root}/chain`, false).leadsTo).toBe(join(root, 'a/b'));
  });

  it('agrees with the system on every path that is there', () => {
    for (const path of ['link/file', 'chain/../../chain/file', 'a/../link/..', '../', '/'])
      expect(createRealPaths().find(`${root}/${path}`, true).path).toBe(
        realpathSync.native(`${root}/${path}`),
      );
  });
});
