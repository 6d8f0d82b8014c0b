import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { blobOf, commitOf, treeObject } from './objects.ts';
import { openCheckpoints } from './open.ts';
import { ensureRepository } from './repository.ts';
import { smallPack } from './small-pack.ts';
import type { Checkpoint } from './types.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'planwright-pack-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const lengths = [0, 1, 15, 16, 17, 2_047, 2_048, 2_049, 40_000, 262_143, 262_144];

test('a pack and its index are those that git would have made, to the byte', async () => {
  const folder = newFolder();
  const gitDir = await ensureRepository(join(folder, 'data'));
  const git = (...args: string[]) => execFileSync('git', ['--git-dir', gitDir, ...args]);
  const blobs = lengths.map((length) => blobOf(Buffer.alloc(length, 'abc')));
  const tree = treeObject([
    { mode: '100644', name: 'a', oid: blobs[0]!.oid },
    { mode: '100755', name: 'b', oid: blobs.at(-1)!.oid },
  ]);
  const commit = commitOf(tree.oid, 'said', 1_700_000_000_000);
  const { name, pack, index } = smallPack([...blobs, tree, commit]);
  const file = join(folder, `${name}.pack`);
  writeFileSync(file, pack);
  git('index-pack', '--strict', '-o', join(folder, 'theirs.idx'), file);
  expect(index.equals(readFileSync(join(folder, 'theirs.idx')))).toBe(true);
  writeFileSync(join(gitDir, 'objects/pack', `${name}.pack`), pack);
  writeFileSync(join(gitDir, 'objects/pack', `${name}.idx`), index);
  git('fsck', '--full', '--strict');
  for (const blob of blobs) expect(git('cat-file', 'blob', blob.oid).equals(blob.content)).toBe(true);
  expect(git('cat-file', '-p', commit.oid).toString()).toContain(`tree ${tree.oid}`);
});

test('a checkpoint of what a step changed makes no folder, and is what it was when all is packed together', async () => {
  const folder = newFolder();
  const workspace = join(folder, 'work');
  mkdirSync(join(workspace, 'sub'), { recursive: true });
  writeFileSync(join(workspace, 'a'), 'a');
  const checkpoints = await openCheckpoints({ dir: join(folder, 'data'), workspace, trustAfterMs: 0 });
  onTestFinished(() => checkpoints.close());
  await checkpoints.take('first');
  const [key = ''] = readdirSync(join(folder, 'data'));
  const store = join(folder, 'data', key, 'repo/objects');
  const folders = readdirSync(store);
  const taken: Checkpoint[] = [];
  for (const n of [1, 2, 3]) {
    writeFileSync(join(workspace, 'sub', `f${n}`), `${n}`);
    taken.push(await checkpoints.take(`${n}`));
  }
  expect(readdirSync(store)).toEqual(folders);
  expect(readdirSync(join(store, 'pack')).filter((name) => name.endsWith('.idx'))).toHaveLength(4);
  const all = async () => ({
    changes: await checkpoints.changes(taken[0]!, taken[2]!),
    text: await checkpoints.diff(taken[1]!, taken[2]!),
  });
  const before = await all();
  expect(before.changes.map(({ path }) => path)).toEqual(['sub/f2', 'sub/f3']);
  expect(await checkpoints.prune(taken.map(({ id }) => id))).toBe(1);
  expect(readdirSync(join(store, 'pack')).filter((name) => name.endsWith('.idx'))).toHaveLength(1);
  expect(await all()).toEqual(before);
});
