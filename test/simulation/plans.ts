import {
  type Action,
  defaultOptions,
  hashPlan,
  type Plan,
  type RiskLevel,
  type RunOptions,
  type Step,
} from '../../src/core/contract/index.ts';
import type { Random } from './random.ts';

/** What the simulated world knows of a step and the run must find out. */
export interface StepTruth {
  level: RiskLevel;
  /** Whether `expects` can be checked, so that a finished step can be told after a crash. */
  checkable: boolean;
  succeeds: number;
}

export interface SimulatedPlan {
  plan: Plan;
  hash: string;
  options: RunOptions;
}

export function randomStep(random: Random, id: string, earlier: string[]): Step {
  const after = earlier.filter(() => random.chance(0.2));
  return {
    id,
    title: `Step ${id}`,
    action: randomAction(random, id, earlier),
    ...(random.chance(0.5) ? { expects: `file exists ${id}` } : {}),
    ...(after.length > 0 ? { after } : {}),
    ...(random.chance(0.2) ? { timeoutMs: 1 + random.int(5000) } : {}),
    ...ownRetry(id),
  };
}

/** Every third, with no draw from the seed. */
function ownRetry(id: string): Pick<Step, 'retry'> {
  const n = Number(/\d+/.exec(id)?.[0] ?? 0);
  return n % 3 === 0 ? { retry: { times: 1 + (n % 2), ...(n % 2 === 0 ? { delayMs: 1500 } : {}) } } : {};
}

/** Commands mostly; now and then a loop, a file, a question, a service. Each names its step, so that no two are alike. */
function randomAction(random: Random, id: string, earlier: string[]): Action {
  const command = `do ${id} ${random.int(1000)}`;
  const roll = random.next();
  if (roll < 0.62) return { kind: 'run-command', command };
  if (roll < 0.7) return { kind: 'write-file', path: id, content: command };
  if (roll < 0.76) return { kind: 'list-files', pattern: command, as: 'list' };
  if (roll < 0.82) return { kind: 'for-each', list: 'list', do: { kind: 'run-command', command } };
  if (roll < 0.87) return { kind: 'repeat', times: 1 + random.int(3), do: { kind: 'run-command', command } };
  if (roll < 0.91)
    return { kind: 'start', name: `service${random.int(2)}`, command, keep: random.chance(0.2) };
  if (roll < 0.93) return { kind: 'stop', name: `service${random.int(2)}` };
  if (roll < 0.97) return { kind: 'ask', question: `which ${id}?`, as: `key${earlier.length}` };
  return { kind: 'manual', text: `do ${id} by hand` };
}

/** The level is part of the command, so that an edit can change it and everybody agrees on it. */
export function truthOf(random: Random): StepTruth {
  const roll = random.next();
  const level = roll < 0.55 ? 'caution' : roll < 0.72 ? 'safe' : roll < 0.96 ? 'dangerous' : 'blocked';
  return { level, checkable: random.chance(0.5), succeeds: random.pick([1, 0.9, 0.6, 0.2, 0.05]) };
}

/** In some worlds checkpoints are taken, and a failed step is taken back. */
export const undoOptions = (random: Random): Partial<RunOptions> =>
  random.chance(0.35)
    ? {
        checkpoints: random.pick(['auto', 'required']),
        ...(random.chance(0.4) ? { onFailure: 'rollback' } : {}),
      }
    : {};

export function randomPlan(random: Random): SimulatedPlan {
  const steps: Step[] = [];
  const count = 2 + random.int(9);
  for (let i = 1; i <= count; i += 1) {
    const id = `s${i}`;
    steps.push(
      randomStep(
        random,
        id,
        steps.map((step) => step.id),
      ),
    );
  }
  const plan: Plan = { goal: 'simulate', shell: 'bash', steps, revision: 0 };
  const options: RunOptions = {
    ...defaultOptions,
    mode: random.pick(['planner', 'planner', 'teacher', 'agentic', 'agentic']),
    onFailure: random.pick(['stop', 'continue']),
    onAsk: random.pick(['wait', 'wait', 'wait', 'fail', 'deny']),
    onInterrupt: random.pick(['ask', 'ask', 'rerun', 'skip', 'stop']),
    limits: {
      ...defaultOptions.limits,
      ...(random.chance(0.4) ? { retriesPerStep: random.int(4), corrections: random.int(8) } : {}),
      // Enough attempts of one step to come near the end of the corrections.
      ...(random.chance(0.4) ? { retriesPerStep: 9, corrections: 4 } : {}),
      ...(random.chance(0.3) ? { addedSteps: random.int(6), addedStepsPerCorrection: random.int(4) } : {}),
      wallMs: random.chance(0.2) ? 2000 + random.int(20_000) : null,
    },
    stepTimeoutMs: random.chance(0.2) ? 1 + random.int(4000) : null,
    excluded: steps.filter(() => random.chance(0.05)).map((step) => step.id),
    inputs: random.chance(0.3) ? { key1: 'given' } : {},
  };
  return { plan, hash: hashPlan(plan), options };
}
