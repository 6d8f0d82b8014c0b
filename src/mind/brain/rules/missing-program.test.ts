import { expect, test } from 'vitest';
import { emptyContext } from '../brain.ts';
import { nullProbe, type Probe } from '../probe/probe.ts';
import { createRulesBrain } from './brain.ts';

const here = 'bash cat docker git grep kill ls make npm npx python3 tee yarn'.split(' ');
const probe = {
  ...nullProbe,
  programs: async () => here,
  which: async (name: string) => (here.includes(name) ? `/usr/bin/${name}` : (false as const)),
  packagesOf: async () => [],
  kind: async () => 'absent' as const,
  entries: async () => [],
};

const mend = async (command: string, more: Partial<Probe> = {}) => {
  const [program] = command.split(' ');
  const correction = await createRulesBrain({ probeAt: () => ({ ...probe, ...more }) }).analyzeFailure(
    {
      step: { title: 'x', action: { kind: 'run-command', command } },
      result: {
        exitCode: 127,
        stdoutTail: '',
        stderrTail: `bash: line 1: ${program}: command not found\n`,
        why: 'exit-code',
      },
      earlier: [],
      cwd: '/w',
      shell: 'bash',
      goal: '',
    },
    emptyContext,
  );
  return correction?.modifiedCommand ?? null;
};

test.each([
  'tree notes',
  'nox',
  'rake clean',
  'pnpm install',
  'pkill web',
  'packer build .',
  'bat a',
  'fd x',
])('%s is of a program that is absent, not misspelt', async (command) => {
  expect(await mend(command)).toBeNull();
});

test.each([
  ['gti status', null],
  ['gerp -r x .', 'grep -r x .'],
  ['mkae all', 'make all'],
  ['dcoker ps', 'docker ps'],
  // One letter is another, and no neighbour of the right one.
  ['mabe all', null],
])('%s: only a slip of the fingers is one', async (command, right) => {
  expect(await mend(command)).toBe(right);
});

test('what a package brings, or the folder speaks of, is absent, however near another program is', async () => {
  // By its letters it is nobody's program, and one slip from make.
  const slip = 'mkae all';
  expect(await mend(slip)).toBe('make all');
  expect(await mend(slip, { packagesOf: async () => ['mkae-tools'] })).toBeNull();
  const folder = (name: string, text: string): Partial<Probe> => ({
    entries: async () => [name],
    readText: async (path) => (path === name ? text : null),
  });
  expect(await mend(slip, folder('pyproject.toml', '[tool.mkae]\n'))).toBeNull();
  expect(await mend(slip, folder('mkaefile', ''))).toBeNull();
  expect(await mend(slip, folder('pyproject.toml', '[tool.ruff]\n'))).toBe('make all');
});

test.each([
  ['twe notes', null],
  ['kull 5', null],
  ['teee notes', 'tee notes'],
  ['gerp x', 'grep x'],
])('%s: what writes or ends something is named by its own letters', async (command, right) => {
  expect(await mend(command)).toBe(right);
});
