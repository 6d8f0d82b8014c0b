import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findMarked, probeSandbox } from '../process/index.ts';
import { createWorktrees } from './index.ts';
import { begunRun, makeDesk, prepared } from './testing.ts';

const { works } = await probeSandbox();
let isConfined = false;
const desk = makeDesk({
  sandbox: (workspace) =>
    isConfined
      ? {
          workspace,
          grants: {},
          home: join(desk.folder, 'home'),
          caches: [],
          storeDir: join(desk.folder, 'store'),
        }
      : null,
});
const { repository, worktrees } = desk;
const signal = new AbortController().signal;
const commands = ['echo set > up'];
const begin = (task: string, run = `${task}a1`) =>
  prepared(worktrees, begunRun({ path: repository, task, run, given: { setupCommands: commands } }));

test('commands run in the worktree one after the other until one fails, and what they said last is kept', async () => {
  const { state, path } = await begin('t1');
  const long = 'for i in $(seq 3000); do echo "line $i"; done; pwd';
  const results = await worktrees.check(state, [long, 'echo no >&2; exit 3', 'echo never'], signal);
  expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 3]);
  expect(results[0]!.tail.endsWith(`line 3000\n${path}\n`)).toBe(true);
  expect(results[0]!.tail.length).toBeLessThan(10_000);
  expect(results[1]).toMatchObject({ command: 'echo no >&2; exit 3', tail: 'no\n' });
});

test('one that never ends is ended with everything that it started; so is one that is stopped', async () => {
  const { state } = await begin('t2');
  const impatient = createWorktrees({ ...desk.settings, checkTimeoutMs: 300 });
  const [result] = await impatient.check(
    state,
    ['setsid sleep 1000 & (setsid sh -c "sleep 1000 & exit" &); sleep 1000'],
    signal,
  );
  expect(result).toMatchObject({
    exitCode: null,
    tail: expect.stringContaining('it took longer than 0.3 s'),
  });
  expect(findMarked({ run: 't2a1' })).toEqual([]);
  const stopped = await worktrees.check(state, ['sleep 1000'], AbortSignal.abort());
  expect(stopped).toMatchObject([{ exitCode: null }]);
});

test('a worktree is new until its set-up has passed, whichever run began it', async () => {
  const first = await begin('t3');
  expect(first.isNew).toBe(true);
  await worktrees.check(first.state, ['false'], signal);
  const second = await begin('t3', 't3a2');
  expect(second.isNew).toBe(true);
  await worktrees.check(second.state, commands, signal);
  expect((await begin('t3', 't3a3')).isNew).toBe(false);
});

test.runIf(works)(
  'in the sandbox nothing but the worktree is written, and why it was refused is told',
  async () => {
    isConfined = true;
    mkdirSync(join(desk.folder, 'store'), { recursive: true });
    const { state, path } = await begin('t4');
    const out = join(homedir(), '.planwright-never');
    const results = await worktrees.check(
      state,
      ['echo built > built; echo left > /tmp/planwright-report.txt', `echo x > ${out}`],
      signal,
    );
    expect(readFileSync(join(path, 'built'), 'utf8')).toBe('built\n');
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 1]);
    expect(results[1]!.tail).toContain(`the sandbox refused it: It may not write to ${out}.`);
    expect([existsSync(out), existsSync('/tmp/planwright-report.txt')]).toEqual([false, false]);
  },
);
