import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openApp } from './app.ts';
import { ownerAt } from './asker.ts';
import { runOptions } from './options.ts';
import { loadPlan } from './plans.ts';
import { runFile } from './run-file.ts';

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'pw-run-file-')));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const env = () => ({ PATH: process.env['PATH'], HOME: cwd, PLANWRIGHT_HOME: join(cwd, 'home') });
const write = (name: string, ...commands: string[]) =>
  writeFileSync(
    join(cwd, name),
    JSON.stringify({ goal: 'g', plan: commands.map((command) => ({ step: command, run: command })) }),
  );

test('a file is run in one call, and every event is told, the last one too', async () => {
  write('plan.yaml', 'echo one', 'echo two');
  const told: string[] = [];
  const ran = await runFile('plan.yaml', {
    cwd,
    env: env(),
    onEvent: ({ event }) => void told.push(event.type),
  });
  expect(ran).toMatchObject({ ok: true, problems: [], exitCode: 0, state: { status: 'done' } });
  expect(told[0]).toBe('plan-created');
  expect(told.at(-1)).toBe('run-finished');
});

test('what needs a person is asked of the caller, and what they leave stays open', async () => {
  write('plan.yaml', 'rm x');
  writeFileSync(join(cwd, 'x'), '');
  const asked: string[] = [];
  const left = await runFile('plan.yaml', {
    cwd,
    env: env(),
    decide: ({ kind }) => {
      asked.push(kind);
      return null;
    },
  });
  expect(left).toMatchObject({ ok: false, exitCode: 3, state: { status: 'waiting' } });
  expect([asked, existsSync(join(cwd, 'x'))]).toEqual([['approval'], true]);
  const approved = await runFile('plan.yaml', {
    cwd,
    env: env(),
    decide: (question) =>
      question.kind === 'approval'
        ? { type: 'approval-decided', approvalId: question.approval.id, decision: 'approve' }
        : null,
  });
  expect([approved.ok, existsSync(join(cwd, 'x'))]).toEqual([true, false]);
});

test('a file that is missing is answered as a plan that does not hold is', async () => {
  const missing = await runFile('nowhere.yaml', { cwd, env: env() });
  expect(missing).toMatchObject({ ok: false, id: null, exitCode: 2, problems: [{ code: 'file-missing' }] });
  expect(await loadPlan({ path: cwd, cwd })).toMatchObject({
    ok: false,
    problems: [{ code: 'file-unreadable' }],
  });
  writeFileSync(join(cwd, 'bad.yaml'), 'goal: g\n');
  expect(await runFile('bad.yaml', { cwd, env: env() })).toMatchObject({ ok: false, id: null, exitCode: 2 });
});

test('a run that is made by hand has the usual values of its inputs, and none where one is missing', async () => {
  const plan = {
    goal: 'g',
    inputs: ['who', { name: 'how', default: 'loud' }],
    plan: [{ step: 's', run: 'echo {how} {who} > said' }],
  };
  writeFileSync(join(cwd, 'plan.yaml'), JSON.stringify(plan));
  const app = await openApp({ cwd, env: env() });
  try {
    const loaded = await loadPlan({ path: 'plan.yaml', cwd, env: env(), workspace: cwd });
    if (!loaded.ok) throw new Error('the plan holds');
    const made = (inputs: Record<string, string>) =>
      app.runs.create({
        plan: loaded.plan,
        workspace: cwd,
        options: runOptions(app.config.values, loaded.plan, { attended: false, inputs }),
        agreed: ownerAt('library'),
      });
    await app.runs.drive(await made({ who: 'Ada' }));
    expect(readFileSync(join(cwd, 'said'), 'utf8')).toBe('loud Ada\n');
    await expect(made({})).rejects.toMatchObject({ code: 'input-missing' });
  } finally {
    await app.close();
  }
});
