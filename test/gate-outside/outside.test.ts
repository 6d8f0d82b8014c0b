import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Bench, openBench, planOf } from '../support/cli.ts';

/** Plans with nobody to ask: what undo could not bring back is not done, and what is done it brings back. */

let bench: Bench;
let outside: string;
beforeEach(() => {
  bench = openBench({ here: true });
  outside = mkdtempSync(join(tmpdir(), 'planwright-outside-'));
  writeFileSync(join(outside, 'f'), 'theirs');
  bench.write('a', 'mine');
  mkdirSync(bench.path('keep'));
  bench.write('keep/f', 'mine');
  symlinkSync(outside, bench.path('link'));
});
afterEach(() => {
  bench.clean();
  rmSync(outside, { recursive: true, force: true });
});

const run = (mode: string, ...steps: string[]) => {
  bench.write('plan.json', planOf(...steps.map((step) => step.replaceAll('OUT', `../${basename(outside)}`))));
  const env = { HOME: outside, ANTHROPIC_API_KEY: 'sk-not-for-steps', GIT_CONFIG_GLOBAL: undefined };
  return bench.run(['run', 'plan.json', '--mode', mode, '--yes', '--on-ask', 'deny'], env);
};

describe.each(['planner', 'agentic'])('in %s mode', (mode) => {
  test.each([
    ['a redirection', 'echo x > OUT/f'],
    ['a link', 'cp a link/f'],
    ['a pattern', 'cp a l*k/f'],
    ['the settings of the user', 'git config --global user.name x'],
    ['a process that is left behind', 'bash -c "sleep 1; echo x > keep/f" &'],
  ])('%s is asked about', async (_, command) => {
    const ended = await run(mode, command, 'sleep 0');
    expect(ended.code, ended.stderr).toBe(1);
    expect(ended.stderr).toContain('nobody was there to approve');
    expect(readFileSync(join(outside, 'f'), 'utf8')).toBe('theirs');
    expect(existsSync(join(outside, '.gitconfig'))).toBe(false);
    expect(readFileSync(bench.path('keep/f'), 'utf8')).toBe('mine');
  });
});

test('what a script leaves running, and changes while a safe step waits, undo brings back', async () => {
  bench.write(
    's.sh',
    '(until pgrep -fx "sleep 1.25"; do sleep 0.02; done; rm -rf keep; touch gone) > seen &\n',
  );
  const waits = 'until test -e gone; do sleep 0.02; done';
  const ended = await run('planner', 'bash s.sh', 'sleep 1.25', waits);
  expect(ended.code, ended.stderr).toBe(0);
  expect(existsSync(bench.path('keep'))).toBe(false);
  expect((await bench.run(['undo', '--yes', '--overwrite-all'])).code).toBe(0);
  expect(readFileSync(bench.path('keep/f'), 'utf8')).toBe('mine');
});

test('model keys are not in the environment of a step', async () => {
  const { code, stdout } = await run('planner', 'env | grep -c sk-not-for-steps || true');
  expect({ code, stdout }).toEqual({ code: 0, stdout: '0\n' });
});
