import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import {
  type AgentMode,
  type AgentRunState,
  initialAgentState,
  initialTaskState,
  type TaskState,
} from '../../core/contract/tasks/index.ts';
import { createWorktrees, type WorktreeOptions, type Worktrees } from './worktrees.ts';

/** A repository of its own in a temporary folder, with one commit of `a.txt` on main; removed after the file's tests. */
export function makeDesk(options: Partial<WorktreeOptions> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'planwright-worktrees-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n');
  const env = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  /** As a person, or an agent, starts it: with everything that is configured. */
  const gitIn = (cwd: string, ...args: string[]): string =>
    execFileSync('git', args, { cwd, env: { ...env, LC_ALL: 'C' }, encoding: 'utf8', stdio: 'pipe' }).trim();
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const commit = (cwd: string, files: Record<string, string>, message = 'more'): string => {
    for (const [path, text] of Object.entries(files)) write(join(cwd, path), text);
    gitIn(cwd, 'add', '--all');
    gitIn(cwd, 'commit', '--quiet', '-m', message);
    return gitIn(cwd, 'rev-parse', 'HEAD');
  };
  const repository = join(folder, 'repository');
  mkdirSync(repository);
  gitIn(repository, 'init', '--quiet', '-b', 'main');
  commit(repository, { 'a.txt': 'one\n' }, 'first');
  const settings: WorktreeOptions = {
    dir: join(folder, 'store'),
    env,
    commandEnv: { PATH: process.env['PATH'] ?? '' },
    sandbox: () => null,
    isAtWork: async () => false,
    isTrusted: async () => true,
    ...options,
  };
  const worktrees: Worktrees = createWorktrees(settings);
  return {
    folder,
    repository,
    env,
    write,
    commit,
    worktrees,
    settings,
    git: (...args: string[]) => gitIn(repository, ...args),
    gitIn,
    read: (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : null),
  };
}

type Given = NonNullable<AgentRunState['begun']>['given'];

export interface RunOptions {
  task: string;
  path: string;
  run?: string;
  mode?: AgentMode;
  repository?: Partial<Given['repository']>;
  given?: Partial<Given>;
}

const place = { host: '', boot: '', workspace: '' };

/** An agent run that has just begun. */
export function begunRun(options: RunOptions): AgentRunState {
  const { task, path, run = `${task}a1`, mode = 'implement', repository, given } = options;
  return {
    ...initialAgentState,
    epoch: 1,
    begun: {
      ...{ v: 1, at: 0, type: 'agent-run-begun', project: 'p', place, agent: 'scripted' },
      ...{ run, task, mode },
      given: {
        repository: { path, remote: null, branch: null, baseBranch: 'main', ...repository },
        limits: { turns: 1, timeMs: 1, money: 0, tokens: 0 },
        ...{
          setupCommands: [],
          validationCommands: [],
          maxValidationRetries: 0,
          related: null,
          onAsk: 'deny',
        },
        ...given,
      },
      brief: {
        ...{ title: task, description: '', kind: 'feature', subtasks: [], plan: null, planComments: [] },
        ...{ reviewComments: [], reviewRounds: 0, related: null, answers: [], context: [] },
      },
    },
  };
}

/** Prepares it; fails where that fails. */
export async function prepared(worktrees: Worktrees, state: AgentRunState) {
  const result = await worktrees.prepare(state, new AbortController().signal);
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return { state: { ...state, worktree: result.worktree }, ...result.worktree };
}

/** The task whose agent run this was; `seen` is what was reviewed of its branch. */
export function taskOf({ begun, worktree }: AgentRunState, seen: string | null): TaskState {
  const { task, mode, run, given } = begun!;
  return {
    ...initialTaskState,
    task,
    text: { ...initialTaskState.text, title: `Do ${task}` },
    branch: worktree!.branch,
    seen,
    worktree: worktree!.path,
    phases: [
      {
        ...{ n: 1, mode, agent: 'scripted', run, given, status: 'done', outcome: null, payload: null },
        ...{ message: null, session: null, resumes: null, startedAt: 0, endedAt: 0, costUsd: 0 },
      },
    ],
  };
}
