import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openCheckpoints } from './open.ts';
import type { CheckpointStore, CheckpointsOptions } from './ports.ts';

interface Desk {
  checkpoints: CheckpointStore;
  workspace: string;
  dir: string;
  at(path: string): string;
  write(path: string, content: string | Buffer): void;
}

async function desk(options: Partial<CheckpointsOptions> = {}, inner = ''): Promise<Desk> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'planwright-checkpoint-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const workspace = join(folder, 'workspace', inner);
  mkdirSync(workspace, { recursive: true });
  const dir = join(folder, 'data');
  const checkpoints = await openCheckpoints({ dir, workspace, ...options });
  onTestFinished(() => checkpoints.close());
  const at = (path: string): string => join(workspace, path);
  const write = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  };
  return { checkpoints, workspace, dir, at, write };
}

const brief = (changes: { kind: string; path: string }[]): string[] =>
  changes.map(({ kind, path }) => `${kind} ${path}`);

describe('what a checkpoint covers', () => {
  test('and what it does not, with the reason', async () => {
    const { checkpoints, write, at } = await desk({ limits: { fileBytes: 100 } });
    write('.gitignore', '*.log\nnode_modules/\n!kept.log\n');
    write('a', 'a');
    write('big', 'x'.repeat(101));
    write('x.log', 'ignored');
    write('kept.log', 'not ignored');
    write('node_modules/p/index.js', 'ignored');
    write('inner/.git/HEAD', 'ref: refs/heads/main');
    write('inner/file', 'theirs');
    write('sub/.gitignore', 'secret');
    write('sub/secret', 's');
    mkdirSync(at('sub/empty'));
    execFileSync('mkfifo', [at('pipe')]);
    const { uncovered, covered } = await checkpoints.take('first');
    expect(uncovered.map(({ path, why }) => `${path}: ${why}`)).toEqual([
      'big: too-large',
      'inner: nested-repository',
      'node_modules: ignored',
      'pipe: special-file',
      'sub/secret: ignored',
      'x.log: ignored',
    ]);
    expect(covered).toMatchObject({ files: 4, folders: 3 });
  });

  test('ends at the limit in all', async () => {
    const { checkpoints, write } = await desk({ limits: { totalBytes: 25 } });
    for (const name of ['a', 'b', 'c']) write(name, 'x'.repeat(10));
    const first = await checkpoints.take('first');
    expect(first.uncovered).toMatchObject([{ why: 'too-large' }]);
    expect(first.covered).toMatchObject({ files: 2, bytes: 20 });
  });

  test('follows the ignore files above a workspace that is a folder of a repository', async () => {
    const { checkpoints, workspace, write } = await desk({}, 'packages/a');
    const top = join(workspace, '../..');
    execFileSync('git', ['init', '-q', top]);
    writeFileSync(join(top, '.gitignore'), 'dist/\n');
    mkdirSync(join(top, '.git/info'), { recursive: true });
    writeFileSync(join(top, '.git/info/exclude'), '*.mine\n');
    const empty = await checkpoints.take('empty');
    expect(empty.covered.files).toBe(0);
    write('dist/x', 'built');
    write('x.mine', 'mine');
    write('src/x', 'source');
    const { uncovered, covered } = await checkpoints.take('first');
    expect(uncovered.map(({ path }) => path)).toEqual(['dist', 'x.mine']);
    expect(covered.files).toBe(1);
    expect(brief(await checkpoints.changes(empty, 'now'))).toEqual(['added src', 'added src/x']);
  });

  test('is everything in a workspace that a repository above ignores', async () => {
    const { checkpoints, workspace, write } = await desk({}, 'build');
    execFileSync('git', ['init', '-q', join(workspace, '..')]);
    writeFileSync(join(workspace, '../.gitignore'), 'build/\n');
    write('x', 'x');
    expect((await checkpoints.take('first')).covered.files).toBe(1);
  });

  test('is never the data folder, even inside the workspace', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'planwright-checkpoint-')));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const checkpoints = await openCheckpoints({ dir: join(folder, 'state/data'), workspace: folder });
    const first = await checkpoints.take('first');
    expect(first.uncovered).toEqual([{ path: 'state/data', why: 'ignored' }]);
    expect(await checkpoints.changes(first, 'now')).toEqual([]);
    await checkpoints.close();
  });

  test('is exact bytes, whatever attributes say', async () => {
    const { checkpoints, write, at } = await desk();
    const bytes = Buffer.from('a\r\nb\n$Id$\n\0\xff', 'latin1');
    write('.gitattributes', '* text=auto eol=lf ident filter=lfs working-tree-encoding=UTF-16 -diff\n');
    write('x.txt', bytes);
    const before = await checkpoints.take('before');
    write('x.txt', 'gone');
    const plan = await checkpoints.planUndo({ before, after: await checkpoints.take('after') });
    await checkpoints.performUndo(plan);
    expect(readFileSync(at('x.txt'))).toEqual(bytes);
  });
});

describe('what changed', () => {
  test('is found in folders that seem untouched, too', async () => {
    const { checkpoints, write, at } = await desk({ limits: { fileBytes: 100 }, trustAfterMs: 40 });
    for (const path of ['a/x', 'a/y', 'b/z', 'c/big']) write(path, path === 'c/big' ? 'x'.repeat(200) : path);
    // Old enough to be trusted: the next checkpoint reads no folder whose time is the same.
    await sleep(80);
    const first = await checkpoints.take('first');
    write('a/x', 'in place');
    chmodSync(at('b/z'), 0o600);
    chmodSync(at('b'), 0o700);
    writeFileSync(at('c/big'), 'small now');
    expect(brief(await checkpoints.changes(first, 'now'))).toEqual(['modified a/x', 'mode b', 'mode b/z']);
    write('b/new', 'new');
    rmSync(at('a/y'));
    expect(brief(await checkpoints.changes(first, 'now'))).toEqual([
      'modified a/x',
      'removed a/y',
      'mode b',
      'added b/new',
      'mode b/z',
    ]);
    const { unknown } = await checkpoints.compare(first, 'now');
    expect(unknown).toMatchObject([{ path: 'c/big', why: 'too-large', changed: true }]);
  });

  test('is found with the same size in the same instant', async () => {
    const { checkpoints, write } = await desk();
    write('x', '0');
    let last = await checkpoints.take('0');
    for (const content of ['1', '2', '3', '4', '5']) {
      write('x', content);
      const next = await checkpoints.take(content);
      expect(brief(await checkpoints.changes(last, next))).toEqual(['modified x']);
      last = next;
    }
  });

  // Few files are read here, many by git, which compares seconds; of a large index it is git that looks, too.
  test.each([
    ['few', 1, 1],
    ['many', 40, 40],
    ['in a large workspace', 1200, 1],
  ])('is found with the same size in the same second, its time put back: %s', async (_, there, changing) => {
    // No folder is read again for being young.
    const { checkpoints, write, at } = await desk({ trustAfterMs: 0 });
    const names = Array.from({ length: there }, (__, n) => `${n}${'-long'.repeat(40)}`);
    const changed = names.slice(0, changing);
    const put = (content: string) => {
      for (const name of changed) {
        write(name, content);
        utimesSync(at(name), 1, 1);
      }
    };
    for (const name of names) write(name, '0');
    await checkpoints.take('first');
    for (const round of [1, 2, 3]) {
      put(`a${round}`);
      const one = await checkpoints.take('one');
      put(`b${round}`);
      const changes = brief(await checkpoints.changes(one, await checkpoints.take('two')));
      expect(changes).toEqual(changed.map((name) => `modified ${name}`).toSorted());
    }
  });

  test('is told as text, and what is not text is named', async () => {
    const { checkpoints, write, at } = await desk();
    write('text', 'one\ntwo\n');
    write('binary', Buffer.from([0, 1, 2]));
    write('.env', 'A=1\n');
    write('.gitignore', '.env\n');
    const before = await checkpoints.take('before', { save: ['.env'] });
    write('text', 'one\nthree\n');
    write('binary', Buffer.from([0, 1, 3]));
    write('.env', 'A=2\n');
    chmodSync(at('text'), 0o600);
    mkdirSync(at('empty'));
    const text = await checkpoints.diff(before, 'now');
    for (const line of ['-two', '+three', '-A=1', '+A=2', 'new mode 100600', 'new folder mode 040755'])
      expect(text.split('\n')).toContain(line);
    expect(text).toContain('Binary files a/binary and b/binary differ');
    expect(await checkpoints.diff(before, 'now', 'binary')).not.toContain('three');
  });
});

describe('undo', () => {
  test('never removes ignored files that a changed rule brings to light', async () => {
    const { checkpoints, write, at } = await desk();
    write('.gitignore', '.env\n');
    write('.env', 'precious');
    const before = await checkpoints.take('before');
    write('.gitignore', 'nothing\n');
    const after = await checkpoints.take('after');
    const plan = await checkpoints.planUndo({ before, after });
    expect(brief(plan.restore)).toEqual(['modified .gitignore']);
    expect(plan.unknown).toMatchObject([{ path: '.env' }]);
    await checkpoints.performUndo(plan);
    expect(readFileSync(at('.env'), 'utf8')).toBe('precious');
  });

  test('restores a file that the run made too large to be covered', async () => {
    const { checkpoints, write, at } = await desk({ limits: { fileBytes: 100 } });
    write('x', 'small');
    const before = await checkpoints.take('before');
    write('x', 'x'.repeat(1_000));
    const after = await checkpoints.take('after');
    const result = await checkpoints.performUndo(await checkpoints.planUndo({ before, after }));
    expect(result).toMatchObject({ restored: ['x'], isComplete: true });
    expect(readFileSync(at('x'), 'utf8')).toBe('small');
  });

  test('does not overwrite what it cannot save first, unless told to', async () => {
    const { checkpoints, write, at } = await desk({ limits: { fileBytes: 100, savedBytes: 500 } });
    write('x', 'small');
    const before = await checkpoints.take('before');
    write('x', 'x'.repeat(1_000));
    const plan = await checkpoints.planUndo({ before, after: await checkpoints.take('after') });
    expect(await checkpoints.performUndo(plan)).toMatchObject({ failed: [{ path: 'x', code: 'unsaved' }] });
    expect(readFileSync(at('x'), 'utf8')).toHaveLength(1_000);
    expect(await checkpoints.performUndo(plan, { force: 'all' })).toMatchObject({ restored: ['x'] });
    expect(readFileSync(at('x'), 'utf8')).toBe('small');
  });

  test('restores what was saved by name although it is ignored, and removes what was not there', async () => {
    const { checkpoints, write, at } = await desk();
    write('.gitignore', 'build/\n.env\n');
    write('.env', 'old');
    const save = ['.env', at('build/made'), '../outside', '.git/config'];
    const before = await checkpoints.take('before');
    expect(await checkpoints.saveFiles(before, save)).toEqual({
      saved: ['.env', 'build/made'],
      notSaved: [
        { path: '../outside', why: 'outside' },
        { path: '.git/config', why: 'git' },
      ],
    });
    write('.env', 'new');
    write('build/made', 'made');
    const after = await checkpoints.take('after', { save });
    const result = await checkpoints.performUndo(await checkpoints.planUndo({ before, after }));
    expect(result.restored).toEqual(['.env', 'build', 'build/made']);
    expect(readFileSync(at('.env'), 'utf8')).toBe('old');
    expect(existsSync(at('build'))).toBe(false);
  });

  test('leaves what a person changed, says so, and restores it when told to', async () => {
    const { checkpoints, write, at } = await desk();
    for (const name of ['a', 'b']) write(name, 'before');
    const before = await checkpoints.take('before');
    for (const name of ['a', 'b']) write(name, 'run');
    const after = await checkpoints.take('after');
    write('a', 'person');
    const plan = await checkpoints.planUndo({ before, after });
    expect(plan.conflicts).toMatchObject([{ path: 'a', why: 'changed-since' }]);
    const result = await checkpoints.performUndo(plan);
    expect(result).toMatchObject({ restored: ['b'], conflicts: [{ path: 'a' }], isComplete: true });
    expect(readFileSync(at('a'), 'utf8')).toBe('person');
    const forced = await checkpoints.performUndo(plan, { force: ['a'] });
    expect(forced).toMatchObject({ restored: ['a'], asBefore: ['b'], conflicts: [] });
    expect(readFileSync(at('a'), 'utf8')).toBe('before');
    const back = { before: forced.checkpoint, after: forced.after };
    await checkpoints.performUndo(await checkpoints.planUndo(back));
    expect(readFileSync(at('a'), 'utf8')).toBe('person');
  });

  test('does not touch what changes after the plan was shown', async () => {
    const { checkpoints, write, at } = await desk();
    for (const name of ['a', 'b', 'c']) write(name, 'before');
    const before = await checkpoints.take('before');
    for (const name of ['a', 'b', 'c']) write(name, 'run');
    const after = await checkpoints.take('after');
    const plan = await checkpoints.planUndo({ before, after });
    write('a', 'since the plan');
    const restoring = async ({ path }: { path: string }): Promise<boolean> => {
      if (path === 'b') write('b', 'at the last moment');
      return true;
    };
    const result = await checkpoints.performUndo(plan, { journal: { restoring } });
    expect(result).toMatchObject({
      restored: ['c'],
      conflicts: [{ path: 'a' }],
      failed: [{ path: 'b', code: 'changed-meanwhile' }],
      isComplete: false,
    });
    expect(['a', 'b'].map((name) => readFileSync(at(name), 'utf8'))).toEqual([
      'since the plan',
      'at the last moment',
    ]);
  });

  test('never goes through a folder that was exchanged for a link', async () => {
    const { checkpoints, workspace, write, at } = await desk();
    const outside = join(workspace, '../outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'x'), 'theirs');
    writeFileSync(join(outside, 'made'), 'run');
    write('d/x', 'before');
    const before = await checkpoints.take('before');
    write('d/x', 'theirs');
    write('d/made', 'run');
    const after = await checkpoints.take('after');
    const plan = await checkpoints.planUndo({ before, after });
    const swap = async (): Promise<boolean> => {
      if (readdirSync(workspace).includes('away')) return true;
      execFileSync('mv', [at('d'), at('away')]);
      symlinkSync(outside, at('d'));
      return true;
    };
    const result = await checkpoints.performUndo(plan, { journal: { restoring: swap } });
    expect(result.isComplete).toBe(false);
    expect(result.restored).not.toContain('d/x');
    expect(readdirSync(outside).toSorted()).toEqual(['made', 'x']);
    expect(readFileSync(join(outside, 'x'), 'utf8')).toBe('theirs');
    expect(readlinkSync(at('d'))).toBe(outside);
  });

  test('stops where a hook says so, and says what is missing', async () => {
    const { checkpoints, write } = await desk();
    for (const name of ['a', 'b']) write(name, 'before');
    const before = await checkpoints.take('before');
    for (const name of ['a', 'b']) write(name, 'run');
    const plan = await checkpoints.planUndo({ before, after: await checkpoints.take('after') });
    const result = await checkpoints.performUndo(plan, { journal: { restored: async () => false } });
    expect(result).toMatchObject({
      restored: ['a'],
      failed: [{ path: 'b', code: 'stopped' }],
      wasStopped: true,
    });
    expect(result.isComplete).toBe(false);
  });
});

describe('checkpoints', () => {
  test('are forgotten but for those to keep, and their space is given back', async () => {
    const { checkpoints, dir, write } = await desk();
    const ids: string[] = [];
    for (let at = 0; at < 4; at += 1) {
      write('x', `${at} ${Math.PI}`.repeat(10_000 + at));
      ids.push((await checkpoints.take(`number ${at}`)).id);
    }
    expect((await checkpoints.list()).map(({ label }) => label)).toEqual(
      [0, 1, 2, 3].map((at) => `number ${at}`),
    );
    expect(await checkpoints.prune([ids[1]!])).toBe(3);
    expect((await checkpoints.list()).map(({ id }) => id)).toEqual([ids[1]]);
    await expect(checkpoints.get(ids[0]!)).rejects.toMatchObject({ code: 'checkpoint-unknown' });
    const gitDir = join(dir, readdirSync(dir)[0]!, 'repo');
    expect(execFileSync('git', ['--git-dir', gitDir, 'rev-list', '--all', '--count']).toString()).toBe('1\n');
    // The index still stands for what is there, so the next one is whole.
    const next = await checkpoints.take('next');
    await checkpoints.prune([next.id]);
    expect(await checkpoints.changes(next, 'now')).toEqual([]);
    expect(statSync(gitDir).isDirectory()).toBe(true);
  });

  test('expire by number', async () => {
    const { checkpoints, write } = await desk({ limits: { checkpoints: 2 } });
    for (let at = 0; at < 4; at += 1) {
      write('x', String(at));
      await checkpoints.take(String(at));
    }
    expect((await checkpoints.list()).map(({ label }) => label)).toEqual(['2', '3']);
  });

  test('begin anew where their index is damaged', async () => {
    const { checkpoints, dir, write } = await desk();
    write('x', 'x');
    const first = await checkpoints.take('first');
    writeFileSync(join(dir, readdirSync(dir)[0]!, 'repo/index'), 'not an index');
    write('y', 'y');
    expect(brief(await checkpoints.changes(first, await checkpoints.take('second')))).toEqual(['added y']);
  });

  test('of another host are not put back into a folder of the same name', async () => {
    const { checkpoints, workspace, dir, write, at } = await desk({ host: 'office~1' });
    write('a', 'theirs');
    const before = await checkpoints.take('before');
    write('a', 'changed');
    const after = await checkpoints.take('after');
    const here = await openCheckpoints({ dir, workspace, host: 'home~2' });
    onTestFinished(() => here.close());
    const plan = await checkpoints.planUndo({ before, after });
    const refused = { code: 'elsewhere', message: expect.stringContaining('on host office~1') };
    await expect(here.planUndo({ before, after })).rejects.toMatchObject(refused);
    await expect(here.performUndo(plan)).rejects.toMatchObject(refused);
    expect(readFileSync(at('a'), 'utf8')).toBe('changed');
  });

  test('refuse what they cannot do, with a code', async () => {
    const { checkpoints, workspace } = await desk();
    await expect(checkpoints.get('nonsense')).rejects.toMatchObject({ code: 'checkpoint-unknown' });
    rmSync(workspace, { recursive: true });
    await expect(checkpoints.take('gone')).rejects.toMatchObject({ code: 'workspace-missing' });
    await checkpoints.close();
    await expect(checkpoints.take('late')).rejects.toMatchObject({ code: 'checkpoints-closed' });
    const missing = openCheckpoints({ dir: tmpdir(), workspace: '/does/not/exist' });
    await expect(missing).rejects.toMatchObject({ code: 'workspace-missing' });
  });
});

test('a checkpoint that nobody wants any more ends, and the next one is as good as any', async () => {
  const gone = new AbortController();
  const points: string[] = [];
  const { checkpoints, write } = await desk({
    onPoint: (name) => {
      points.push(name);
      if (name === 'scanned' && points.length === 1) gone.abort();
    },
  });
  write('a', 'one');
  await expect(checkpoints.take('first', { signal: gone.signal })).rejects.toMatchObject({ code: 'aborted' });
  expect(points).toEqual(['scanned']);
  const { id } = await checkpoints.take('second');
  write('a', 'two');
  const { id: later } = await checkpoints.take('third');
  expect(id).not.toBe(later);
});
