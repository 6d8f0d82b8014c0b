import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GuardedAgent, guardedAgents } from '../../src/core/contract/guard/index.ts';
import { asLine, wordsBefore } from '../../src/core/guard/settings/index.ts';
import { wordsAfter } from '../../src/core/guard/settings/line.ts';

let folder: string;
const file = (name: string) => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright o'line "));
  const programs = {
    answers: 'cat >/dev/null; echo \'{"said":"$1 it\'"\'"\'s"}\'',
    repeats: 'cat',
    crashes: 'echo half; kill -SEGV $$',
    fails: 'exit 1',
    silent: 'exit 0',
    hangs: 'exec sleep 600',
  };
  for (const [name, text] of Object.entries(programs))
    writeFileSync(file(name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  // A system without `timeout`, as a Mac is.
  mkdirSync(file('mac'));
  for (const name of ['sh', 'perl', 'sleep', 'cat']) {
    const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
    symlinkSync(stdout.trim(), join(file('mac'), name));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the line comes to, run by a shell as agents do. */
function run(
  agent: GuardedAgent,
  name: string,
  { words = wordsBefore, PATH = process.env['PATH'], system = '/usr/bin:/bin' } = {},
) {
  const line = asLine(words(agent, { words: [file(name)], checkpoints: 'auto', seconds: 1, system }));
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', line], {
    input: '{"a":1}',
    env: { PATH },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const isDeny = ({ status, stdout, stderr }: ReturnType<typeof run>): boolean =>
  (status === 2 && stdout === '' && stderr.includes('denied')) ||
  (status === 0 && JSON.stringify(JSON.parse(stdout)).includes('"deny"'));

test('what the guard says is passed on as it is, and what it is told reaches it', () => {
  expect(run('claude-code', 'answers')).toMatchObject({ status: 0, stdout: '{"said":"$1 it\'s"}\n' });
  expect(run('claude-code', 'repeats')).toMatchObject({ status: 0, stdout: '{"a":1}\n' });
});

test.each(guardedAgents.map((agent) => [agent]))(
  '%s: silence, a crash, a deadline and absence are a deny',
  (agent) => {
    for (const name of ['silent', 'crashes', 'fails', 'hangs', 'gone'])
      expect(isDeny(run(agent, name)), name).toBe(true);
  },
);

test('the same without the program that keeps deadlines', () => {
  const where = { PATH: file('mac'), system: '/nowhere' };
  for (const name of ['silent', 'hangs', 'gone']) expect(isDeny(run('codex', name, where)), name).toBe(true);
  expect(run('codex', 'repeats', where)).toMatchObject({ status: 0, stdout: '{"a":1}\n' });
});

test('what an agent puts on the PATH does not answer in its place', () => {
  mkdirSync(file('bin'));
  for (const name of ['sh', 'timeout', 'perl', 'env'])
    writeFileSync(join(file('bin'), name), '#!/bin/sh\necho "{}"\n', { mode: 0o755 });
  const PATH = `${file('bin')}:${process.env['PATH']}`;
  for (const name of ['silent', 'gone']) expect(isDeny(run('codex', name, { PATH })), name).toBe(true);
});

test('after a call nothing is denied any more', () => {
  for (const name of ['silent', 'crashes', 'gone'])
    expect(run('gemini', name, { words: wordsAfter })).toMatchObject({ status: 0, stdout: '{}\n' });
});
