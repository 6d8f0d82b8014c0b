import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openCheckpoints } from './open.ts';
import { replaceFile } from './replace.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'planwright-replace-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a file is replaced by another that is whole, and as old as it is said to be, without a new one each time', () => {
  const folder = newFolder();
  const name = join(folder, 'a');
  const inodes = ['first, long', 'second', 'third', 'x', 'fifth and longer'].map((text, n) => {
    replaceFile(name, Buffer.from(text), 1_000_000 + n * 1000);
    expect([readFileSync(name, 'utf8'), statSync(name).mtimeMs]).toEqual([text, 1_000_000 + n * 1000]);
    return statSync(name).ino;
  });
  expect(new Set(inodes).size).toBe(2);
});

test.each([
  ['its own name is gone', ['a.before', 'a.spare']],
  ['the other is not back in its place', ['a', 'a.before']],
])('where the one before was killed it goes on: %s', (_, names) => {
  const folder = newFolder();
  for (const name of names) writeFileSync(join(folder, name), `old ${name}`);
  replaceFile(join(folder, 'a'), Buffer.from('new'));
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('new');
  replaceFile(join(folder, 'a'), Buffer.from('newer'));
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('newer');
  expect(readdirSync(folder).toSorted()).toEqual(['a', 'a.spare']);
});

/** As the machine may leave it where it ends while it writes: some of it of the one before. */
function damage(file: string, from: string | Buffer, to: string | Buffer): void {
  const bytes = readFileSync(file);
  const at = bytes.indexOf(from);
  expect(at).toBeGreaterThan(0);
  bytes.set(Buffer.from(to), at);
  writeFileSync(file, bytes);
}

async function covered() {
  const folder = newFolder();
  const workspace = join(folder, 'work');
  mkdirSync(workspace);
  // Long ago, so that no clock decides what is young.
  const put = (name: string) => {
    writeFileSync(join(workspace, name), name);
    utimesSync(join(workspace, name), 1_000_000_000, 1_000_000_000);
  };
  put('a');
  put('b');
  const checkpoints = await openCheckpoints({ dir: join(folder, 'data'), workspace, trustAfterMs: 0 });
  onTestFinished(() => checkpoints.close());
  await checkpoints.take('first');
  put('c');
  const before = await checkpoints.take('second');
  const root = join(folder, 'data', readdirSync(join(folder, 'data'))[0]!);
  return { checkpoints, before, root, put };
}

test('an index that is half of another is not believed', async () => {
  const { checkpoints, before, root, put } = await covered();
  const index = join(root, 'repo/index');
  const oid = Buffer.from('2e65efe2a145dda7ee51d1741299f848e5bf752e', 'hex');
  damage(index, oid, Buffer.alloc(20, 7));
  put('d');
  const after = await checkpoints.take('third');
  expect((await checkpoints.changes(before, after)).map(({ path }) => path)).toEqual(['d']);
});

test('what a walk has seen is not believed where it is half of another', async () => {
  const { checkpoints, before, root } = await covered();
  damage(join(root, 'scan'), '"files":3', '"files":9');
  expect((await checkpoints.take('third')).covered).toEqual(before.covered);
});

test('without an index and what a walk has seen it begins anew', async () => {
  const { checkpoints, before, root } = await covered();
  renameSync(join(root, 'repo/index'), join(root, 'repo/index.before'));
  rmSync(join(root, 'scan'));
  const after = await checkpoints.take('third');
  expect(after.covered).toEqual(before.covered);
  expect(await checkpoints.changes(before, after)).toEqual([]);
});
