import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
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

/** A bundle of one part, and a folder for its compiled code. */
function smallBundle() {
  const home = mkdtempSync(join(tmpdir(), 'planwright-code-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const [file, folder] = [join(home, 'main.cjs'), join(home, 'code')];
  mkdirSync(folder);
  const write = (says: string) =>
    writeFileSync(
      file,
      `//${'0'.repeat(32)}\n({where: {}, 'main.cjs': (exports) => { exports.said = '${says}'; }})`,
    );
  const loader = join(import.meta.dirname, '../../bin/load.cjs');
  const code =
    'const [loader, ...at] = process.argv.slice(1); process.stdout.write(require(loader).load(...at).said)';
  const said = () =>
    spawnSync(process.execPath, ['-e', code, loader, file, folder], { encoding: 'utf8' }).stdout;
  return { file, folder, write, said };
}

test('the compiled code of a file is not run for another of the same length', () => {
  const { file, write, said } = smallBundle();
  write('one');
  utimesSync(file, 1, 1);
  expect([said(), said()]).toEqual(['one', 'one']);
  write('two');
  expect(said()).toBe('two');
});

test('what older versions compiled is removed when a new one has', () => {
  const { folder, write, said } = smallBundle();
  const ours = `cli-${'f'.repeat(32)}-v20.0.0-x64`;
  const names = [ours, `${ours}.4711`, 'v20.0.0-x64-0-0', 'notes.txt'];
  mkdirSync(join(folder, 'v20.0.0-x64-0-0/inner'), { recursive: true });
  for (const name of names) {
    if (!existsSync(join(folder, name))) writeFileSync(join(folder, name), '');
    utimesSync(join(folder, name), 1, 1);
  }
  writeFileSync(join(folder, ours.replaceAll('f', 'e')), '');
  write('one');
  expect(said()).toBe('one');
  const left = readdirSync(folder).filter((name) => !name.includes('0'.repeat(32)));
  expect(left.toSorted()).toEqual([ours.replaceAll('f', 'e'), 'notes.txt']);
});

test('compiled code is neither read from nor kept in a folder that others may write to', () => {
  const home = mkdtempSync(join(tmpdir(), 'planwright-guard-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, 'cache/code');
  const run = () => {
    const env = { PATH: process.env['PATH'], HOME: home, PLANWRIGHT_HOME: home };
    expect(spawnSync(process.execPath, [BIN, 'risk', 'ls'], { env }).status).toBe(0);
    return readdirSync(folder);
  };
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o777);
  expect(run()).toEqual([]);
  chmodSync(folder, 0o700);
  expect(run()).not.toEqual([]);
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
