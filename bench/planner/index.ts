import { defaultOptions, freshPlanning, type PlanningState } from '../../src/core/contract/index.ts';
import type { PlannerWork } from '../../src/core/run/index.ts';
import { createPlanner } from '../../src/mind/planner/index.ts';
import { noExperience, noReport } from '../../src/mind/planner/testing/planning.ts';
import { median, type Row } from '../row.ts';

const model = { provider: 'bench', model: 'none' };
const ROUNDS = 9;

/**
 * An answer such as models write: commands with quotes and pipes, scripts, files, expectations, dependencies. No two
 * rounds have a command in common, so that nothing is remembered from one to the next.
 */
function answerOf(steps: number, round: number): string {
  const plan = Array.from({ length: steps }, (_, index) => ({
    step: index + 1,
    action:
      index % 5 === 4
        ? `RUN_SCRIPT "set -e\\nmkdir -p out/${round}/${index}\\ncp src/*.txt \\"out/${round}/${index}\\""`
        : `RUN_COMMAND make part-${round}-${index} | tee "out/${index}.log" && test -s out/${index}.log`,
    expects: `file exists out/${index}.log`,
    ...(index > 0 ? { after: [index] } : {}),
  }));
  const envelope = { goal: 'build', thinking_summary: 'One by one.', reflection: '', ready: true, plan };
  return `Here it is:\n<json>${JSON.stringify(envelope)}</json>`;
}

const planning: PlanningState = {
  ...freshPlanning('build every part', { planner: [model], fast: [] }),
  restated: true,
  restatement: 'WHAT: build',
  asked: 1,
  hints: ['Use make.'],
};

/** Everything of one iteration but the model: prompt, reading, checking, risk, confidence. Time of the processor. */
async function iterationMs(steps: number): Promise<number> {
  let text = '';
  const chain = { ask: async () => ({ ok: true, text, model, durationMs: 0 }) as const };
  const planner = createPlanner({
    models: { planner: chain, fast: chain },
    identity: { name: 'Planwright', backstory: '' },
    experience: noExperience,
    look: async () => noReport,
    facts: () => ({
      exists: () => true,
      kind: () => 'file',
      realpath: (path) => `/w/${path}`,
      commandExists: () => true,
    }),
    findSecret: () => null,
    redact: (each) => each,
  });
  const work: PlannerWork = {
    run: 'bench',
    call: 'plan',
    n: 1,
    model,
    workspace: '/w',
    options: defaultOptions,
    planning,
    before: null,
  };
  const ledger = {
    reserve: async () => ({ ok: true }) as const,
    settle: async () => {},
    fellBack: async () => {},
  };
  const { signal } = new AbortController();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    text = answerOf(steps, round);
    const started = process.threadCpuUsage();
    const answer = await planner.perform(work, { signal, ledger });
    const { user, system } = process.threadCpuUsage(started);
    times.push((user + system) / 1000);
    if (answer.kind !== 'draft' || answer.outcome.is !== 'plan')
      throw new Error('the sample answer is not accepted');
  }
  return median(times);
}

export async function benchPlanner(): Promise<Row[]> {
  const row = async (steps: number, target: number): Promise<Row> => ({
    name: `planning, our own code for an answer of ${steps} steps`,
    value: await iterationMs(steps),
    unit: 'ms',
    target,
  });
  return [await row(50, 20), await row(5000, 200)];
}
