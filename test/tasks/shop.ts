import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type {
  ProjectSettings,
  TaskRequestBody,
  TaskState,
  TaskText,
} from '../../src/core/contract/tasks/index.ts';
import { type App, openApp } from '../../src/doors/app/app.ts';
import { someone } from '../support/someone.ts';

/** A repository with one commit on main, and the program beside it. */
export interface Shop {
  home: string;
  repository: string;
  env: NodeJS.ProcessEnv;
  app: App;
  project: string;
  git(...args: string[]): string;
  task(text: Partial<TaskText> & { title: string }): Promise<string>;
  /** Asks it of the task, and drives it until it waits. */
  ask(task: string, body: TaskRequestBody): Promise<TaskState>;
  move(task: string, to: string, agent?: string): Promise<TaskState>;
  open(): Promise<App>;
}

export async function openShop(
  settings: Partial<ProjectSettings> = {},
  variables: Record<string, string> = {},
): Promise<Shop> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'planwright-tasks-')));
  const [home, repository] = [join(folder, 'home'), join(folder, 'shop')];
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of [home, repository]) mkdirSync(path);
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n');
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    PLANWRIGHT_HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    OLLAMA_HOST: 'http://127.0.0.1:9',
    ...variables,
  };
  const git: Shop['git'] = (...args) =>
    execFileSync('git', args, { cwd: repository, env, encoding: 'utf8', stdio: 'pipe' }).trim();
  git('init', '--quiet', '-b', 'main');
  put(repository, 'README.md', '# Shop\n');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'first');
  const open = async () => {
    const app = await openApp({ env, cwd: repository });
    onTestFinished(() => app.close());
    return app;
  };
  const app = await open();
  const agents = { default: 'scripted:happy' };
  const project = await app.projects.add({
    path: repository,
    settings: { name: 'shop', agents, ...settings },
    by: someone,
  });
  const ask: Shop['ask'] = async (task, body) => {
    await app.tasks.ask(task, body, { by: someone });
    return app.tasks.driveAll(task);
  };
  return {
    home,
    repository,
    env,
    app,
    project,
    git,
    task: (text) => app.tasks.create({ project, text, by: someone }),
    ask,
    move: (task, to, agent) =>
      ask(task, { type: 'move-requested', to, ...(agent === undefined ? {} : { agent }) }),
    open,
  };
}

export function put(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
