import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, openApp } from '../../src/doors/app/app.ts';
import { ownerAt } from '../../src/doors/app/asker.ts';
import { median, type Row } from '../row.ts';
import { startServer } from '../server/serving.ts';
import { FILES, git, makeRepository, timed } from './repository.ts';

const ROUNDS = 5;
const TASKS = 1000;
const LOOKS = 20;
const by = ownerAt('worker');

/** From a person's word to the agent's first, and `git worktree add` alone, in turns on the same repository. */
export async function benchWaits(): Promise<Row[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'planwright-bench-')));
  const [home, path] = [join(folder, 'home'), join(folder, 'repository')];
  try {
    makeRepository(path);
    const app = await openApp({ env: { ...process.env, PLANWRIGHT_HOME: home }, cwd: path });
    try {
      const project = await app.projects.add({
        path,
        settings: { name: 'bench', agents: { default: 'scripted:happy' } },
        by,
      });
      const times = { bare: [] as number[], ours: [] as number[] };
      for (let round = -1; round < ROUNDS; round += 1) {
        const bare = join(folder, `bare${round}`);
        const alone = await timed(() => git(path, 'worktree', 'add', '--quiet', '-b', `bare${round}`, bare));
        const waited = await untilAgent(app, project);
        git(path, 'worktree', 'remove', '--force', bare);
        if (round < 0) continue;
        times.bare.push(alone);
        times.ours.push(waited);
      }
      // The shortest of each: what a busy machine adds belongs to neither.
      const [bare, ours] = [Math.min(...times.bare), Math.min(...times.ours)];
      return [
        { name: `${FILES.toLocaleString('en')} files, from the word to the agent`, value: ours, unit: 'ms' },
        { name: '  git worktree add', value: bare, unit: 'ms' },
        { name: '  as many times as long', value: ours / bare, unit: '×', target: 1.5 },
      ];
    } finally {
      await app.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How long it is from the request until the agent begins, as the journal has it. */
async function untilAgent(app: App, project: string): Promise<number> {
  const id = await app.tasks.create({ project, text: { title: 'Measure' }, by });
  const asked = Date.now();
  await app.tasks.ask(id, { type: 'move-requested', to: 'planning' }, { by });
  const { phases } = await app.tasks.driveAll(id);
  const events = await app.streams.read(phases[0]!.run, 0);
  const began = events.find(({ event }) => (event.type as string) === 'agent-started')!.event.at;
  return began - asked;
}

/** A thousand tasks, as the board asks for them. */
export async function benchListing(): Promise<Row[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'planwright-bench-')));
  const [home, path] = [join(folder, 'home'), join(folder, 'repository')];
  try {
    makeRepository(path, 100);
    const app = await openApp({ env: { ...process.env, PLANWRIGHT_HOME: home }, cwd: path });
    const project = await app.projects.add({ path, settings: { name: 'bench' }, by });
    for (let n = 0; n < TASKS; n += 1)
      await app.tasks.create({
        project,
        text: { title: `Task ${n}`, description: 'Do it. '.repeat(20) },
        by,
      });
    await app.close();
    const { child, url, token } = await startServer(home);
    try {
      const ask = async (of: string) => {
        const answer = await fetch(`${url}/api${of}`, { headers: { authorization: `Bearer ${token}` } });
        return answer.json() as Promise<{ tasks: unknown[] }>;
      };
      const { tasks } = await ask('/tasks');
      if (tasks.length !== TASKS) throw new Error(`${tasks.length} tasks were listed`);
      const took = async (of: string) => {
        const each: number[] = [];
        for (let n = 0; n < LOOKS; n += 1) each.push(await timed(() => ask(of)));
        return median(each);
      };
      return [
        { name: '1,000 tasks listed by the API', value: await took('/tasks'), unit: 'ms', target: 100 },
        { name: '  what of them waits for somebody', value: await took('/waiting'), unit: 'ms', target: 100 },
      ];
    } finally {
      child.kill();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
