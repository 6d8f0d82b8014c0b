import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Bench, openBench } from '../support/cli.ts';
import { start } from '../support/processes.ts';
import { BIN } from '../support/program.ts';

let bench: Bench;
beforeEach(() => {
  bench = openBench({ here: true });
});
afterEach(() => bench.clean());

it('runs a command, says what went wrong, and mends it when asked', async () => {
  const told = await bench.run(['diagnose', '--', 'touch', 'a/b/file']);
  expect(told.code).toBe(1);
  expect(told.stderr).toContain('mkdir -p a/b');
  expect(existsSync(bench.path('a'))).toBe(false);
  expect((await bench.run(['diagnose', '--apply', '--', 'touch', 'a/b/file'])).code).toBe(0);
  expect(existsSync(bench.path('a/b/file'))).toBe(true);
});

it('leaves alone what it does not understand, and what succeeds', async () => {
  const unknown = await bench.run(['diagnose', '--', 'sh -c "echo strange >&2; exit 9"']);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('No brain is sure');
  expect((await bench.run(['diagnose', '--', 'true'])).code).toBe(0);
});

it('--batch answers line for line', async () => {
  const lines = [
    {
      command: 'git brnch',
      output: "git: 'brnch' is not a git command.\n\nThe most similar command is\n\tbranch",
      exitCode: 1,
    },
    { command: 'exit 3', output: '', exitCode: 3 },
  ];
  const input = `${lines.map((line) => JSON.stringify(line)).join('\n')}\nnot json\n`;
  const { stdout } = await start(process.execPath, [BIN, 'diagnose', '--batch'], {
    cwd: bench.workspace,
    input,
  }).ended;
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers[0]).toMatchObject({ action: 'modify', modifiedCommand: 'git branch' });
  expect(answers[1]).toBeNull();
  expect(answers[2]).toHaveProperty('error');
});
