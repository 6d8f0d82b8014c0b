import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '../../src/world/process/testing.ts';
import { openCheckpoints } from '../../src/world/workspace/index.ts';
import { bundled } from '../support/program.ts';
import { isFullLength } from '../support/scale.ts';
import { quickFolder } from './places.ts';
import { differences, readTree, type Tree } from './tree.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function site(): { dir: string; workspace: string } {
  const folder = quickFolder();
  folders.push(folder);
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  return { dir: join(folder, 'data'), workspace };
}

const driver = bundled(import.meta.dirname, 'driver.ts');
/** Resolves with what it printed and whether it was killed. */
const run = (...args: string[]): Promise<{ lines: string[]; wasKilled: boolean }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [driver, ...args], (error, stdout, stderr) => {
      if (error !== null && error.signal !== 'SIGKILL') throw new Error(stderr);
      resolve({ lines: stdout.split('\n').filter(Boolean), wasKilled: error !== null });
    });
  });

const privateFolder = (dir: string): string => join(dir, readdirSync(dir)[0]!);
const leftovers = (dir: string): string[] => {
  const root = privateFolder(dir);
  if (!existsSync(join(root, 'repo'))) return [];
  return [...readdirSync(root), ...readdirSync(join(root, 'repo'))].filter((name) =>
    /^(new-objects-|index\.(?!spare$))/.test(name),
  );
};
const fsck = (dir: string): void => {
  const gitDir = join(privateFolder(dir), 'repo');
  execFileSync('git', ['--git-dir', gitDir, 'fsck', '--no-dangling'], { stdio: 'pipe' });
};

describe('a checkpoint that is killed', () => {
  const moments = ['scanned', 'staged', 'tree', 'indexed', 'snapshot', 'written', 'recorded'];
  // A few files are taken in without git.
  test.each(moments.flatMap((moment) => [3, 30].map((files) => [moment, files] as const)))(
    'when it has %s is taken again, and nothing is missing from the next one (%i files)',
    async (moment, files) => {
      const { dir, workspace } = site();
      for (let at = 0; at < 40; at += 1) writeFileSync(join(workspace, `f${at}`), `old ${at}`);
      const checkpoints = await openCheckpoints({ dir, workspace });
      const first = await checkpoints.take('first');
      for (let at = 0; at < files; at += 1) writeFileSync(join(workspace, `f${at}`), `new ${at}`);
      chmodSync(join(workspace, 'f39'), 0o600);
      mkdirSync(join(workspace, 'empty'));
      expect(await run('take', dir, workspace, moment)).toEqual({ lines: [], wasKilled: true });

      const next = await checkpoints.take('next');
      const changes = await checkpoints.changes(first, next);
      expect(changes.map(({ path, kind }) => `${kind} ${path}`).toSorted()).toEqual(
        [
          ...Array.from({ length: files }, (_, at) => `modified f${at}`),
          'mode f39',
          'added empty',
        ].toSorted(),
      );
      expect(await checkpoints.list()).toHaveLength(moment === 'recorded' ? 3 : 2);
      expect(leftovers(dir)).toEqual([]);
      fsck(dir);
      await checkpoints.close();
    },
  );

  test('while git is at work leaves a git that disturbs nobody', async () => {
    const { dir, workspace } = site();
    for (let at = 0; at < 3_000; at += 1) writeFileSync(join(workspace, `f${at}`), `${at}\n`.repeat(200));
    const child = spawn(process.execPath, [driver, 'take', dir, workspace, 'never'], { stdio: 'ignore' });
    const isAtWork = () => existsSync(dir) && readdirSync(dir).length > 0 && leftovers(dir).length > 1;
    await eventually(isAtWork, 'git at work');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const checkpoints = await openCheckpoints({ dir, workspace });
    const checkpoint = await checkpoints.take('after');
    expect(checkpoint.covered.files).toBe(3_000);
    expect(await checkpoints.changes(checkpoint, 'now')).toEqual([]);
    fsck(dir);
    await checkpoints.close();
  });
});

test('two processes take checkpoints of one workspace at the same time', async () => {
  const { dir, workspace } = site();
  writeFileSync(join(workspace, 'a'), 'a');
  const taken = await Promise.all([run('many', dir, workspace, '4'), run('many', dir, workspace, '4')]);
  const checkpoints = await openCheckpoints({ dir, workspace });
  const listed = (await checkpoints.list()).map(({ id }) => id);
  expect(new Set(taken.flatMap(({ lines }) => lines))).toEqual(new Set(listed));
  expect(listed).toHaveLength(8);
  await checkpoints.close();
});

/** One of each thing that a run can do. */
function spoil(workspace: string): void {
  const at = (path: string): string => join(workspace, path);
  writeFileSync(at('changed'), 'by the run'.repeat(1_000));
  rmSync(at('removed'));
  writeFileSync(at('added'), 'by the run');
  chmodSync(at('mode'), 0o600);
  rmSync(at('link'));
  symlinkSync('/etc/passwd', at('link'));
  rmSync(at('folder'), { recursive: true });
  writeFileSync(at('folder'), 'a file now');
  rmSync(at('file'));
  mkdirSync(at('file/deep'), { recursive: true });
  writeFileSync(at('file/deep/inner'), 'inner');
  renameSync(at('old name'), at('new name'));
  rmSync(at('empty'), { recursive: true });
  chmodSync(at('closed'), 0o700);
  rmSync(at('swapped'), { recursive: true });
  symlinkSync('..', at('swapped'));
}

function furnish(workspace: string): void {
  const at = (path: string): string => join(workspace, path);
  for (const path of ['changed', 'removed', 'mode', 'file', 'old name'])
    writeFileSync(at(path), `${path}\r\n`);
  for (const path of ['folder', 'empty', 'closed', 'swapped']) mkdirSync(at(path));
  for (const path of ['folder/x', 'folder/y', 'swapped/z']) writeFileSync(at(path), path);
  symlinkSync('changed', at('link'));
  chmodSync(at('closed'), 0o750);
  chmodSync(at('folder'), 0o711);
}

const isTemporary = (path: string): boolean => path.includes('.planwright-undo-');

describe('an undo that is killed', () => {
  test('at any moment says what is not done, and is completed by another one', async () => {
    let isOver = false;
    const attempt = async (number: number): Promise<void> => {
      const { dir, workspace } = site();
      furnish(workspace);
      const trees: Record<'before' | 'after', Tree> = { before: readTree(workspace), after: new Map() };
      const checkpoints = await openCheckpoints({ dir, workspace });
      const before = await checkpoints.take('before');
      spoil(workspace);
      trees.after = readTree(workspace);
      const after = await checkpoints.take('after');
      const { lines, wasKilled } = await run('undo', dir, workspace, String(number), before.id, after.id);
      const found = readTree(workspace, isTemporary);

      // No file is anything but what it was or what the run had made of it.
      for (const [path, node] of found)
        if (node.kind !== 'folder')
          expect([trees.before.get(path), trees.after.get(path)]).toContainEqual(node);
      const plan = await checkpoints.planUndo({ before, after });
      expect(plan.conflicts).toEqual([]);
      const differing = differences(found, trees.before).map((line) =>
        JSON.parse(line.slice(0, line.indexOf(': '))),
      );
      expect(plan.restore.map(({ path }) => path).toSorted()).toEqual(differing.toSorted());
      if (!wasKilled) {
        isOver = true;
        expect(JSON.parse(lines.at(-1)!)).toMatchObject({ isComplete: true, failed: [] });
      }

      const begun = lines.find((line) => line.startsWith('begun '))?.slice('begun '.length);
      const options = begun === undefined ? {} : { checkpoint: { id: begun } };
      const result = await checkpoints.performUndo(plan, options);
      expect(result).toMatchObject({ isComplete: true, failed: [], conflicts: [] });
      expect(differences(readTree(workspace), trees.before)).toEqual([]);

      if (number % 5 !== 0) return checkpoints.close();
      // The whole undo, in two pieces as it was, is undone by its first checkpoint.
      const back = await checkpoints.planUndo({ before: result.checkpoint, after: result.after });
      await checkpoints.performUndo(back);
      expect(differences(readTree(workspace), trees.after)).toEqual([]);
      await checkpoints.close();
    };
    const stride = isFullLength ? 1 : 4;
    for (let number = 1; !isOver; number += 4 * stride)
      await Promise.all([0, 1, 2, 3].map((more) => attempt(number + more * stride)));
  });
});
