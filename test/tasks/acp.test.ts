import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AgentRunState, ProjectSettings } from '../../src/core/contract/tasks/index.ts';
import { quoteWord } from '../../src/core/shell/index.ts';
import type { AcpStep } from '../../src/mind/tasks/conformance/acp-agent.ts';
import { processesOf } from '../support/processes.ts';
import { someone } from '../support/someone.ts';
import { openShop } from './shop.ts';

const program = join(import.meta.dirname, '../../src/mind/tasks/conformance/acp-agent.ts');
const commandOf = (steps: AcpStep[] | Record<string, AcpStep[]>, ...more: string[]) =>
  [process.execPath, program, JSON.stringify(steps), ...more].map((word) => quoteWord(word)).join(' ');

const settingsOf = (
  steps: AcpStep[] | Record<string, AcpStep[]>,
  how: Partial<NonNullable<ProjectSettings['programs']>[string]> = { ungated: true },
): Partial<ProjectSettings> => ({
  agents: { default: 'acp:test' },
  programs: { test: { command: commandOf(steps), ...how } },
});

const lastRun = async (shop: Awaited<ReturnType<typeof openShop>>, task: string) => {
  const { phases } = await shop.app.tasks.state(task);
  return (await shop.app.streams.state(phases.at(-1)!.run)) as AgentRunState;
};

it('an agent that speaks the protocol plans, implements through our tools, and is reviewed', async () => {
  const shop = await openShop(
    settingsOf({
      REVIEW_VERDICT: [{ say: 'Looked at it.\n\nREVIEW_VERDICT: APPROVED\n' }],
      planSummary: [
        { say: 'Looking.\n' },
        { permit: { kind: 'execute', title: 'touch x', rawInput: { command: 'touch x' } } },
        { usage: 1200, dollars: 0.25 },
        { say: '{"plan":"# Plan","planSummary":"In short.","subtasks":["one"]}' },
      ],
      summary: [
        { read: 'README.md' },
        { read: 'missing.txt' },
        { write: 'made.txt', text: 'made\n' },
        { terminal: 'echo "$GIT_REFLOG_ACTION" && cat made.txt' },
        { say: '{"summary":"It is made."}' },
      ],
    }),
  );
  const id = await shop.task({ title: 'Make it' });
  const planned = await shop.move(id, 'planning');
  expect(planned).toMatchObject({ status: 'plan_ready', planSummary: 'In short.', costUsd: 0.25 });
  const planning = await lastRun(shop, id);
  // Nothing is changed while it plans, whoever asks.
  expect(planning.calls).toEqual([
    expect.objectContaining({ title: expect.stringContaining('touch x'), allowed: false }),
  ]);
  expect(planning).toMatchObject({ session: 'session-1', tokens: 1200 });
  const ready = await shop.move(id, 'implementing');
  expect(ready.status).toBe('ready');
  expect(shop.git('show', `${ready.branch}:made.txt`)).toBe('made');
  const [, implementing] = ready.phases;
  const { bytes } = await shop.app.streams.output.read(implementing!.run, 'agent', 1, 0, 100_000);
  const said = Buffer.from(bytes).toString();
  expect(said).toMatch(/# Shop\nnot read: .*Resource not found/);
  expect(said).toContain(`planwright ${implementing!.run}\nmade\nexit 0\n`);
});

it('what is dangerous waits for a person, on whom the agent waits; what is blocked and what is denied is not done', async () => {
  const asking = (command: string, then: string): AcpStep => ({
    permit: { kind: 'execute', title: command, rawInput: { command } },
    then: { write: then, text: 'done' },
  });
  const shop = await openShop(
    settingsOf([
      asking('rm -rf /', 'blocked.txt'),
      asking('git push --force origin main', 'granted.txt'),
      asking('git push --force origin other', 'denied.txt'),
      { say: 'done' },
    ]),
  );
  const { app } = shop;
  const id = await shop.task({ title: 'Push it' });
  await app.tasks.ask(
    id,
    { type: 'move-requested', to: 'planning', agent: 'scripted:happy' },
    { by: someone },
  );
  await app.tasks.driveAll(id);
  await app.tasks.ask(id, { type: 'move-requested', to: 'implementing' }, { by: someone });
  const driving = app.tasks.driveAll(id);
  const decide = async (command: string, decision: 'approve' | 'deny') => {
    const { run } = (await until(app, id, ({ phases }) => phases.at(-1)?.mode === 'implement')).phases.at(
      -1,
    )!;
    for (;;) {
      const { seq } = await app.streams.folded(run);
      const asked = await app.tasks.asked(id);
      const action = asked?.approval.subject.action;
      if (action?.kind === 'run-command' && action.command === command) break;
      await app.streams.changed(run, seq, AbortSignal.timeout(30_000));
    }
    expect(await app.tasks.waiting(10)).toMatchObject([
      { row: { id }, asks: `Run ${command}`, risk: 'dangerous' },
    ]);
    await app.tasks.decide(id, decision, { by: someone });
  };
  await decide('git push --force origin main', 'approve');
  await decide('git push --force origin other', 'deny');
  await driving;
  const { phases, branch } = await app.tasks.state(id);
  const { run } = phases.find(({ mode }) => mode === 'implement')!;
  const { calls, approvals } = (await app.streams.state(run)) as AgentRunState;
  expect(calls.map(({ level, allowed }) => `${level} ${allowed}`)).toEqual([
    'blocked false',
    'dangerous true',
    'dangerous false',
  ]);
  expect(approvals.map(({ status }) => status)).toEqual(['granted', 'denied']);
  await expect(app.tasks.decide(id, 'deny', { by: someone })).rejects.toThrow('asks for nothing');
  const files = shop.git('ls-tree', '--name-only', branch!).split('\n');
  expect(files).toEqual(['README.md', 'granted.txt']);
});

it('without anybody to decide, a dangerous call ends the run, and its children with it', async () => {
  const shop = await openShop(
    settingsOf([
      { leave: 'child.pid' },
      { permit: { kind: 'execute', title: 'push', rawInput: { command: 'git push --force origin main' } } },
      { hang: true },
    ]),
    { PLANWRIGHT_ON_ASK: 'fail' },
  );
  const id = await shop.task({ title: 'Push it' });
  await shop.move(id, 'planning', 'scripted:happy');
  const { phases } = await shop.move(id, 'implementing');
  const { run, outcome, message } = phases.at(-1)!;
  expect(`${outcome}: ${message}`).toMatch(/^failed: .*nobody is there/);
  expect(existsSync(join(shop.repository, '.agent-worktrees', id, 'child.pid'))).toBe(true);
  expect(processesOf(run)).toEqual([]);
});

it('without consent it works in a clone of its own, held by a sandbox, and its branch alone is taken', async () => {
  const shop = await openShop(
    settingsOf(
      [
        { writes: '../escaped.txt', text: 'no' },
        { writes: '../../.git/refs/heads/evil', text: 'no' },
        { writes: '.git/refs/heads/evil', text: 'no' },
        { runs: 'git log --format=%s' },
        { writes: 'mine.txt', text: 'mine\n' },
        { say: '{"summary":"Done."}' },
      ],
      {},
    ),
  );
  const id = await shop.task({ title: 'Write it' });
  await shop.move(id, 'planning', 'scripted:happy');
  await shop.app.tasks.ask(id, { type: 'move-requested', to: 'implementing' }, { by: someone });
  await shop.app.tasks.driveAll(id);
  const { phases, branch } = await shop.app.tasks.state(id);
  const { run, outcome, message } = phases.find(({ mode }) => mode === 'implement')!;
  expect(`${outcome} ${message}`).toBe('pr_ready null');
  expect(shop.git('show', `${branch}:mine.txt`)).toBe('mine');
  expect(shop.git('branch', '--format=%(refname:short)').split('\n').sort()).toEqual(['main', branch]);
  expect(existsSync(join(shop.repository, '.agent-worktrees', 'escaped.txt'))).toBe(false);
  expect(existsSync(join(shop.repository, '.agent-worktrees', `${id}.clone`))).toBe(false);
  const { bytes } = await shop.app.streams.output.read(run, 'agent', 1, 0, 100_000);
  // It reads the objects that it was made from.
  expect(Buffer.from(bytes).toString()).toContain('first\nexit 0\n');
});

async function until(
  app: Awaited<ReturnType<typeof openShop>>['app'],
  id: string,
  holds: (state: Awaited<ReturnType<typeof app.tasks.state>>) => boolean,
) {
  for (;;) {
    const { state, seq } = await app.streams.folded(id);
    if (holds(state as never)) return state as unknown as Awaited<ReturnType<typeof app.tasks.state>>;
    await app.streams.changed(id, seq, AbortSignal.timeout(30_000));
  }
}
