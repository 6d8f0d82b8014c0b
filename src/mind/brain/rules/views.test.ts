import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { emptyContext } from '../brain.ts';
import { createProbe } from '../probe/index.ts';
import { createRulesBrain } from './brain.ts';

const cwd = mkdtempSync(join(tmpdir(), 'views-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
mkdirSync(join(cwd, 'sub'));
// The same name where the step began is somebody else's file.
for (const file of ['run.sh', 'sub/run.sh']) writeFileSync(join(cwd, file), '#!/bin/sh\n', { mode: 0o644 });
writeFileSync(join(cwd, 'sub/notes.txt'), '');
writeFileSync(join(cwd, 'sub/Makefile'), 'install:\n\ttouch x\n');

const brain = createRulesBrain({ probeAt: (folder) => createProbe({ cwd: folder, env: process.env }) });
const mend = async (command: string, stderrTail: string) => {
  const correction = await brain.analyzeFailure(
    {
      step: { title: 'x', action: { kind: 'run-command', command } },
      result: { exitCode: 1, stdoutTail: '', stderrTail, why: 'exit-code' },
      earlier: [],
      cwd,
      shell: 'bash',
      goal: '',
    },
    emptyContext,
  );
  return correction?.modifiedCommand ?? correction?.newSteps?.map(({ action }) => action).join('; ') ?? null;
};

const denied = 'bash: line 1: ./run.sh: Permission denied\n';
const noTarget = "make: *** No rule to make target 'instal'.  Stop.\n";

test.each([
  ['cd sub && ./run.sh', denied, 'RUN_COMMAND (cd sub && chmod +x ./run.sh)'],
  ['(cd sub; ./run.sh)', denied, 'RUN_COMMAND (cd sub && chmod +x ./run.sh)'],
  ["bash -c 'cd sub && ./run.sh'", denied, 'RUN_COMMAND (cd sub && chmod +x ./run.sh)'],
  ['pushd sub && cat note.txt', 'cat: note.txt: No such file or directory\n', 'pushd sub && cat notes.txt'],
  ['cd sub && make instal', noTarget, 'cd sub && make install'],
  ['env -C sub make instal', noTarget, 'env -C sub make install'],
  ['make -C sub instal', noTarget, 'make -C sub install'],
  [
    'cd sub && cp run.sh out/b/run.sh',
    "cp: cannot create regular file 'out/b/run.sh': No such file or directory\n",
    'RUN_COMMAND (cd sub && mkdir -p out/b)',
  ],
  ['cd sbu && make', 'bash: line 1: cd: sbu: No such file or directory\n', 'cd sub && make'],
  ['cd "$WHERE" && ./run.sh', denied, null],
])('%s is mended where it failed', async (command, said, expected) => {
  expect(await mend(command, said)).toBe(expected);
});
