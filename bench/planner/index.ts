import { defaultOptions, type PlanningState } from '../../src/core/contract/index.ts';
import type { PlannerWork } from '../../src/core/engine/index.ts';
import { createPlanner, noExperience, noReport } from '../../src/mind/planner/index.ts';
import { median, type Row } from '../row.ts';

const model = { provider: 'bench', model: 'none' };
const ROUNDS = 9;

/** An answer such as models write: commands with quotes and pipes, scripts, files, expectations, dependencies. */
function answerOf(steps: number): string {
  const plan = Array.from({ length: steps }, (_, index) => ({
    step: index + 1,
    action:
      index % 5 === 4
        ? `RUN_SCRIPT "set -e\\nmkdir -p out/${index}\\ncp src/*.txt \\"out/${index}\\""`
        : `RUN_COMMAND make part-${index} | tee "out/${index}.log" && test -s out/${index}.log`,
    expects: `file exists out/${index}.log`,
    ...(index > 0 ? { after: [index] } : {}),
  }));
  const envelope = { goal: 'build', thinking_summary: 'One by one.', reflection: '', ready: true, plan };
  return `Here it is:\n<json>${JSON.stringify(envelope)}</json>`;
}

const planning: PlanningState = {
  goal: 'build every part',
  chain: { planner: [model], fast: [] },
  active: true,
  restated: true,
  restatement: 'WHAT: build',
  position: { planner: 0, fast: 0 },
  strikes: 0,
  asked: 1,
  drafts: [],
  hints: ['Use make.'],
  reflectedOn: 0,
  question: null,
  answers: [],
  feedback: [],
  failures: [],
  inFlight: null,
  proposal: null,
  failed: null,
};

/** Everything of one iteration but the model: prompt, reading, checking, risk, confidence. */
async function iterationMs(steps: number): Promise<number> {
  const text = answerOf(steps);
  const chain = { ask: async () => ({ ok: true, text, model, durationMs: 0 }) as const };
  const planner = createPlanner({
    models: { planner: chain, fast: chain },
    identity: { name: 'Planwright', backstory: '' },
    shell: 'bash',
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
    const started = performance.now();
    const answer = await planner.perform(work, { signal, ledger });
    times.push(performance.now() - started);
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
