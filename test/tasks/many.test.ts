import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { AgentRunRow } from '../../src/core/contract/tasks/index.ts';
import { setTrust } from '../../src/doors/app/trust.ts';
import { findMarked } from '../../src/world/process/group.ts';
import { eventually, start } from '../support/processes.ts';
import { BIN } from '../support/program.ts';
import { howMany } from '../support/scale.ts';
import { someone } from '../support/someone.ts';
import { startOpenAi } from '../wire/index.ts';
import { openShop, put } from './shop.ts';

const TASKS = howMany(20, 12);

/** Drives whatever is due, and does not outlive its test. */
function startWorker(cwd: string, env: NodeJS.ProcessEnv) {
  const worker = start(process.execPath, [BIN, 'worker', '--watch'], { cwd, env });
  onTestFinished(async () => {
    worker.child.kill('SIGKILL');
    await worker.ended;
  });
  return worker;
}

it(`${TASKS} tasks at once on one repository; the server is killed in the middle: nothing is lost, nothing is shared`, async () => {
  const shop = await openShop({ agents: { default: 'scripted:slow' }, maxAgents: 8 });
  const { app, task, git, repository, env } = shop;
  const script = {
    implement: [
      { write: 'one.txt', text: 'one\n' },
      { commit: 'One' },
      { write: 'half.txt', text: 'half\n' },
      { await: 'go.txt' },
      { write: 'two.txt', text: 'two\n' },
      { commit: 'Two' },
      { finish: 'pr_ready', payload: { summary: 'both' } },
    ],
  };
  put(repository, '.planwright/agents/slow.script.json', JSON.stringify(script));
  await setTrust(app.places, repository, true);
  const ids = await Promise.all(Array.from({ length: TASKS }, (_, n) => task({ title: `Task ${n + 1}` })));
  for (const id of ids)
    await app.streams.request(id, { type: 'move-requested', to: 'implementing' } as { type: string }, {
      by: someone,
    });
  const worker = () => startWorker(repository, { ...env, PLANWRIGHT_CONCURRENCY: '16' });
  /** One after the other: how long all of them take says nothing. */
  const untilEach = async (holds: (state: string) => boolean, what: string) => {
    for (const id of ids)
      await eventually(async () => holds((await app.tasks.state(id)).status), `task ${id} ${what}`);
  };
  const first = worker();
  const rows = () => app.streams.list<AgentRunRow>({ kind: 'agent-run', limit: 1000 });
  const halves = () => ids.filter((id) => existsSync(join(repository, '.agent-worktrees', id, 'half.txt')));
  await eventually(() => halves().length >= 8, 'eight agents are in the middle of it');
  expect(halves(), 'no more than the project allows').toHaveLength(8);
  const before = git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads/');
  first.child.kill('SIGKILL');
  await first.ended;
  // On the base: what is begun, or rebased, from here on goes through.
  put(repository, 'go.txt', '');
  git('add', 'go.txt');
  git('commit', '--quiet', '-m', 'Go');
  const second = worker();
  await untilEach((status) => status === 'ready' || status === 'stuck', 'has come to a person');
  const states = new Map((await app.tasks.list({ limit: 100 })).map((row) => [row.id, row]));
  const interrupted = ids.filter((id) => states.get(id)?.state === 'stuck');
  expect(interrupted.length, 'those that were killed say so').toBe(8);
  for (const id of interrupted) expect(states.get(id)?.lastOutcome).toBe('interrupted');
  expect((await rows()).every(({ endedAt }) => endedAt !== null)).toBe(true);
  // What was committed is where it was, and what was not is kept before the next one cleans it away.
  for (const line of before.split('\n').filter((one) => interrupted.some((id) => one.includes(id)))) {
    const [ref = '', commit = ''] = line.split(' ');
    expect(git('rev-parse', ref)).toBe(commit);
  }
  for (const id of interrupted)
    await app.streams.request(id, { type: 'move-requested', to: 'implementing' } as { type: string }, {
      by: someone,
    });
  await untilEach((status) => status === 'ready', 'is ready');
  second.child.kill('SIGTERM');
  await second.ended;
  for (const id of ids) {
    const { branch, rescued } = await app.tasks.state(id);
    expect(git('show', `${branch}:two.txt`)).toBe('two');
    const kept = interrupted.includes(id) ? 1 : 0;
    expect(rescued).toHaveLength(kept);
    if (kept > 0) expect(git('show', `${rescued[0]}:half.txt`)).toBe('half');
  }
  const locks = readdirSync(join(repository, '.git', 'worktrees')).filter((name) =>
    existsSync(join(repository, '.git', 'worktrees', name, 'locked')),
  );
  expect(locks).toEqual([]);
});

it('the conversation of an agent whose driver was killed ends with its run, and nobody goes on with it', async () => {
  const wire = await startOpenAi(() => ({ stall: 'I am at it' }));
  try {
    const { app, task, repository, env } = await openShop(
      { agents: { default: 'planwright' } },
      {
        PLANWRIGHT_MODELS_URL: wire.url,
        PLANWRIGHT_MODELS_CHAT: 'compatible/talker',
        PLANWRIGHT_MODELS_PLANNER: 'compatible/talker',
        PLANWRIGHT_MODELS_FAST: 'compatible/talker',
      },
    );
    const id = await task({ title: 'Never done' });
    await app.streams.request(id, { type: 'move-requested', to: 'implementing' } as { type: string }, {
      by: someone,
    });
    const worker = startWorker(repository, env);
    await eventually(() => wire.requests.length > 0, 'its model is asked');
    worker.child.kill('SIGKILL');
    await worker.ended;
    const stuck = await app.tasks.driveAll(id);
    expect(stuck).toMatchObject({ status: 'stuck', phases: [{ outcome: 'interrupted' }] });
    const { session } = stuck.phases[0]!;
    expect(await app.streams.row(session!)).toMatchObject({ state: 'idle', goesOn: false });
    const due = await app.streams.due(Date.now(), 100);
    expect(due.map((row) => row.id)).not.toContain(session);
  } finally {
    await wire.close();
  }
});

it('a validation whose driver was killed is ended, and done again; what its agent came to stays', async () => {
  const { app, task, repository, env, home, project } = await openShop({}, { PLANWRIGHT_SANDBOX: 'off' });
  const [began, go] = [join(home, 'began'), join(home, 'go')];
  const validationCommands = [`[ -e ${go} ] || { touch ${began}; sleep 600; }`];
  await app.projects.set(project, { validationCommands }, someone);
  const id = await task({ title: 'Validated for long' });
  await app.streams.request(id, { type: 'move-requested', to: 'implementing' } as { type: string }, {
    by: someone,
  });
  const worker = startWorker(repository, env);
  await eventually(() => existsSync(began), 'it is being validated');
  worker.child.kill('SIGKILL');
  await worker.ended;
  writeFileSync(go, '');
  // Its agent had finished, and has nothing to do again.
  expect(await app.tasks.driveAll(id)).toMatchObject({
    status: 'ready',
    phases: [{ outcome: 'pr_ready' }, { outcome: 'approved' }],
  });
  expect(findMarked({ run: `${id}a1` })).toEqual([]);
});
