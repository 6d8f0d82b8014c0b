import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import {
  defaultOptions,
  fold,
  type Plan,
  type RunOptions,
  type RunState,
  type Step,
  type StoredEvent,
} from '../../src/core/contract/index.ts';
import { type App, openApp } from '../../src/doors/app/app.ts';
import { freshDatabase, hasPostgres } from '../support/postgres.ts';
import { eventually, processesOf, type Running, start } from '../support/processes.ts';
import { bundled } from '../support/program.ts';
import { isFullLength } from '../support/scale.ts';
import { someone } from '../support/someone.ts';
import { drivableToys } from '../support/toy-app.ts';

const DRIVER = bundled(import.meta.dirname, 'driver.ts');

/** A data folder and a workspace of their own, where drivers are started and killed. */
export interface Site {
  home: string;
  workspace: string;
  app: App;
  /** Of the site's own database; null where it has its data in a folder. */
  database: string | null;
  /** A run whose steps each append one line to `effects.txt`. */
  newRun(steps?: number, options?: Partial<RunOptions>): Promise<string>;
  /** A run of these steps. */
  runOf(steps: readonly Step[], options?: Partial<RunOptions>): Promise<string>;
  driver(run: string, death?: string, env?: NodeJS.ProcessEnv): Running;
  /** Drives it until it rests: at full length in a new process, at a desk in this one, which is not the one that died. */
  goOn(run: string): Promise<void>;
  /** Stops a driver between two transactions: one that sleeps in the middle of one keeps everybody from writing. */
  putToSleep(driver: Running): Promise<void>;
  journal(run: string): Promise<StoredEvent[]>;
  effects(): string[];
  close(): Promise<void>;
}

export type KeptOn = 'SQLite' | 'PostgreSQL';
/** The stores that a promise is held against. */
export const stores: readonly KeptOn[] = hasPostgres ? ['SQLite', 'PostgreSQL'] : ['SQLite'];

/** With `given` besides what every driver has. */
export async function openSite(given: NodeJS.ProcessEnv = {}, on: KeptOn = 'SQLite'): Promise<Site> {
  const database = on === 'SQLite' ? null : await freshDatabase();
  const more = database === null ? given : { ...given, PLANWRIGHT_DATABASE_URL: database.url };
  const home = mkdtempSync(join(tmpdir(), 'planwright-crash-'));
  const workspace = mkdtempSync(join(tmpdir(), 'planwright-crash-'));
  const app = await openApp({
    env: { ...process.env, PLANWRIGHT_HOME: home, ...more },
    cwd: workspace,
    drivables: [drivableToys()],
  });
  const create = (plan: Plan, options: Partial<RunOptions> = {}) =>
    app.runs.create({
      plan,
      workspace: app.workspace,
      options: { ...defaultOptions, ...options },
      agreed: someone,
    });
  const driver: Site['driver'] = (run, death, env = {}) =>
    start(process.execPath, [DRIVER, run, ...(death ? [death] : [])], {
      cwd: workspace,
      env: { ...process.env, PLANWRIGHT_HOME: home, ...more, ...env },
    });
  return {
    home,
    workspace,
    app,
    database: database?.url ?? null,
    newRun: (steps = 4, options = {}) => create(effectPlan(steps), options),
    runOf: (steps, options = {}) =>
      create({ goal: 'survive', shell: 'bash', steps: [...steps], revision: 0 }, options),
    driver,
    async goOn(run) {
      if (!isFullLength) return void (await app.streams.drive(run));
      const { code, stderr } = await driver(run).ended;
      expect(code, stderr).toBe(0);
    },
    async putToSleep({ child }) {
      const isUnlocked = async () =>
        database === null
          ? isUnlockedFile(join(app.places.data, 'planwright.db'))
          : (await database.query(openTransactions)).length === 0;
      await eventually(async () => {
        child.kill('SIGSTOP');
        const isFree = isStopped(child) && (await isUnlocked());
        if (!isFree) child.kill('SIGCONT');
        return isFree;
      }, 'it sleeps and holds no lock');
    },
    journal: (run) => app.streams.read(run, 0),
    effects: () => lines(join(workspace, 'effects.txt')),
    async close() {
      await app.close();
      await database?.drop();
      for (const folder of [home, workspace]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whoever has ended writes nothing more either. */
const isStopped = ({ pid, exitCode }: ChildProcess): boolean =>
  exitCode !== null || / [TZ] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

const openTransactions = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`;

function isUnlockedFile(file: string): boolean {
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
    return true;
  } catch {
    return false;
  } finally {
    db.close();
  }
}

const lines = (path: string): string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];

/** Every other step can be recognised as done after a crash; the others cannot. */
function effectPlan(count: number): Plan {
  const steps = Array.from({ length: count }, (_, index) => {
    const id = `s${index + 1}`;
    const recognisable = index % 2 === 1;
    const mark = recognisable ? `; touch ${id}.done` : '';
    return {
      id,
      title: `Effect ${id}`,
      action: {
        kind: 'run-command' as const,
        command: `sleep 0.02; echo ${id} >> effects.txt${mark}; sleep 0.02`,
      },
      ...(recognisable ? { expects: `file exists ${id}.done` } : {}),
    };
  });
  return { goal: 'leave a line for each step', shell: 'bash', steps, revision: 0 };
}

/** What the journal said at the moment of the death. */
export function atDeath(events: StoredEvent[]): { state: RunState; isInWindow: boolean } {
  const state = fold(events);
  const { inFlight } = state;
  return { state, isInWindow: inFlight !== null && (inFlight.spawned ?? inFlight.prepared) !== null };
}

/**
 * Resumes a run whose driver died, answering what it asks as somebody would who has looked at
 * `effects.txt`; then holds everything against the promises.
 */
export async function resumeAndCheck(
  site: Site,
  run: string,
  expected: readonly string[] = ['s1', 's2', 's3', 's4'],
): Promise<{ asked: boolean }> {
  const before = await site.journal(run);
  const { isInWindow } = atDeath(before);
  let asked = false;
  for (let round = 0; ; round += 1) {
    expect(round).toBeLessThan(10);
    await site.goOn(run);
    const state = await site.app.runs.state(run);
    if (state.ended) break;
    expect(state.status).toBe('waiting');
    const { stepId, attemptIndex } = state.interrupted!;
    asked = true;
    const item = state.steps.find(({ id }) => id === stepId)?.loop?.done;
    const line = item === undefined ? stepId : `${stepId}-${item}`;
    const decision = site.effects().includes(line) ? 'done' : 'rerun';
    await site.app.runs.request(
      run,
      { type: 'interrupt-decided', stepId, attemptIndex, decision },
      { by: someone },
    );
  }
  const after = await site.journal(run);
  expect(after.slice(0, before.length), 'no event is lost or changed').toEqual(before);
  expect(after.map(({ seq }) => seq)).toEqual(after.map((_, index) => index + 1));
  expect((await site.app.runs.state(run)).status).toBe('done');
  expect(site.effects(), 'each side effect exactly once').toEqual(expected);
  if (!isInWindow) expect(asked, 'killed outside the window it resumes without asking').toBe(false);
  expect(processesOf(run), 'no process is left over').toEqual([]);
  return { asked };
}
