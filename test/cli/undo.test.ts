import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Bench, openBench } from '../support/cli.ts';
import { kinds, makeSite, makeTemplates } from '../undo/places.ts';
import { fingerprint, readTree } from '../undo/tree.ts';

let bench: Bench;
let elsewhere: string;
beforeEach(() => {
  bench = openBench({ here: true });
  elsewhere = mkdtempSync(join(tmpdir(), 'planwright-undo-cli-'));
});
afterEach(() => {
  bench.clean();
  rmSync(elsewhere, { recursive: true, force: true });
});

interface Draft {
  action: string;
  undo?: string;
}
/** The plan lies outside the workspace, so that only what the run does changes in it. */
function planFile(...steps: (string | Draft)[]): string {
  const file = join(elsewhere, 'plan.json');
  const plan = steps.map((step, n) => ({
    step: `Step ${n + 1}`,
    ...(typeof step === 'string' ? { action: step } : step),
  }));
  writeFileSync(file, JSON.stringify({ goal: 'change things', plan }));
  return file;
}
const read = (name: string) => readFileSync(bench.path(name), 'utf8');
const tree = (folder = bench.workspace) => Object.fromEntries(readTree(folder, (path) => path === '.git'));
const json = async (...args: string[]) => JSON.parse((await bench.run([...args, '--json'])).stdout);
async function done(args: string[], env?: NodeJS.ProcessEnv) {
  const ended = await bench.run(args, env);
  expect(ended.code, ended.stderr).toBe(0);
  return ended;
}

const everything = [
  'WRITE_FILE new.txt "hello\\n"',
  'EDIT_FILE a.txt "tracked" "changed"',
  'RUN_COMMAND chmod 600 keep.log && mv d/b.bin d/renamed.bin && mkdir -p deep/er && ln -s a.txt link',
  'RUN_COMMAND printf more >> d/ignored/named.log',
  'WRITE_FILE d/renamed.bin ""',
];

describe('undo brings back exactly what was there, and touches no .git', () => {
  test.each(kinds)('in a %s', async (kind) => {
    const templates = join(elsewhere, 'templates');
    makeTemplates(templates);
    const { workspace, git } = makeSite(templates, kind, join(elsewhere, 'site'));
    writeFileSync(join(workspace, 'a.txt'), 'tracked\n');
    writeFileSync(join(workspace, 'untracked.txt'), 'mine\n');
    mkdirSync(join(workspace, 'd/ignored'), { recursive: true });
    writeFileSync(join(workspace, 'd/ignored/named.log'), 'log\n');
    writeFileSync(join(workspace, 'd/ignored/other.log'), 'other\n');
    const print = () => (git === null ? '' : fingerprint(git));
    const [before, gitBefore] = [tree(workspace), print()];
    const here = ['-C', workspace];
    await done(['run', planFile(...everything), '--yes', ...here]);
    const after = tree(workspace);
    expect(after).not.toEqual(before);

    expect((await json('diff', '--stat', ...here)).changes.map((c: { path: string }) => c.path)).toEqual(
      expect.arrayContaining(['a.txt', 'd/ignored/named.log', 'new.txt', 'd/renamed.bin', 'keep.log']),
    );
    await done(['undo', '--yes', ...here]);
    expect(tree(workspace)).toEqual(before);
    const [{ id: undo }] = await json('runs', ...here);
    await done(['undo', undo, '--yes', ...here]);
    expect(tree(workspace), 'the undo is undone').toEqual(after);
    expect(print(), 'the .git is untouched').toBe(gitBefore);
  });

  test('a submodule is left alone, and that is said', async () => {
    const who = ['-c', 'user.name=u', '-c', 'user.email=u@example.org', '-c', 'protocol.file.allow=always'];
    const git = (cwd: string, ...args: string[]) =>
      execFileSync('git', [...who, ...args], { cwd, stdio: 'pipe' });
    const library = join(elsewhere, 'library');
    mkdirSync(library);
    git(library, 'init', '-q');
    writeFileSync(join(library, 'lib.txt'), 'lib\n');
    git(library, 'add', '-A');
    git(library, 'commit', '-qm', 'one');
    git(bench.workspace, 'init', '-q');
    git(bench.workspace, 'submodule', 'add', '-q', library, 'sub');
    const before = fingerprint(bench.path('.git'));
    // Named on the line it would be asked about: what no checkpoint holds is not changed unasked.
    bench.write('change.sh', 'echo x >> sub/lib.txt; echo y > own.txt\n');
    const ran = await done(['run', planFile('RUN_COMMAND bash change.sh'), '--yes']);
    expect(ran.stderr).toContain('sub (nested-repository)');
    await done(['undo', '--yes']);
    expect(existsSync(bench.path('own.txt'))).toBe(false);
    expect(read('sub/lib.txt')).toBe('lib\nx\n');
    expect(fingerprint(bench.path('.git'))).toBe(before);
  });
});

describe('what a person changed is theirs', () => {
  test('a file that was edited since is shown and left alone, unless it is named', async () => {
    bench.write('a.txt', 'one\n');
    bench.write('b.txt', 'one\n');
    await done(['run', planFile('RUN_COMMAND echo two > a.txt; echo two > b.txt'), '--yes']);
    const [{ id }] = await json('runs');
    bench.write('a.txt', 'mine\n');
    const dry = await json('undo', id, '--dry-run');
    expect(dry).toMatchObject({
      restore: [{ path: 'b.txt', kind: 'modified' }],
      conflicts: [{ path: 'a.txt', why: 'changed-since' }],
      by: null,
    });
    expect([read('a.txt'), read('b.txt')], 'a dry run changes nothing').toEqual(['mine\n', 'two\n']);
    const ended = await done(['undo', id, '--yes']);
    expect(ended.stderr).toContain('leave a.txt: changed since');
    expect(ended.stdout).toContain('left alone a.txt: changed since');
    expect([read('a.txt'), read('b.txt')]).toEqual(['mine\n', 'one\n']);
    await done(['undo', id, '--yes', '--overwrite', 'a.txt']);
    expect(read('a.txt')).toBe('one\n');
  });

  test('a file that was edited between two steps goes back to what they made', async () => {
    bench.write('a.txt', 'one\n');
    const plan = planFile('RUN_COMMAND echo two > a.txt', 'MANUAL "look"', 'RUN_COMMAND echo three > a.txt');
    expect((await bench.run(['run', plan, '--yes', '--on-ask', 'park'])).code).toBe(3);
    bench.write('a.txt', 'mine\n');
    await done(['answer']);
    const [{ id }] = await json('runs');
    expect(read('a.txt')).toBe('three\n');
    expect((await json('undo', id, '--dry-run')).conflicts).toMatchObject([
      { path: 'a.txt', why: 'between' },
    ]);
    await done(['undo', id, '--yes']);
    expect(read('a.txt')).toBe('mine\n');
  });
});

test('undo --to goes back to before that step, and no further', async () => {
  const plan = planFile(
    'RUN_COMMAND echo 1 > one',
    'RUN_COMMAND echo 2 > two; echo more >> one',
    'RUN_COMMAND echo 3 > three',
  );
  await done(['run', plan, '--yes']);
  await done(['undo', '--to', '2', '--yes']);
  expect(read('one')).toBe('1\n');
  expect([existsSync(bench.path('two')), existsSync(bench.path('three'))]).toEqual([false, false]);
});

test('declared undo actions come first, last step first; what lies outside is listed', async () => {
  const outside = join(elsewhere, 'outside.txt');
  const plan = planFile(
    { action: 'RUN_COMMAND echo 1 > one', undo: 'RUN_COMMAND echo undo-1 >> order.txt' },
    { action: 'RUN_COMMAND echo 2 > two', undo: 'RUN_COMMAND echo undo-2 >> order.txt' },
    `RUN_COMMAND cp one ${outside}`,
  );
  expect((await done(['run', plan, '--yes'])).stderr).toContain('(outside the workspace)');
  const [{ id }] = await json('runs');
  expect(existsSync(outside)).toBe(true);
  const preview = await json('undo', id, '--dry-run');
  expect(preview.actions.map(({ stepId }: { stepId: string }) => stepId)).toEqual(['s2', 's1']);
  expect(preview.beyond).toMatchObject([{ stepId: 's3', paths: [outside], undo: null }]);
  await done(['undo', id, '--yes']);
  expect(read('order.txt')).toBe('undo-2\nundo-1\n');
  expect([existsSync(bench.path('one')), existsSync(bench.path('two'))]).toEqual([false, false]);
  expect(existsSync(outside), 'what lies outside stays').toBe(true);
  const shown = await json('show', id);
  expect(shown.undoneBy).toMatchObject([{ state: 'done' }]);
  await done(['undo', id, '--yes', '--files-only']);
});

describe('on-failure rollback', () => {
  const failing = () =>
    planFile('RUN_COMMAND echo kept > kept', 'RUN_COMMAND echo half > half; echo x >> kept; exit 3');

  test('puts back what the failed step changed, and only that, and ends the run', async () => {
    const ended = await bench.run(['run', failing(), '--yes', '--on-failure', 'rollback']);
    expect(ended.code, ended.stderr).toBe(1);
    const [row] = await json('runs');
    expect(row).toMatchObject({ state: 'failed', stopReason: 'rolled-back' });
    expect(row.endedAt).not.toBeNull();
    expect(read('kept')).toBe('kept\n');
    expect(existsSync(bench.path('half'))).toBe(false);
    expect((await json('diff', '--stat')).changes).toEqual([{ path: 'kept', kind: 'added' }]);
  });

  test('is what autoRollbackOnFailure asks for', async () => {
    writeFileSync(join(bench.home, 'config.yaml'), 'autoRollbackOnFailure: true\n');
    expect((await bench.run(['run', failing(), '--yes'])).code).toBe(1);
    expect((await json('runs'))[0].stopReason).toBe('rolled-back');
  });
});

describe('without a checkpoint', () => {
  test('a step that is not safe does not run behind a back: the run stops, and says how it goes on', async () => {
    mkdirSync(join(bench.home, 'data'), { recursive: true });
    writeFileSync(join(bench.home, 'data/checkpoints'), 'in the way');
    const ended = await bench.run(['run', planFile('RUN_COMMAND echo 1 > one'), '--yes']);
    expect(ended.code, ended.stderr).toBe(3);
    expect((await json('runs'))[0]).toMatchObject({ state: 'paused', stopReason: 'checkpoint-failed' });
    expect(existsSync(bench.path('one'))).toBe(false);
    expect((await bench.run(['resume'])).code, 'it is tried again').toBe(3);
    await done(['resume', '--checkpoints', 'off']);
    expect(read('one')).toBe('1\n');
  });

  test('where there is no git a run says so and goes on; one that is to be rolled back does not', async () => {
    const bin = join(elsewhere, 'bin');
    mkdirSync(bin);
    for (const program of ['bash', 'touch', 'env']) symlinkSync(`/usr/bin/${program}`, join(bin, program));
    const ended = await bench.start(['run', planFile('RUN_COMMAND touch one'), '--yes'], { PATH: bin }).ended;
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).toContain('git-missing');
    expect(existsSync(bench.path('one'))).toBe(true);
    const plan = planFile('RUN_COMMAND touch two');
    const asked = await bench.start(['run', plan, '--yes', '--on-failure', 'rollback'], { PATH: bin }).ended;
    expect(asked.code).toBe(3);
    expect(existsSync(bench.path('two'))).toBe(false);
  });
});

test('safe steps take none', async () => {
  chmodSync(bench.workspace, 0o755);
  await done(['run', planFile('RUN_COMMAND ls', 'RUN_COMMAND echo hello'), '--yes']);
  expect(existsSync(join(bench.home, 'data/checkpoints'))).toBe(false);
});

test('gc forgets the checkpoints of runs that are gone; doctor tells where they are', async () => {
  await done(['run', planFile('RUN_COMMAND echo 1 > one'), '--yes']);
  expect((await done(['doctor'])).stdout).toMatch(/checkpoints .*: of 1 folder, \d/);
  const { checkpoints } = await json('gc', '--keep-days', '0', '--keep-runs', '0');
  expect(checkpoints, 'young ones stay').toBe(0);
});
