import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runGit } from './git.ts';
import { eventually } from './testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'planwright-git-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Another git, which does this. */
const gitThat = (script: string) => {
  writeFileSync(join(folder, 'git'), `#!/bin/bash\n${script}\n`);
  chmodSync(join(folder, 'git'), 0o755);
  return { cwd: folder, env: { PATH: `${folder}:${process.env['PATH']}` } };
};
const isGone = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return true;
  }
};

const written = (name: string): string => {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return '';
  }
};

test('a git that is told to end is ended with what it started', async () => {
  const aborting = new AbortController();
  const call = gitThat('sleep 1000 & echo $! > helper; wait');
  const ending = runGit([], { ...call, signal: aborting.signal });
  await eventually(() => written('helper').endsWith('\n'), 'the helper was started');
  aborting.abort();
  expect(await ending).toMatchObject({ code: null, why: 'aborted' });
  await eventually(() => isGone(Number(written('helper'))), 'the helper is gone');
});

test('one that takes too long, prints too much or is not there says so', async () => {
  const long = await runGit([], gitThat('sleep 1000'), { timeoutMs: 100 });
  expect(long).toMatchObject({ code: null, why: 'timeout' });
  const much = await runGit([], gitThat('yes'), { maxBytes: 5 });
  expect([much.why, much.stdout.toString()]).toEqual(['too-much', 'y\ny\ny']);
  expect(await runGit([], { cwd: folder, env: { PATH: '/nowhere' } })).toMatchObject({ why: 'missing' });
  expect(await runGit([], { cwd: join(folder, 'gone'), env: {} })).toMatchObject({ code: null, why: null });
});

test('what a helper leaves behind, holding on to stderr, is not waited for', async () => {
  const call = gitThat(
    '(trap "" TERM; exec sleep 1000 > /dev/null) & echo $! > left; echo out; echo err >&2; exit 3',
  );
  const end = await runGit([], call);
  process.kill(Number(written('left')), 'SIGKILL');
  expect(end).toMatchObject({ code: 3, stderr: 'err\n', why: null });
  expect(end.stdout.toString()).toBe('out\n');
});

test('nobody is asked, nothing is translated, and a setting with an equals sign in its name arrives', async () => {
  const call = gitThat(
    'echo $GIT_TERMINAL_PROMPT $LC_ALL $GIT_CONFIG_KEY_0 $GIT_CONFIG_VALUE_0 $GIT_CONFIG_COUNT; tty || true',
  );
  const env = { ...call.env, LC_ALL: 'de_DE.UTF-8', GIT_TERMINAL_PROMPT: '1' };
  const end = await runGit([], { ...call, env, config: [['filter.a=b.clean', 'c=d']] });
  expect(end.stdout.toString()).toBe('0 C filter.a=b.clean c=d 1\nnot a tty\n');
});
