import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { committed } from '../../src/core/contract/index.ts';
import type { AgentRunState } from '../../src/core/contract/tasks/index.ts';
import { setTrust } from '../../src/doors/app/trust.ts';
import { someone } from '../support/someone.ts';
import { startOpenAi } from '../wire/index.ts';
import { openShop, put } from './shop.ts';

const agentRun = async (app: Awaited<ReturnType<typeof openShop>>['app'], run: string) =>
  (await app.streams.state(run)) as AgentRunState;

it('a feature: planned, commented on, planned anew, implemented, reviewed, changed, reviewed, merged', async () => {
  const { app, task, ask, move, git, repository } = await openShop({
    agents: { default: 'scripted:picky' },
    validationCommands: ['test -f done-by-script.txt'],
  });
  const id = await task({ title: 'Add a flag', description: 'It is quiet.' });
  const planned = await move(id, 'planning');
  expect(planned).toMatchObject({ status: 'plan_ready', planSummary: 'It is written, and then tested.' });
  expect(planned.subtasks).toEqual([
    { title: 'Write it', done: false },
    { title: 'Test it', done: false },
  ]);
  await expect(move(id, 'revising')).rejects.toThrow('nobody has commented on the plan');
  await ask(id, { type: 'comment-requested', on: 'plan', line: 3, text: 'Short form, too' });
  const revised = await move(id, 'revising');
  expect(revised.phases.at(-1)).toMatchObject({ mode: 'plan_revision', outcome: 'plan_complete' });
  const { prompt } = await agentRun(app, revised.phases.at(-1)!.run);
  expect(prompt?.text).toContain('## Task Context\n\n### [agent] plan_summary (');
  expect(prompt?.text).toContain('line 3: Short form, too');
  const ready = await move(id, 'implementing');
  expect(ready.status).toBe('ready');
  expect(ready.phases.map(({ mode, outcome }) => `${mode} ${outcome}`)).toEqual([
    'plan plan_complete',
    'plan_revision plan_complete',
    'implement pr_ready',
    'review changes_requested',
    'request_changes pr_ready',
    'review approved',
  ]);
  expect(ready.context.map(({ source, entryType }) => `${source} ${entryType}`)).toEqual([
    'agent plan_summary',
    'agent plan_revision_summary',
    'agent implementation_summary',
    'reviewer review_feedback',
    'agent fix_summary',
    'reviewer review_approved',
  ]);
  const changing = await agentRun(app, ready.phases[4]!.run);
  expect(changing.prompt?.text).toContain('Test the empty case');
  // All of it on one branch, named by the mode that made it, in one worktree.
  expect(ready.branch).toBe(`task/${id}/plan`);
  expect(existsSync(join(repository, '.agent-worktrees', id, 'changed-by-script.txt'))).toBe(true);
  expect(git('status', '--porcelain')).toBe('');
  const { files } = await app.tasks.diff(id);
  expect(files.map(({ path, status }) => `${status} ${path}`)).toEqual([
    'added changed-by-script.txt',
    'added done-by-script.txt',
  ]);
  const merged = await ask(id, { type: 'merge-requested', how: 'squash' });
  expect(merged.status).toBe('merged');
  expect(readFileSync(join(repository, 'done-by-script.txt'), 'utf8')).toBe('done\n');
  expect(git('log', '--format=%s', 'main').split('\n')).toHaveLength(2);
  const { removed } = await app.tasks.gc(merged.project);
  expect(removed.map(({ task: of }) => of)).toEqual([id]);
  expect(existsSync(join(repository, '.agent-worktrees', id))).toBe(false);
});

it('a bug is investigated, asks, is answered, and goes on where it was', async () => {
  const { task, move, ask, app } = await openShop({ agents: { default: 'scripted:asks' } });
  const feature = await task({ title: 'The feature', description: 'It counts.' });
  const id = await task({ title: 'It miscounts', kind: 'bug', related: feature });
  const asks = await move(id, 'investigating');
  expect(asks).toMatchObject({ status: 'needs_info', question: { text: 'Which of the two do you mean?' } });
  expect((await app.tasks.find(id)).question).toBe('Which of the two do you mean?');
  const answered = await ask(id, { type: 'answer-given', text: 'The first' });
  expect(answered).toMatchObject({ status: 'plan_ready', question: null });
  const { prompt } = await agentRun(app, answered.phases[1]!.run);
  expect(prompt?.text).toContain('The first');
  expect(prompt?.text).toContain('This is about The feature');
});

it('what does not pass goes back to the agent with the errors, so often and no more', async () => {
  const { app, task, move, repository } = await openShop({
    agents: { default: 'scripted:mends' },
    validationCommands: ['grep -q fine state.txt || { echo not fine yet; exit 1; }'],
    maxValidationRetries: 2,
  });
  const script = {
    implement: [
      { write: 'state.txt', text: 'broken\n' },
      { commit: 'Try' },
      { finish: 'pr_ready', payload: { summary: 'tried' } },
    ],
  };
  put(repository, '.planwright/agents/mends.script.json', JSON.stringify(script));
  await setTrust(app.places, repository, true);
  const id = await task({ title: 'Never passes' });
  const stuck = await move(id, 'implementing');
  expect(stuck).toMatchObject({ status: 'stuck', phases: [{ outcome: 'validation_failed' }] });
  const { attempts } = await agentRun(app, stuck.phases[0]!.run);
  expect(attempts.map(({ validation }) => validation?.ok)).toEqual([false, false, false]);
  expect(attempts[1]?.errors).toContain('not fine yet');
  expect(stuck.context).toEqual([]);
});

it('the built-in agent does it with a model: tools in the worktree, a structured answer, commits what it left', async () => {
  const wire = await startOpenAi(({ body }) => {
    const told = JSON.stringify(body);
    const isReview = told.includes('REVIEW_VERDICT');
    const results = (body['messages'] as { role: string }[]).filter(({ role }) => role === 'tool').length;
    if (isReview) return { text: 'It is right.\n\nREVIEW_VERDICT: APPROVED' };
    if (results === 0)
      return { calls: [{ name: 'write_file', args: { path: 'flag.txt', content: 'quiet\n' } }] };
    return { text: 'Done.\n\n```json\n{"summary": "flag.txt says quiet."}\n```' };
  });
  try {
    const { task, move, git, repository, app } = await openShop(
      { agents: { default: 'planwright' } },
      {
        PLANWRIGHT_MODELS_URL: wire.url,
        PLANWRIGHT_MODELS_CHAT: 'compatible/talker',
        PLANWRIGHT_MODELS_PLANNER: 'compatible/talker',
        PLANWRIGHT_MODELS_FAST: 'compatible/talker',
        PLANWRIGHT_SANDBOX: 'off',
      },
    );
    const id = await task({ title: 'Say quiet' });
    const ready = await move(id, 'implementing');
    expect(ready.phases.map(({ mode, outcome, message }) => [mode, outcome, message])).toEqual([
      ['implement', 'pr_ready', null],
      ['review', 'approved', null],
    ]);
    expect(ready.context[0]?.summary).toBe('flag.txt says quiet.');
    expect(git('show', `${ready.branch}:flag.txt`)).toBe('quiet');
    expect(existsSync(join(repository, 'flag.txt'))).toBe(false);
    const { session } = await agentRun(app, ready.phases[0]!.run);
    expect((await app.chats.state(session!)).workspace).toBe(join(repository, '.agent-worktrees', id));
  } finally {
    await wire.close();
  }
});

it('whoever an agent starts may look at tasks, and moves none', async () => {
  const { app, task } = await openShop();
  const id = await task({ title: 'Approve yourself' });
  const started = { ...someone, from: { run: 'r1', step: 's1', pid: 1 } };
  await expect(
    app.tasks.ask(id, { type: 'move-requested', to: 'planning' }, { by: started }),
  ).rejects.toThrow('only look here');
  expect((await app.tasks.state(id)).status).toBe('open');
});

it('what the built-in agent spends is counted once, however often it tries', async () => {
  const wire = await startOpenAi(({ body }) =>
    JSON.stringify(body).includes('"role":"tool"')
      ? { text: 'Done.' }
      : { calls: [{ name: 'write_file', args: { path: 'flag.txt', content: 'quiet\n' } }] },
  );
  try {
    const { task, move, app } = await openShop(
      { agents: { default: 'planwright' }, validationCommands: ['false'], maxValidationRetries: 2 },
      {
        PLANWRIGHT_MODELS_URL: wire.url,
        PLANWRIGHT_MODELS_CHAT: 'compatible/talker',
        PLANWRIGHT_MODELS_PLANNER: 'compatible/talker',
        PLANWRIGHT_MODELS_FAST: 'compatible/talker',
        PLANWRIGHT_SANDBOX: 'off',
      },
    );
    const stuck = await move(await task({ title: 'Never passes' }), 'implementing');
    expect(stuck.phases[0]).toMatchObject({ outcome: 'validation_failed' });
    const { tokens, session, attempts } = await agentRun(app, stuck.phases[0]!.run);
    expect(attempts).toHaveLength(3);
    expect(tokens).toBe(committed((await app.chats.state(session!)).spending).tokens);
  } finally {
    await wire.close();
  }
});
