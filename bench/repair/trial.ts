import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { openPlace, type Place } from './place.ts';
import { bundledProgram } from './program.ts';
import type { Scenario } from './scenario.ts';

const MAX_RUN_MS = 120_000;

/**
 * What became of a scenario.
 *
 * - `mended`: the plan failed at first, was corrected, completed, and the end is right.
 * - `asked`: with nobody there it stopped and nothing was worse; with a person who says yes to all it is mended.
 * - `declined`: the run stopped, and nothing is worse than before.
 * - `worse`: something is, or a plan that must not succeed has.
 * - `unbroken`: it did not fail here at all, so that it shows nothing.
 * - `untried`: a program that it needs is not installed.
 */
export interface Trial {
  scenario: Scenario;
  outcome: 'mended' | 'asked' | 'declined' | 'worse' | 'unbroken' | 'untried';
  corrections: number;
  /** Why, for a person who wants to know. */
  story: string[];
  ms: number;
}

type Event = { type?: string } & Record<string, unknown>;

/** Runs the plan of the scenario by the real program in a fresh place, with nobody to ask. */
export async function tryScenario(scenario: Scenario, program: Program = published): Promise<Trial> {
  if (scenario.expect !== 'asked') return tryOnce(scenario, 'nobody', program);
  const unasked = await tryOnce({ ...scenario, expect: 'declined', check: 'true' }, 'nobody', program);
  if (unasked.outcome !== 'declined') return { ...unasked, scenario };
  const allowed = await tryOnce({ ...scenario, expect: 'mended', worse: null }, 'yes', program);
  return { ...allowed, scenario, outcome: allowed.outcome === 'mended' ? 'asked' : allowed.outcome };
}

/** Who is there to be asked: nobody, or somebody who says yes to all. */
type Asked = 'nobody' | 'yes';

async function tryOnce(scenario: Scenario, asked: Asked, program: Program): Promise<Trial> {
  const begin = performance.now();
  const end = (outcome: Trial['outcome'], corrections = 0, story: string[] = []): Trial => ({
    scenario,
    outcome,
    corrections,
    story,
    ms: performance.now() - begin,
  });
  const missing = scenario.needs.filter((program) => !isInstalled(program));
  if (missing.length > 0) return end('untried', 0, missing);
  const place = await openPlace(scenario);
  try {
    const { code, events, stderr } = await runPlan(place, asked, program);
    const corrections = events.filter(({ type }) => type === 'correction-attempt').length;
    const check = place.script(scenario.check);
    const worse = scenario.worse === null ? null : place.script(scenario.worse);
    const story = [...events.flatMap(tell), `exit ${code}`, check.said, worse?.said ?? '', stderr].filter(
      (line) => line.trim() !== '',
    );
    if (worse?.ok === false) return end('worse', corrections, story);
    if (scenario.expect === 'declined')
      return end(code === 0 || !check.ok ? 'worse' : 'declined', corrections, story);
    if (code !== 0) return end('declined', corrections, story);
    if (!check.ok) return end('worse', corrections, story);
    return end(corrections === 0 ? 'unbroken' : 'mended', corrections, story);
  } finally {
    place.clean();
  }
}

export const isInstalled = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

interface Ran {
  code: number | null;
  events: Event[];
  stderr: string;
}

const MOST_QUESTIONS = 5;

/** Runs it, and ends what a run that only rests would keep running. */
async function runPlan(place: Place, asked: Asked, program: Program): Promise<Ran> {
  const onAsk = asked === 'yes' ? 'park' : 'deny';
  const run = ['run', place.plan, '--mode', 'agentic', '--yes', '--on-ask', onAsk, '--json'];
  let ran = await start(place, run, program);
  for (let questions = 0; asked === 'yes' && ran.code === PARKED && questions < MOST_QUESTIONS; questions++) {
    // Who says yes goes on with it, until it asks again.
    const on = await start(place, ['approve', '--json'], program);
    ran = { ...on, events: [...ran.events, ...on.events] };
  }
  if (ran.code !== 0) await start(place, ['cancel'], program);
  return ran;
}

/** The exit code of a run that waits for a person. */
const PARKED = 3;

async function start({ workspace, env }: Place, command: string[], program: Program): Promise<Ran> {
  const { code, stdout, stderr } = await program(command, workspace, env);
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return { code, events: lines.map(readEvent), stderr };
}

/** How a command line is run. */
export type Program = (
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
) => Promise<{ code: number | null; stdout: string; stderr: string }>;

/** The program as it is published, in a process of its own. */
const published: Program = async (args, cwd, env) => {
  const bin = await bundledProgram();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: MAX_RUN_MS,
    });
    const text = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        text[name] += chunk;
      });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...text }));
  });
};

function readEvent(line: string): Event {
  const data = JSON.parse(line) as Event & { event?: Event };
  return data.event ?? data;
}

/** The events by which a failure and what came of it can be followed. */
function tell(event: Event): string[] {
  const { type = '' } = event;
  const told =
    /^(?:step-failed|agent-|correction-|plan-revised|approval-|grant-|retry-|budget-|run-(?:finished|paused))/;
  return told.test(type) ? [JSON.stringify(event).slice(0, 900)] : [];
}
