import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openCheckpoints } from './open.ts';

/** Which commands of git were started meanwhile: another git stands before it and notes them. */
function countingGit(folder: string) {
  const real = execFileSync('bash', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const log = join(folder, 'log');
  writeFileSync(join(folder, 'git'), `#!/bin/bash\necho "$*" >> '${log}'\nexec '${real}' "$@"\n`, {
    mode: 0o755,
  });
  const before = process.env['PATH'];
  process.env['PATH'] = `${folder}:${before}`;
  onTestFinished(() => {
    process.env['PATH'] = before;
  });
  return async (work: () => Promise<unknown>): Promise<string[]> => {
    rmSync(log, { force: true });
    await work();
    const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
    return lines.map(
      (line) => /(?:^| )(diff-files|check-ignore|update-index|write-tree|ls-files)\b/.exec(line)?.[1] ?? line,
    );
  };
}

async function counted() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'planwright-starts-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'planwright-starts-work-')));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const started = countingGit(folder);
  const options = { dir: join(folder, 'data'), workspace, trustAfterMs: 0 };
  const checkpoints = await openCheckpoints(options);
  onTestFinished(() => checkpoints.close());
  return {
    checkpoints,
    started,
    at: (name: string) => join(workspace, name),
    // Long ago, so that no clock decides what is young.
    put: (name: string, content: string) => {
      writeFileSync(join(workspace, name), content);
      utimesSync(join(workspace, name), 1_000_000_000, 1_000_000_000);
    },
  };
}

test('in a small folder git is started once, for what is ignored, and for nothing else', async () => {
  const { checkpoints, started, put } = await counted();
  put('a', 'a');
  put('b', 'b');
  await checkpoints.take('first');
  expect(await started(() => checkpoints.take('nothing changed'))).toEqual([]);
  put('a', 'another');
  expect(await started(() => checkpoints.take('one changed'))).toEqual([]);
  // The same length and time, within the same second or not: git alone might take it for the same.
  put('b', 'B');
  const before = await checkpoints.take('hardly changed');
  put('c', 'c');
  expect(await started(() => checkpoints.take('one more'))).toEqual([]);
  put('b', 'b');
  const after = await checkpoints.take('and back');
  const changes = await checkpoints.changes(before, after);
  expect(changes.map(({ path, kind }) => [path, kind])).toEqual([
    ['b', 'modified'],
    ['c', 'added'],
  ]);
  expect(await started(() => checkpoints.take('nothing again'))).toEqual([]);
});

test('the git that was asked before does not answer by rules that have changed', async () => {
  const { checkpoints, started, put, at } = await counted();
  mkdirSync(at('sub'));
  put('sub/kept', '');
  await checkpoints.take('first');
  // It looked into this folder last, and found no rules there.
  rmSync(at('sub'), { recursive: true });
  await checkpoints.take('gone');
  mkdirSync(at('sub'));
  put('sub/.gitignore', 'secret\n');
  put('sub/secret', '');
  expect(await started(() => checkpoints.take('again'))).toContain('check-ignore');
  const { uncovered } = await checkpoints.take('last');
  expect(uncovered).toEqual([{ path: 'sub/secret', why: 'ignored' }]);
  put('.gitignore', 'other\n');
  put('other', '');
  const changed = await checkpoints.take('another rule');
  expect(changed.uncovered.map(({ path }) => path)).toEqual(['other', 'sub/secret']);
});
