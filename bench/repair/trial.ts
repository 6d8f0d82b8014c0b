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
 * - `declined`: the run stopped, and nothing is worse than before.
 * - `worse`: something is, or a plan that must not succeed has.
 * - `unbroken`: it did not fail here at all, so that it shows nothing.
 * - `untried`: a program that it needs is not installed.
 */
export interface Trial {
  scenario: Scenario;
  outcome: 'mended' | 'declined' | 'worse' | 'unbroken' | 'untried';
  corrections: number;
  /** Why, for a person who wants to know. */
  story: string[];
  ms: number;
}

type Event = { type?: string } & Record<string, unknown>;

/** Runs the plan of the scenario by the real program in a fresh place, with nobody to ask. */
export async function tryScenario(scenario: Scenario): Promise<Trial> {
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
    const { code, events, stderr } = await runPlan(place);
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

/** Runs it, and ends what a run that only rests would keep running. */
async function runPlan(place: Place): Promise<Ran> {
  const ran = await start(place, [
    'run',
    place.plan,
    '--mode',
    'agentic',
    '--yes',
    '--on-ask',
    'deny',
    '--json',
  ]);
  if (ran.code !== 0) await start(place, ['cancel']);
  return ran;
}

async function start({ workspace, env }: Place, command: string[]): Promise<Ran> {
  const args = [await bundledProgram(), ...command];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: workspace,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: MAX_RUN_MS,
    });
    const text = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text.out += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text.err += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      const lines = text.out.split('\n').filter((line) => line.startsWith('{'));
      resolve({ code, events: lines.map(readEvent), stderr: text.err });
    });
  });
}

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
