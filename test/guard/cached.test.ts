import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BIN } from '../support/program.ts';

test('what the hook compiled is kept for the next call, and damaged it is made anew', () => {
  const home = mkdtempSync(join(tmpdir(), 'planwright-guard-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const call = { session_id: 's', cwd: home, hook_event_name: 'PreToolUse', tool_name: 'Bash' };
  const hook = (command: string) => {
    const input = JSON.stringify({ ...call, tool_input: { command } });
    const env = { PATH: process.env['PATH'], HOME: home, PLANWRIGHT_HOME: join(home, 'pw') };
    const args = [BIN, 'guard', 'hook', 'codex', '--checkpoints=off'];
    return spawnSync(process.execPath, args, { input, env, encoding: 'utf8' }).stdout;
  };
  const folder = join(home, 'pw/cache/code');
  const kept = () => {
    const files = readdirSync(folder)
      .filter((name) => name.startsWith('guard-'))
      .map((name) => join(folder, name));
    // Parts that only some calls load have files of their own, and smaller ones.
    return files.toSorted((a, b) => statSync(b).size - statSync(a).size)[0]!;
  };
  const calls = () => readFileSync(kept())[0];
  expect([hook('ls'), calls()]).toEqual(['{}\n', 1]);
  expect([hook('ls'), calls()]).toEqual(['{}\n', 2]);
  const file = kept();
  writeFileSync(file, Buffer.from('\x09 no code at all'));
  expect(hook('rm -rf /')).toContain('deny');
  expect(readFileSync(file)[0]).toBe(1);
});

// Below /proc no folder can be made, whoever asks; the other is a file.
test.each(['/proc', '/dev/null'])('where nothing can be kept it denies, and ends: %s', (home) => {
  const cwd = mkdtempSync(join(tmpdir(), 'planwright-guard-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const call = { session_id: 's', cwd, hook_event_name: 'PreToolUse', tool_name: 'Bash' };
  const ended = spawnSync(process.execPath, [BIN, 'guard', 'hook', 'codex', '--checkpoints=off'], {
    input: JSON.stringify({ ...call, tool_input: { command: 'touch a' } }),
    env: { PATH: process.env['PATH'], HOME: home },
    encoding: 'utf8',
    // What never ends is ended.
    timeout: 60_000,
  });
  expect(ended).toMatchObject({ signal: null });
  expect(ended.stdout).toContain('deny');
});
