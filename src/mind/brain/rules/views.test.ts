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
writeFileSync(join(cwd, 'sub/package.json'), '{"scripts":{"build":"x"}}');
writeFileSync(join(cwd, 'sub/Makefile'), 'install:\n\ttouch x\n');
mkdirSync(join(cwd, 'sub/deep'));
writeFileSync(join(cwd, 'sub/deep/only.js'), '');

const brain = createRulesBrain({ probeAt: (folder) => createProbe({ cwd: folder, env: process.env }) });
const correct = (command: string, stderrTail: string, expects?: string) =>
  brain.analyzeFailure(
    {
      step: { title: 'x', action: { kind: 'run-command', command }, ...(expects ? { expects } : {}) },
      result: { exitCode: 1, stdoutTail: '', stderrTail, why: 'exit-code' },
      earlier: [],
      cwd,
      shell: 'bash',
      goal: '',
    },
    emptyContext,
  );
const mend = async (command: string, stderrTail: string) => {
  const correction = await correct(command, stderrTail);
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
  ['npm --prefix sub run biuld', 'npm error Missing script: "biuld"\n', 'npm --prefix sub run build'],
  [
    'git -C sub add note.txt',
    "fatal: pathspec 'note.txt' did not match any files\n",
    'git -C sub add notes.txt',
  ],
  [
    'cd sub && cp run.sh out/b/run.sh',
    "cp: cannot create regular file 'out/b/run.sh': No such file or directory\n",
    'RUN_COMMAND (cd sub && mkdir -p out/b)',
  ],
  ['cd sbu && make', 'bash: line 1: cd: sbu: No such file or directory\n', 'cd sub && make'],
  [
    'npm --prefix sbu run build',
    `npm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '${cwd}/sbu/package.json'\n`,
    'npm --prefix sub run build',
  ],
  [
    'cd sub && npm --prefix deeep run x',
    `npm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '${cwd}/sub/deeep/package.json'\n`,
    'cd sub && npm --prefix deep run x',
  ],
  [
    'cd sub && echo ok > logs/$(date +%Y)/a.txt',
    'bash: line 1: logs/2026/a.txt: No such file or directory\n',
    'RUN_COMMAND (cd sub && mkdir -p logs/$(date +%Y))',
  ],
  [
    'cd sub && node only.js',
    `Error: Cannot find module '${cwd}/sub/only.js'\n    at Module._load (node:internal)\n`,
    'cd sub && node deep/only.js',
  ],
  ['make -C sbu', 'make: *** sbu: No such file or directory.  Stop.\n', 'make -C sub'],
  ['cd "$WHERE" && ./run.sh', denied, null],
])('%s is mended where it failed', async (command, said, expected) => {
  expect(await mend(command, said)).toBe(expected);
});

writeFileSync(join(cwd, 'sub/deep/only.sh'), '#!/bin/sh\n', { mode: 0o644 });
writeFileSync(join(cwd, 'sub/only.sh'), '#!/bin/sh\n', { mode: 0o644 });
mkdirSync(join(cwd, 'shared'));
mkdirSync(join(cwd, 'alone'));
writeFileSync(join(cwd, 'alone/package.json'), '{}');
writeFileSync(join(cwd, 'alone/CMakeLists.txt'), '');

const noFolder = (path: string): string =>
  `cp: cannot create regular file '${path}': No such file or directory\n`;
const noLock = 'npm error The `npm ci` command can only install with an existing package-lock.json or\n';

test('where the right place is in doubt, a repair behind cd says so', async () => {
  const doubt = async (...failed: Parameters<typeof correct>) => {
    const correction = await correct(...failed);
    expect(correction?.newSteps, failed[0]).toHaveLength(1);
    return correction?.doubt;
  };
  expect(await doubt('cd sub && ./run.sh', denied)).toMatch(/`run.sh` is also where/);
  expect(await doubt('cd sub && ./only.sh', denied.replace('run', 'only'))).toBeUndefined();
  expect(await doubt('./run.sh', denied)).toBeUndefined();
  expect(await doubt('cd sub && cd deep && ./only.sh', denied.replace('run', 'only'))).toMatch(/only.sh/);
  expect(await doubt('cd sub && cp notes.txt new/n', noFolder('new/n'))).toBeUndefined();
  expect(await doubt('cd sub && cp notes.txt new/a/n', noFolder('new/a/n'))).toMatch(/Nothing of `new\/a`/);
  expect(
    await doubt('cd sub && cp notes.txt new/a/n', noFolder('new/a/n'), 'file exists sub/new/a/n'),
  ).toBeUndefined();
  const inside = "Fatal error: can't create build/obj/a.o: No such file or directory\nmake: *** Error 1\n";
  expect(await doubt('cd sub && make install', inside)).toBeUndefined();
  const noBuild = `Error: ${cwd}/alone/work is not a directory\n`;
  expect(await doubt('cd alone && cmake --build work', noBuild)).toBeUndefined();
  expect(await doubt('cd sub && cp notes.txt shared/n', noFolder('shared/n'))).toMatch(/is also where/);
  expect(await doubt('cd alone && npm ci', noLock)).toBeUndefined();
  writeFileSync(join(cwd, 'package.json'), '{}');
  expect(await doubt('cd alone && npm ci', noLock)).toMatch(/within another one/);
});
