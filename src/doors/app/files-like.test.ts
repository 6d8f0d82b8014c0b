import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { filesLike } from './files-like.ts';

const workspace = mkdtempSync(join(tmpdir(), 'pw-like-'));
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

test('files and folders of the workspace that begin so, and nothing that a path or a link leads to outside', () => {
  mkdirSync(join(workspace, 'src/inner'), { recursive: true });
  mkdirSync(join(workspace, '.git'));
  for (const name of ['src/a.ts', 'src/ab.ts', 'set.md']) writeFileSync(join(workspace, name), '');
  symlinkSync('/etc', join(workspace, 'out'));
  expect(filesLike(workspace, 's').toSorted()).toEqual(['set.md', 'src/']);
  expect(filesLike(workspace, 'src/').toSorted()).toEqual(['src/a.ts', 'src/ab.ts', 'src/inner/']);
  expect(filesLike(workspace, 'src/a')).toHaveLength(2);
  expect(filesLike(workspace, '.g')).toEqual([]);
  for (const typed of ['out/', '../', '/etc/', 'src/../../', 'nothing/', '\0'])
    expect(filesLike(workspace, typed)).toEqual([]);
});
