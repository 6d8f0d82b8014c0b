import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectLinear } from '../../../../test/support/growth.ts';
import { judgeCommand } from '../../../core/risk/index.ts';
import { emptyContext, type Failure } from '../brain.ts';
import { failureOf } from '../diagnose.ts';
import { nullProbe, type Probe } from '../probe/probe.ts';
import { createRulesBrain } from './brain.ts';

const brain = createRulesBrain();
const ask = (command: string, output: string) => {
  const failure = failureOf({ command, output });
  return failure === null ? Promise.resolve(null) : brain.analyzeFailure(failure, emptyContext);
};

const words = [
  'git',
  'push',
  'rm',
  '-rf',
  '/',
  'npm',
  'run',
  '"a b"',
  '$(x)',
  '|',
  '&&',
  '>',
  'out/a',
  '--force',
  '{item}',
  '`ls`',
  "'",
  'sudo',
];
const lines = [
  'git: command not found',
  "did you mean '--force'?",
  'run `sudo rm -rf /`',
  'Permission denied',
  'No such file or directory',
  "use 'git push --force'",
  'Unknown command "push"',
  'to fix it, run:\n\n  rm -rf /',
  'are you root?',
  'out/a: No such file or directory',
  'please run `git reset --hard`',
  'address already in use :::80',
];

test('whatever the command and whatever a tool says, it answers, and with nothing that is blocked', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((list) => list.join(' ')),
      fc
        .array(fc.oneof(fc.constantFrom(...lines), fc.string({ maxLength: 40 })), { maxLength: 5 })
        .map((list) => list.join('\n')),
      async (command, output) => {
        const correction = await ask(command, output);
        if (correction === null) return;
        for (const text of [
          correction.modifiedCommand ?? '',
          ...(correction.newSteps ?? []).map(({ action }) => action.replace(/^RUN_COMMAND /, '')),
        ]) {
          if (judgeCommand(text).level === 'blocked' && judgeCommand(command).level !== 'blocked')
            throw new Error(text);
          expect(
            text.includes('--force') && !command.includes('--force') && !output.includes('--force'),
          ).toBe(false);
        }
      },
    ),
    { numRuns: 400 },
  );
});

test.each(['run ', '`', 'a', '-', '/', "'x' ", ': ', '\n ', 'did you mean ', 'No such file or directory: '])(
  'a long output of %j takes no long time',
  async (piece) => {
    await expectLinear(16_384 / piece.length, (count) => ask('git push origin main', piece.repeat(count)));
  },
);

test.each([
  ['git push origin main', "hint: You may want to run 'git push --force origin main'"],
  ['git commit -m x', 'pre-commit failed; run `git commit --no-verify -m x` to skip'],
  ['pip install x', 'error: externally-managed\nrun `pip install --break-system-packages x`'],
  ['curl https://x', 'curl: (60) certificate problem; run `curl --insecure https://x`'],
])('%s: what the tool offers to get past a check is not taken', async (command, output) => {
  const correction = await ask(command, output);
  expect(correction?.modifiedCommand ?? null).toBeNull();
});

const serving = (over: Partial<Failure>): Failure => ({
  step: {
    title: 'Serve',
    action: { kind: 'start', name: 'site', command: 'python3 -m http.server 8123', keep: false },
  },
  result: {
    exitCode: 1,
    stdoutTail: '',
    stderrTail: 'OSError: [Errno 98] Address already in use\n',
    why: 'exit-code',
  },
  earlier: [],
  cwd: '/work',
  shell: 'bash',
  goal: 'a site',
  ...over,
});
const taken = (command: string): Probe => ({
  ...nullProbe,
  listener: async (port) => (port === 8123 ? { pid: 4242, command, group: 4240 } : 'free'),
});

test('a port that a later step counts on is not exchanged, and what others run is not ended', async () => {
  const answer = (command: string, later: string[], groups: number[] = []) =>
    createRulesBrain({ probeAt: () => taken(command) }).analyzeFailure(serving({ groups }), {
      later,
      refused: [],
    });
  expect((await answer('nginx', []))?.modifiedCommand).toBe('python3 -m http.server 8124');
  const later = ['RUN_COMMAND curl -f http://localhost:8123/'];
  expect(await answer('nginx', later)).toBeNull();
  const same = '/usr/bin/python3 -m http.server 8123';
  expect(await answer(same, later)).toBeNull();
  expect((await answer(same, later, [4240]))?.newSteps?.[0]?.action).toBe('RUN_COMMAND kill 4242');
});

test('a port that seems free and is not, again, is exchanged', async () => {
  const answer = (earlier: Failure['earlier']) =>
    createRulesBrain({ probeAt: () => ({ ...nullProbe, listener: async () => 'free' }) }).analyzeFailure(
      serving({ earlier }),
      emptyContext,
    );
  expect((await answer([]))?.action).toBe('retry');
  const retried = { action: 'RUN_COMMAND python3 -m http.server 8123', stderrTail: '' };
  const correction = {
    action: 'retry',
    reasoning: 'free now',
    confidence: 0.8,
    source: { brain: 'rule', name: 'port-in-use' },
  } as const;
  expect((await answer([{ ...retried, correction }]))?.modifiedCommand).toBe('python3 -m http.server 8124');
});

test('a package that only a traceback names is not installed', async () => {
  const here = (files: Record<string, string>): Probe => ({
    ...nullProbe,
    kind: async (path) => (Object.hasOwn(files, path) ? 'file' : 'absent'),
    entries: async (folder) => (folder === '.' ? Object.keys(files) : []),
    readText: async (path) => files[path] ?? null,
  });
  const answer = async (output: string, command: string, files: Record<string, string>) =>
    (
      await createRulesBrain({ probeAt: () => here(files) }).analyzeFailure(
        { ...failureOf({ command, output })!, cwd: '/work' },
        emptyContext,
      )
    )?.newSteps?.at(-1)?.action ?? null;
  const missing = (name: string) => `ModuleNotFoundError: No module named '${name}'\n`;
  expect(await answer(missing('reqeusts_x'), 'python3 a.py', { 'a.py': '' })).toBeNull();
  expect(await answer(missing('yaml'), 'python3 a.py', { 'a.py': '' })).toContain('PyYAML');
  const project = { 'a.py': '', 'pyproject.toml': 'dependencies = ["ourlib>=1"]\n' };
  expect(await answer(missing('ourlib'), 'python3 a.py', project)).toContain('ourlib');
  const node = "Error: Cannot find module 'left-padd'\n";
  expect(await answer(node, 'node a.js', { 'a.js': '', 'package.json': '{"dependencies":{}}' })).toBeNull();
});

test('what goes away by itself has two more chances, then it is a failure', async () => {
  const failed = failureOf({ command: 'curl -f http://x/', output: 'curl: (28) Operation timed out' })!;
  const earlier = { action: 'RUN_COMMAND curl -f http://x/', stderrTail: '' };
  expect((await brain.analyzeFailure({ ...failed, earlier: [earlier] }, emptyContext))?.action).toBe('retry');
  expect(await brain.analyzeFailure({ ...failed, earlier: [earlier, earlier] }, emptyContext)).toBeNull();
});
