import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AgentRunState } from '../../src/core/contract/tasks/index.ts';
import { setTrust } from '../../src/doors/app/trust.ts';
import { eventually, start } from '../support/processes.ts';
import { BIN } from '../support/program.ts';
import { someone } from '../support/someone.ts';
import { openShop, put, type Shop } from './shop.ts';

/** A script of the project's own. */
async function scripted({ app, repository }: Shop, name: string, script: unknown): Promise<void> {
  put(repository, `.planwright/agents/${name}.script.json`, JSON.stringify(script));
  await setTrust(app.places, repository, true);
}
const last = async ({ app }: Shop, task: string): Promise<AgentRunState> =>
  (await app.streams.state((await app.tasks.state(task)).phases.at(-1)!.run)) as AgentRunState;

it('an agent that ends well and left nothing is not ready; one that says something else is reported, and placed by a person', async () => {
  const shop = await openShop();
  await scripted(shop, 'empty', { implement: [{ finish: 'pr_ready' }], plan: [{ finish: 'puzzled' }] });
  const id = await shop.task({ title: 'Nothing' });
  expect(await shop.move(id, 'implementing', 'scripted:empty')).toMatchObject({
    status: 'stuck',
    phases: [{ outcome: 'no_changes' }],
  });
  const other = await shop.task({ title: 'Something else' });
  expect(await shop.move(other, 'planning', 'scripted:empty')).toMatchObject({
    status: 'planning',
    unknownOutcome: 'puzzled',
  });
  expect((await shop.app.tasks.find(other)).message).toContain('puzzled');
  expect(await shop.move(other, 'planning')).toMatchObject({ status: 'plan_ready', unknownOutcome: null });
});

it('an agent that is not there, a script that writes outside, a folder that was removed by hand', async () => {
  const shop = await openShop();
  await scripted(shop, 'out', {
    implement: [{ write: '../../outside.txt', text: 'x' }, { finish: 'pr_ready' }],
  });
  const id = await shop.task({ title: 'Outside' });
  for (const agent of ['scripted:nobody', 'scripted:constructor']) {
    const stuck = await shop.move(id, 'implementing', agent);
    expect(stuck.phases.at(-1)).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining(agent),
    });
  }
  await shop.move(id, 'implementing', 'scripted:out');
  expect(existsSync(join(shop.repository, 'outside.txt'))).toBe(false);
  rmSync(join(shop.repository, '.agent-worktrees', id), { recursive: true });
  expect(await shop.move(id, 'implementing')).toMatchObject({ status: 'ready' });
});

it('the base goes on: what conflicts is not rebased and said so; merging reports it and does nothing by halves', async () => {
  const shop = await openShop();
  const { git, repository, ask, move, task } = shop;
  await scripted(shop, 'readme', {
    implement: [{ write: 'README.md', text: '# Ours\n' }, { commit: 'Ours' }, { finish: 'pr_ready' }],
  });
  const id = await task({ title: 'Rename' });
  await move(id, 'implementing', 'scripted:readme');
  put(repository, 'README.md', '# Theirs\n');
  git('commit', '--quiet', '--all', '-m', 'Theirs');
  const before = git('rev-parse', 'main');
  const reviewed = await move(id, 'reviewing');
  expect(reviewed.status).toBe('ready');
  expect((await last(shop, id)).worktree?.warnings.join()).toContain('conflicts in README.md');
  const failed = await ask(id, { type: 'merge-requested', how: 'merge' });
  expect(failed).toMatchObject({ status: 'ready', mergeFailure: { conflicts: ['README.md'] } });
  expect([git('rev-parse', 'main'), git('status', '--porcelain', '--untracked-files=no')]).toEqual([
    before,
    '',
  ]);
});

it('what nobody has reviewed is not merged: not what was added since, and not what the review added', async () => {
  const shop = await openShop();
  const { git, move, ask, task, repository } = shop;
  await scripted(shop, 'adds', {
    review: [{ write: 'more.txt', text: 'more\n' }, { commit: 'More' }, { finish: 'approved' }],
  });
  const merge = (id: string) => ask(id, { type: 'merge-requested', how: 'merge' });
  const id = await task({ title: 'Reviewed' });
  await move(id, 'implementing');
  const before = git('rev-parse', 'main');
  expect(await move(id, 'reviewing', 'scripted:adds')).toMatchObject({ status: 'ready' });
  expect(await merge(id)).toMatchObject({ status: 'ready', mergeFailure: { code: 'moved-since' } });
  expect(git('rev-parse', 'main')).toBe(before);
  const { seen } = await move(id, 'reviewing');
  expect(seen).toBe(git('-C', join(repository, '.agent-worktrees', id), 'rev-parse', 'HEAD'));
  expect(await merge(id)).toMatchObject({ status: 'merged' });
});

it('a base that is gone is a failure with its reason', async () => {
  const shop = await openShop({ baseBranch: 'release' });
  const id = await shop.task({ title: 'No base' });
  expect((await shop.move(id, 'implementing')).phases[0]).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining('release'),
  });
});

it('an agent that never ends is stopped, by a person or by its time, and the task says so', async () => {
  const shop = await openShop();
  const { app, task } = shop;
  await scripted(shop, 'waits', { implement: [{ say: 'x'.repeat(100) }, { await: 'never' }] });
  const id = await task({ title: 'Waits' });
  await app.tasks.ask(
    id,
    { type: 'move-requested', to: 'implementing', agent: 'scripted:waits' },
    { by: someone },
  );
  const driven = app.tasks.driveAll(id);
  await eventually(async () => {
    const run = (await app.tasks.state(id)).phases[0]?.run;
    return run !== undefined && (await app.streams.row(run))?.state === 'running';
  }, 'the agent is at work');
  const other = await shop.open();
  await other.streams.request(id, { type: 'stop-requested' }, { by: someone });
  // Whoever comes by in the meantime ends nobody's work: the run has a living driver.
  await expect(other.streams.drive((await app.tasks.state(id)).phases[0]!.run)).resolves.toMatchObject({
    why: 'claimed',
  });
  for (let looks = 0; looks < 3; looks += 1) await other.streams.drive(id);
  expect(await driven).toMatchObject({ status: 'stuck', phases: [{ outcome: 'stopped' }] });
});

it('a secret that set-up or validation prints is neither kept nor told to the agent', async () => {
  const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  const shop = await openShop(
    { validationCommands: ['cat key.txt; false'], maxValidationRetries: 1 },
    { PLANWRIGHT_SANDBOX: 'off' },
  );
  await scripted(shop, 'prints', {
    implement: [{ write: 'key.txt', text: `${token}\nfailed\n` }, { commit: 'Key' }, { finish: 'pr_ready' }],
  });
  const id = await shop.task({ title: 'Print it' });
  await shop.move(id, 'implementing', 'scripted:prints');
  const { attempts } = await last(shop, id);
  expect(attempts[1]?.errors).toContain('failed');
  expect(JSON.stringify(attempts)).not.toContain(token);
});

it('a secret in what an agent answered is in nothing that the terminal shows', async () => {
  const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  const shop = await openShop();
  await scripted(shop, 'tells', {
    plan: [
      { finish: 'plan_complete', payload: { plan: `Use ${token}`, planSummary: token, subtasks: [token] } },
    ],
    plan_revision: [{ fail: `no: ${token}` }],
  });
  const id = await shop.task({ title: 'Tell it' });
  await shop.move(id, 'planning', 'scripted:tells');
  await shop.ask(id, { type: 'comment-requested', on: 'plan', text: 'Leave that out' });
  const terminal = async (...args: string[]) => {
    const { repository: cwd, env } = shop;
    const { stdout, stderr } = await start(process.execPath, [BIN, ...args], { cwd, env }).ended;
    return `${stdout}${stderr}`;
  };
  const told = [
    await terminal('task', 'move', id, 'revising', '--agent', 'scripted:tells', '--wait', '--json'),
    await terminal('task', 'show', id),
    await terminal('task', 'show', id, '--json'),
    await terminal('tasks', '--json'),
  ];
  expect(told.map((text) => text.includes(id))).toEqual([true, true, true, true]);
  expect(told.filter((text) => text.includes(token))).toEqual([]);
});
