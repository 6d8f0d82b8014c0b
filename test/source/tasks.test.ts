import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { AgentRunState, TaskState } from '../../src/core/contract/tasks/index.ts';
import { setTrust } from '../../src/doors/app/trust.ts';
import { freshDatabase, hasPostgres } from '../support/postgres.ts';
import { type Running, start } from '../support/processes.ts';
import { BIN } from '../support/program.ts';
import { someone } from '../support/someone.ts';
import { openShop, put } from '../tasks/shop.ts';

const running: Running[] = [];
afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
});

/** Leaves something that it does not commit. */
const plan = [
  { write: 'half.txt', text: 'half done\n' },
  { finish: 'plan_complete', payload: { plan: 'It is written.', planSummary: 'Written.', subtasks: [] } },
];

it.skipIf(!hasPostgres)(
  'a task goes on where its project was never: its branch was pushed, what was not committed comes through the store, secrets go nowhere',
  async () => {
    const database = await freshDatabase();
    const variables = {
      PLANWRIGHT_DATABASE_URL: database.url,
      PLANWRIGHT_SOURCE_PROTOCOLS: 'file',
      // As long as a busy machine may keep a process from being heard, twice.
      PLANWRIGHT_LEASE: '10',
    };
    const shop = await openShop(
      { agents: { plan: 'scripted:halves', default: 'scripted:happy' } },
      variables,
    );
    const { app, repository, env, git, project } = shop;
    const origin = join(repository, '../origin.git');
    git('init', '--quiet', '--bare', '-b', 'main', origin);
    put(repository, '.worktreeinclude', '.env\n');
    put(repository, '.gitignore', '.env\n');
    put(repository, '.env', 'TOKEN=hidden-from-everybody\n');
    put(repository, '.planwright/agents/halves.script.json', JSON.stringify({ plan }));
    await setTrust(app.places, repository, true);
    git('add', '--all');
    git('commit', '--quiet', '-m', 'settings');
    git('push', '--quiet', origin, 'main');
    await app.projects.set(project, { gitSource: origin }, someone);

    // Here, where the project is.
    const id = await shop.task({ title: 'Add a flag' });
    const planned = await shop.move(id, 'planning');
    expect(planned.status).toBe('plan_ready');

    // There, where it never was: nobody drives it here any more.
    const far = { ...env, PLANWRIGHT_HOST: 'far', PLANWRIGHT_HOME: join(shop.home, 'far') };
    running.push(start(process.execPath, [BIN, 'worker', '--json'], { cwd: shop.home, env: far }));
    await app.tasks.request(id, { type: 'move-requested', to: 'implementing' }, { by: someone });
    const settled = async (): Promise<TaskState> => {
      for (let looks = 0; ; looks += 1) {
        const state = await app.tasks.state(id);
        if (state.status === 'ready') return state;
        if (looks > 1000 || state.status === 'needs_help')
          throw new Error(
            `${state.status}: ${JSON.stringify(state.phases.map(({ mode, outcome }) => ({ mode, outcome })))}`,
          );
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    const ready = await settled();
    expect(ready.place.host).toBe('far');
    const implemented = ready.phases.find(({ mode }) => mode === 'implement')!;
    const run = (await app.streams.state(implemented.run)) as AgentRunState;
    expect(run.place.host).toBe('far');
    const branch = ready.branch!;
    const atOrigin = (...args: string[]) => execFileSync('git', args, { cwd: origin, encoding: 'utf8', env });
    expect(atOrigin('show', `${branch}:done-by-script.txt`)).toBe('done\n');
    expect(existsSync(join(repository, 'done-by-script.txt'))).toBe(false);
    const objects = atOrigin('rev-list', '--objects', '--all')
      .split('\n')
      .map((line) => line.split(' ')[0]!);
    const all = execFileSync('git', ['cat-file', '--batch'], { cwd: origin, input: objects.join('\n'), env });
    expect(all.includes('hidden-from-everybody')).toBe(false);
    expect(all.includes('done\n')).toBe(true);
    // What was not committed here is there, under a name of its own, and was at no time with everybody.
    const there = (...args: string[]) =>
      execFileSync('git', args, { cwd: ready.place.workspace, encoding: 'utf8', env });
    expect(there('show', `refs/planwright/rescue/${id}/1:half.txt`)).toBe('half done\n');
    expect(there('ls-tree', '-r', '--name-only', `refs/planwright/rescue/${id}/1`)).not.toContain('.env');
    expect(atOrigin('rev-list', '--objects', '--all')).not.toContain(' half.txt');
    for (const { child, ended } of running) {
      child.kill('SIGTERM');
      await ended;
    }
    await app.close();
    await database.drop();
  },
);
