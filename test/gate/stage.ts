import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RunEvent } from '../../src/core/contract/index.ts';
import { openApp } from '../../src/doors/app/app.ts';
import { runOptions } from '../../src/doors/app/options.ts';
import { loadPlan } from '../../src/doors/app/plans.ts';
import { someone } from '../support/someone.ts';
import { readTree, type Tree } from '../undo/tree.ts';

/** A plan that took effect unasked, once. What it would destroy is `keep/`, `precious`, or a file in `../outside`. */
export interface Scenario {
  name: string;
  /** Lines of the action language; a line without a verb is a command. */
  steps: readonly string[];
  /** Files of the workspace besides the usual; those with `#!` can be run. */
  files?: Readonly<Record<string, string>>;
  /** Done in the workspace before the run, by somebody else. */
  before?: string;
  /** Programs without which nothing would happen. */
  needs?: string;
  /** In which it shows something; in both where it is left out. */
  modes?: readonly Mode[];
  /** What the run adds and nobody takes away again: a repository of its own, which no checkpoint holds. */
  leaves?: RegExp;
}

export const modes = ['planner', 'agentic'] as const;
export type Mode = (typeof modes)[number];

/** What came of it. */
export interface Played {
  /** A person was asked, and nobody was there to say yes. */
  asked: boolean;
  /** Something was different after the run. */
  changed: boolean;
  /** What is different from before, after all of it was taken back. */
  lost: string[];
  events: RunEvent[];
}

const usual: Record<string, string> = {
  'keep/a': 'a\n',
  'keep/b': 'b\n',
  precious: 'precious\n',
  other: 'other\n',
  'clean.sh': '#!/bin/sh\nrm -rf keep\n',
  'clean.txt': 'rm -rf keep\n',
};

export const has = (programs = ''): boolean =>
  programs
    .split(' ')
    .filter(Boolean)
    .every((program) => {
      const folders = (process.env['PATH'] ?? '').split(':');
      return folders.some((folder) => existsSync(join(folder, program)));
    });

const git = (folder: string, ...args: string[]): void =>
  void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@e.example', ...args], {
    cwd: folder,
    stdio: 'pipe',
  });

export interface Stage {
  base: string;
  workspace: string;
  env: Record<string, string | undefined>;
  /** Everything that a person could lose. What git keeps for itself is git's, but for what it runs. */
  tree(): Tree;
  clean(): void;
}

const put = (path: string, content: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  if (content.startsWith('#!')) chmodSync(path, 0o755);
};

/** Where the usual is committed, to be copied: git is started three times for each stage otherwise. */
let usually: string | undefined;
function usualRepository(): string {
  if (usually !== undefined) return usually;
  const folder = mkdtempSync(join(tmpdir(), 'planwright-gate-usual-'));
  for (const [name, content] of Object.entries(usual)) put(join(folder, name), content);
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'first');
  usually = folder;
  return folder;
}

/** After the last stage of a file. */
export function forgetUsual(): void {
  if (usually !== undefined) rmSync(usually, { recursive: true, force: true });
  usually = undefined;
}

/** A workspace with a repository in it, a folder beside it, and a home: all of them scratch. */
export function openStage({ files = {}, before = '' }: Pick<Scenario, 'files' | 'before'> = {}): Stage {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'planwright-gate-')));
  const workspace = join(base, 'work');
  put(join(base, 'outside/f'), 'outside\n');
  put(join(base, 'home/.profile'), 'home\n');
  cpSync(usualRepository(), workspace, { recursive: true, preserveTimestamps: true });
  for (const [name, content] of Object.entries(files)) put(join(workspace, name), content);
  if (Object.keys(files).length > 0) {
    git(workspace, 'add', '-A');
    git(workspace, 'commit', '-q', '--amend', '-m', 'first');
  }
  put(join(workspace, 'precious'), 'precious, and not committed\n');
  if (before !== '') execFileSync('bash', ['-c', before], { cwd: workspace, stdio: 'pipe' });
  const { PLANWRIGHT_RUN: _, ...inherited } = process.env;
  const env = {
    ...inherited,
    HOME: join(base, 'home'),
    XDG_CONFIG_HOME: join(base, 'home/.config'),
    PLANWRIGHT_HOME: join(base, 'store'),
    GIT_AUTHOR_NAME: 't',
    GIT_AUTHOR_EMAIL: 't@e.example',
    GIT_COMMITTER_NAME: 't',
    GIT_COMMITTER_EMAIL: 't@e.example',
    npm_config_cache: join(base, 'npm'),
    npm_config_update_notifier: 'false',
    npm_config_offline: 'true',
  };
  const skip = (path: string): boolean =>
    /^(?:store|npm)(?:\/|$)|^plan\.json$/.test(path) ||
    (/(?:^|\/)\.git\//.test(path) && !/\.git\/(?:config|hooks(?:\/.*)?)$/.test(path)) ||
    /^home\/(?:\.npm|\.cache|\.local|\.config)(?:\/|$)/.test(path);
  return {
    base,
    workspace,
    env,
    tree: () => readTree(base, skip),
    clean: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** The plan as a file has it. */
export const planText = (steps: readonly string[]): string =>
  JSON.stringify({
    goal: 'a plan',
    plan: steps.map((line, n) => ({
      step: `Step ${n + 1}`,
      action: /^[A-Z_]{4,} /.test(line) ? line : `RUN_COMMAND ${line}`,
    })),
  });

/** Runs the plan with nobody there to be asked, then takes the run back. */
export async function play(scenario: Scenario, mode: Mode): Promise<Played> {
  const stage = openStage(scenario);
  try {
    const { workspace, env, base } = stage;
    const path = join(base, 'plan.json');
    writeFileSync(path, planText(scenario.steps));
    const loaded = await loadPlan({ path, cwd: base, env, workspace });
    if (!loaded.ok) throw new Error(`no plan: ${JSON.stringify(loaded.problems)}`);
    const before = stage.tree();
    const app = await openApp({ env, cwd: workspace });
    try {
      const choices = { mode, attended: false, onAsk: 'deny' } as const;
      const options = runOptions(app.config.values, loaded.plan, choices);
      const id = await app.runs.create({ plan: loaded.plan, workspace, options, agreed: someone });
      await app.runs.drive(id);
      const events = await eventsOf(app.runs, id);
      const changed = differences(before, stage.tree()).length > 0;
      const { by } = await app.runs.undo(id, { options, agreed: someone });
      if (by !== null) await app.runs.drive(by);
      const asked = events.some(({ type }) => type === 'approval-denied' || type === 'approval-needed');
      const lost = differences(before, stage.tree()).filter((path) => !scenario.leaves?.test(path));
      return { asked, changed, lost, events };
    } finally {
      await app.close();
    }
  } finally {
    stage.clean();
  }
}

async function eventsOf(runs: Awaited<ReturnType<typeof openApp>>['runs'], id: string): Promise<RunEvent[]> {
  const { seq } = await runs.state(id);
  const events: RunEvent[] = [];
  const done = new AbortController();
  for await (const stored of runs.watch(id, 0, done.signal)) {
    events.push(stored.event);
    if (stored.seq >= seq) break;
  }
  done.abort();
  return events;
}

/** Paths that are not what they were, byte for byte. */
export function differences(before: Tree, after: Tree): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => JSON.stringify(before.get(path)) !== JSON.stringify(after.get(path)));
}
