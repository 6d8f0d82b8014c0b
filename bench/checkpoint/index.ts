import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCheckpoints } from '../../src/world/workspace/index.ts';
import { median, type Row } from '../row.ts';

const packages = 50;
const modules = 50;
const filesEach = 20;
const ignoredFiles = 20_000;
const taken = 100;

const pathOf = (n: number): string =>
  `src/package${n % packages}/module${Math.floor(n / packages) % modules}/file${Math.floor(n / (packages * modules))}.ts`;

/** A repository of 50,000 files of about 1 kB, one commit old, with a node_modules that is ignored. */
function makeRepository(folder: string): void {
  for (let n = 0; n < packages * modules; n += 1)
    mkdirSync(join(folder, pathOf(n), '..'), { recursive: true });
  for (let n = 0; n < packages * modules * filesEach; n += 1)
    writeFileSync(join(folder, pathOf(n)), `export const value${n} = ${n};\n`.repeat(10 + (n % 50)));
  for (let n = 0; n < ignoredFiles / 100; n += 1) {
    mkdirSync(join(folder, `node_modules/dependency${n}`), { recursive: true });
    for (let at = 0; at < 100; at += 1)
      writeFileSync(join(folder, `node_modules/dependency${n}/${at}.js`), 'module.exports = {};\n');
  }
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\n');
}

const git = (cwd: string, ...args: string[]): void => {
  const settings = ['user.name=bench', 'user.email=bench@example.org', 'gc.auto=0'];
  execFileSync('git', [...settings.flatMap((setting) => ['-c', setting]), ...args], { cwd, stdio: 'ignore' });
};

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const sizeOf = (path: string): number => {
  const stats = lstatSync(path);
  const own = stats.blocks * 512;
  if (!stats.isDirectory()) return own;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), own);
};

function change(folder: string, round: number): void {
  for (let at = 0; at < 100; at += 1)
    writeFileSync(
      join(folder, pathOf((round * 137 + at * 499) % 50_000)),
      `changed ${round} ${at}\n`.repeat(40),
    );
}

/** Checkpoints and `git stash create` take turns on the same files, so that a busy disk is busy for both. */
export async function benchCheckpoint(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'planwright-bench-'));
  const workspace = join(folder, 'workspace');
  const dir = join(folder, 'data');
  try {
    makeRepository(workspace);
    git(workspace, 'init', '-q');
    git(workspace, 'add', '-A');
    git(workspace, 'commit', '-q', '-m', 'all');
    const checkpoints = await openCheckpoints({ dir, workspace });
    const first = await timed(() => checkpoints.take('first'));
    const base = sizeOf(dir);
    // What has just changed is looked at again; this is about what has not.
    await sleep(2_500);
    await checkpoints.take('settled');

    const idle: number[] = [];
    const idleStash: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      idle.push(await timed(() => checkpoints.take('idle')));
      idleStash.push(await timed(() => git(workspace, 'stash', 'create')));
    }
    const changed: number[] = [];
    const changedStash: number[] = [];
    for (let round = 0; round < taken; round += 1) {
      change(workspace, round);
      changed.push(await timed(() => checkpoints.take(`round ${round}`)));
      if (round % 15 === 0) changedStash.push(await timed(() => git(workspace, 'stash', 'create')));
    }
    await checkpoints.close();
    const all = sizeOf(dir);
    return [
      { name: '50,000 files, first checkpoint', value: first, unit: 'ms' },
      { name: '50,000 files, nothing changed', value: median(idle), unit: 'ms', target: '< 500' },
      { name: '  git stash create', value: median(idleStash), unit: 'ms' },
      { name: '50,000 files, 100 changed', value: median(changed), unit: 'ms', target: '< 700' },
      { name: '  slowest of 100', value: Math.max(...changed), unit: 'ms' },
      { name: '  git stash create', value: median(changedStash), unit: 'ms', note: 'after a checkpoint' },
      {
        name: 'disk, first checkpoint',
        value: base / 1e6,
        unit: 'MB',
        note: `${mb(sizeOf(join(workspace, 'src')))} of files`,
      },
      { name: 'disk, 100 more, 100 files changed in each', value: (all - base) / 1e6, unit: 'MB' },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const mb = (size: number): string => `${Math.round(size / 1e6)} MB`;
