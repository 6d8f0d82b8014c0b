import { execFileSync } from 'node:child_process';
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { blobOf, writeObjects } from './objects.ts';
import { openCheckpoints } from './open.ts';
import type { CheckpointsOptions } from './ports.ts';
import { adoptObjects } from './quarantine.ts';

function temporary(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pw-look-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function desk(options: Partial<CheckpointsOptions> = {}) {
  const folder = temporary();
  const workspace = join(folder, 'above', 'workspace');
  mkdirSync(workspace, { recursive: true });
  const dir = join(folder, 'data');
  const checkpoints = await openCheckpoints({ dir, workspace, ...options });
  onTestFinished(() => checkpoints.close());
  const root = join(dir, readdirSync(dir)[0]!);
  const file = join(workspace, 'a');
  const read = () => (existsSync(file) ? readFileSync(file, 'utf8') : null);
  return {
    checkpoints,
    workspace,
    root,
    file,
    read,
    write: (content: string) => writeFileSync(file, content),
  };
}
type Desk = Awaited<ReturnType<typeof desk>>;

/** What a run did to a file, and the undo of it; `since`: as soon as the undo has looked at it for the last time but one. */
async function undone(from: string | null, point: string) {
  const isArmed = { now: false };
  const made: Desk = await desk({
    onPoint(name) {
      if (!isArmed.now || name !== point) return;
      isArmed.now = false;
      made.write('a person');
    },
  });
  const { checkpoints, write } = made;
  if (from !== null) write(from);
  const before = await checkpoints.take('before');
  write('the run');
  const after = await checkpoints.take('after');
  const plan = await checkpoints.planUndo({ before, after });
  isArmed.now = true;
  const result = await checkpoints.performUndo(plan);
  return { ...made, result };
}

test.each([
  ['written over', 'before', 'temporary'],
  ['removed', null, 'looked'],
])('what a person changes in the last moment is not %s by an undo', async (_, from, point) => {
  const { read, result } = await undone(from, point);
  expect(result.failed).toMatchObject([{ path: 'a', code: 'changed-meanwhile' }]);
  expect(read()).toBe('a person');
});

test('an undo restores nothing that it did not show', async () => {
  const { checkpoints, write, read } = await desk();
  write('before');
  const before = await checkpoints.take('before');
  write('the run');
  const after = await checkpoints.take('after');
  write('a person');
  const plan = await checkpoints.planUndo({ before, after });
  expect(plan.restore).toEqual([]);
  // What the run left is there again: it would be restored now, and nobody was told so.
  write('the run');
  const result = await checkpoints.performUndo(plan);
  expect(result.conflicts).toMatchObject([{ path: 'a', why: 'changed-since' }]);
  expect(read()).toBe('the run');
});

test('a file that may be executed now has changed', async () => {
  const { checkpoints, write, file } = await desk();
  write('same');
  chmodSync(file, 0o644);
  writeFileSync(`${file}.sh`, 'other');
  chmodSync(`${file}.sh`, 0o755);
  const first = await checkpoints.take('first');
  chmodSync(file, 0o755);
  const changes = await checkpoints.changes(first, await checkpoints.take('second'));
  expect(changes).toMatchObject([{ path: 'a', kind: 'mode' }]);
});

test('what was seen of a workspace before a repository was made around it is looked at anew', async () => {
  const { checkpoints, workspace, write } = await desk();
  write('one');
  writeFileSync(join(workspace, 'b'), 'b');
  const first = await checkpoints.take('first');
  execFileSync('git', ['init', '-q', join(workspace, '..')]);
  write('two');
  const changes = await checkpoints.changes(first, await checkpoints.take('second'));
  expect(changes).toMatchObject([{ path: 'a', kind: 'modified' }]);
});

test.each([
  ['young', 1e12, ['', 'racy']],
  ['old enough', -1e12, [expect.stringContaining(':'), expect.stringContaining(':')]],
])(
  'the times of folders and ignore files that are %s are trusted no further',
  async (_, trustAfterMs, stamps) => {
    const { checkpoints, workspace, root } = await desk({ trustAfterMs });
    const ignores = join(workspace, '.gitignore');
    writeFileSync(ignores, 'x\n');
    await checkpoints.take('first');
    const { records, rules } = JSON.parse(readFileSync(join(root, 'scan')).toString('utf8', 4));
    expect([new Map<string, { stamp: string }>(records).get('')?.stamp, rules[ignores]]).toEqual(stamps);
  },
);

test('the index names nothing that is not in the store', async () => {
  const missing: string[] = [];
  const made: Desk = await desk({
    onPoint(name) {
      if (name !== 'indexed') return;
      const git = (args: string[], input = '') =>
        execFileSync('git', ['--git-dir', join(made.root, 'repo'), ...args], { input, encoding: 'utf8' });
      const named = git(['ls-files', '-s']).replace(/^\d+ (\w+) .*$/gm, '$1');
      missing.push(
        ...git(['cat-file', '--batch-check'], named)
          .split('\n')
          .filter((line) => /missing/.test(line)),
      );
    },
  });
  made.write('one');
  const first = await made.checkpoints.take('first');
  made.write('two');
  expect(await made.checkpoints.changes(first, 'now')).toHaveLength(1);
  expect(missing).toEqual([]);
});

test('objects are on the disk before they have their names, and what names them comes last', async () => {
  const folder = temporary();
  const ref = join(folder, 'ref');
  const synced: string[] = [];
  const { fsync } = fs;
  vi.spyOn(fs, 'fsync').mockImplementation((file, done) => {
    synced.push(basename(readlinkSync(`/proc/self/fd/${file}`)).replace(/^pack-\w+/, 'pack'));
    fsync(file, done);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  let there: string[] = [];
  await writeObjects(join(folder, 'git'), [blobOf('one'), blobOf('two')], {
    path: ref,
    content: 'id',
    before: () => {
      there = [...readdirSync(join(folder, 'git/objects/pack')), ...readdirSync(folder)];
    },
  });
  const { pid } = process;
  expect(synced.toSorted()).toEqual([`pack.idx.${pid}.tmp`, `pack.pack.${pid}.tmp`, `ref.${pid}.tmp`]);
  expect(there.map((name) => name.replace(/^pack-\w+/, 'pack')).toSorted()).toEqual(
    ['git', 'pack.idx', 'pack.pack', `ref.${pid}.tmp`].toSorted(),
  );
  expect(readFileSync(ref, 'utf8')).toBe('id');
});

test('what cannot be written, as on a full disk, leaves nothing behind', async () => {
  const folder = temporary();
  writeFileSync(join(folder, 'file'), '');
  const last = { path: join(folder, 'file/ref'), content: 'id' };
  await expect(writeObjects(join(folder, 'git'), [blobOf('one'), blobOf('two')], last)).rejects.toThrow(
    'ENOTDIR',
  );
  expect(readdirSync(join(folder, 'git/objects/pack'))).toEqual([]);
});

test('a pack of git is in its place before the index that names it', async () => {
  const folder = temporary();
  const [gitDir, quarantine] = [join(folder, 'git'), join(folder, 'new')];
  for (const made of [join(gitDir, 'objects/pack'), join(quarantine, 'pack')])
    mkdirSync(made, { recursive: true });
  for (const name of ['pack-1.idx', 'pack-1.pack']) writeFileSync(join(quarantine, 'pack', name), '');
  const renamed: string[] = [];
  const { rename } = fs.promises;
  vi.spyOn(fs.promises, 'rename').mockImplementation(async (from, to) => {
    renamed.push(basename(String(to)));
    await rename(from, to);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  await adoptObjects({ gitDir, top: folder, exclude: null }, quarantine);
  expect(renamed).toEqual(['pack-1.pack', 'pack-1.idx']);
});
