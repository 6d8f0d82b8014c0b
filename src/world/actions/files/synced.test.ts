import { mkdirSync, mkdtempSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SimpleAction } from '../../../core/contract/index.ts';
import { parseAction } from '../../../core/plan/index.ts';
import { perform, stepOf, testPerformer } from '../testing.ts';

/**
 * Only a power failure shows that a file was not synced, so what is synced is counted: each `fsync` by the name that
 * its file had at that moment.
 */
let workspace: string;
let synced: string[];
beforeEach(async () => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'pw-synced-')));
  synced = [];
  const any = await open(workspace);
  const handles = Object.getPrototypeOf(any) as FileHandle;
  await any.close();
  const { sync } = handles;
  vi.spyOn(handles, 'sync').mockImplementation(function (this: FileHandle) {
    const path = readlinkSync(`/proc/self/fd/${this.fd}`);
    const name = path === workspace ? '.' : path.startsWith(`${workspace}/`) ? basename(path) : '';
    if (name !== '') synced.push(name.startsWith('.planwright') ? 'temporary' : name);
    return sync.call(this);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(workspace, { recursive: true, force: true });
});

async function act(line: string): Promise<string[]> {
  const parsed = parseAction(line);
  if (!parsed.ok) throw new Error(line);
  const step = stepOf(parsed.action as SimpleAction);
  const result = await perform({ performer: testPerformer(), step, workspace });
  expect(result.why).toBeUndefined();
  return synced;
}

test.each([
  ['WRITE_FILE new "content"'],
  ['WRITE_FILE old "content"'],
  ['APPEND_FILE old "more"'],
  ['EDIT_FILE old "was" "is"'],
  ['COPY_PATH old copy'],
])('%s: the content is on the disk before the name is, and then the name', async (line) => {
  writeFileSync(join(workspace, 'old'), 'was');
  expect(await act(line)).toEqual(['temporary', '.']);
});

test.each([['CREATE_DIR made'], ['DELETE_PATH old'], ['MOVE_PATH old other']])(
  '%s: the name is on the disk',
  async (line) => {
    writeFileSync(join(workspace, 'old'), 'was');
    expect((await act(line)).at(-1)).toBe('.');
  },
);

test('a copied folder: every file of it, and every folder', async () => {
  mkdirSync(join(workspace, 'tree/sub'), { recursive: true });
  writeFileSync(join(workspace, 'tree/a'), 'a');
  writeFileSync(join(workspace, 'tree/sub/b'), 'b');
  const names = await act('COPY_PATH tree copy');
  expect(names).toEqual(expect.arrayContaining(['a', 'b', 'sub', '.']));
});
