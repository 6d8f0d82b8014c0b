import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  defaultOptions,
  type FactBody,
  hashPlan,
  type Plan,
  type RunEvent,
} from '../../src/core/contract/index.ts';
import { openApp } from '../../src/doors/app/app.ts';
import { type Bench, openBench, planOf } from '../support/cli.ts';
import { appendTo } from '../support/raw-store.ts';
import { startAnthropic, startOpenAi, type WireServer } from '../wire/index.ts';

let bench: Bench;
let first: WireServer;
let second: WireServer;
beforeEach(async () => {
  bench = openBench({ here: true });
  const text = JSON.stringify({
    action: 'insert_steps',
    reasoning: 'The flux is not aligned.',
    newSteps: [{ step: 'Align it', action: 'RUN_COMMAND touch aligned' }],
    confidence: 0.9,
  });
  [first, second] = await Promise.all([startOpenAi({ text }), startAnthropic({ text })]);
  bench.write('plan.yaml', planOf('echo flux unaligned >&2; test -f aligned'));
});
afterEach(async () => {
  bench.clean();
  await Promise.all([first.close(), second.close()]);
});

const chain = 'openai-chat/one, anthropic/two';
const env = () => ({
  OPENAI_API_KEY: 'sk-one-0123456789abcdef',
  OPENAI_BASE_URL: first.url,
  ANTHROPIC_API_KEY: 'sk-two-0123456789abcdef',
  ANTHROPIC_BASE_URL: second.url,
  OLLAMA_HOST: 'http://127.0.0.1:9',
  PLANWRIGHT_SANDBOX: 'off',
  PLANWRIGHT_MODELS_BRAIN: chain,
  PLANWRIGHT_MODELS_PLANNER: chain,
});

/** Runs of the past, in which the first model was of no use and the second was. */
async function thePast(role: 'brain' | 'planner'): Promise<void> {
  const app = await openApp({ env: { PLANWRIGHT_HOME: bench.home }, cwd: bench.workspace });
  const plan: Plan = { goal: 'g', shell: 'bash', revision: 0, steps: [] };
  const id = await app.runs.create({ plan, workspace: app.workspace, options: defaultOptions });
  const facts = [1, 2, 3, 4, 5].flatMap((n) => (role === 'brain' ? corrections(n) : drafts(n)));
  const events = facts.map((fact, at) => ({ v: 1, at, ...fact }) as RunEvent);
  await appendTo(app, id, { id: hashPlan(plan), events });
  await app.close();
}

function corrections(n: number): FactBody[] {
  const tried = (correctionId: string, name: string): FactBody => ({
    type: 'correction-attempt',
    stepId: 's',
    attemptIndex: 0,
    correctionId,
    correction: { action: 'retry', reasoning: 'r', confidence: 1, source: { brain: 'model', name } },
    failure: 'f',
  });
  const message = 'no';
  return [
    tried(`a${n}`, 'openai-chat/one'),
    { type: 'correction-failed', correctionId: `a${n}`, stepId: 's', message, sameFailure: true },
    tried(`b${n}`, 'anthropic/two'),
    { type: 'correction-success', correctionId: `b${n}`, stepId: 's' },
  ];
}

function drafts(n: number): FactBody[] {
  const reasons = [{ code: 'x', message: 'm', hint: 'h' }];
  const confidence = { score: 1, doubts: [] };
  const proposal = { summary: '', reflection: '', confidence, estimateMs: null, warnings: [] };
  return [
    { type: 'draft-rejected', n, model: { provider: 'openai-chat', model: 'one' }, reasons },
    { type: 'plan-proposed', n, model: { provider: 'anthropic', model: 'two' }, proposal },
  ];
}

const scores = async () => JSON.parse((await bench.run(['models', '--json'], env())).stdout).scores;

test('of two brains the one that helped more often is asked first, and it is said why', async () => {
  const run = () => bench.run(['run', 'plan.yaml', '--mode', 'agentic', '--yes'], env());
  expect(await run()).toMatchObject({ code: 0 });
  expect([first.requests.length, second.requests.length]).toEqual([1, 0]);
  expect(await scores()).toEqual([{ model: 'openai-chat/one', role: 'brain', asked: 1, accepted: 1 }]);

  await thePast('brain');
  rmSync(bench.path('aligned'));
  await bench.run(['memory', 'clear'], env());
  const { code, stderr } = await run();
  expect(code).toBe(0);
  expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
  expect(stderr).toContain(
    'Asking anthropic/two, because models.brain says so, and 5 of 5 of its answers could be used.',
  );
  expect(await scores()).toContainEqual({ model: 'anthropic/two', role: 'brain', asked: 6, accepted: 6 });
});

test('the chain that a goal is given has the better planner first', async () => {
  await thePast('planner');
  await bench.run(['run', 'align the flux', '--yes'], env());
  const [given] = (await bench.run(['show', '--events'])).stdout
    .split('\n')
    .map((line) => line && JSON.parse(line));
  expect(given).toMatchObject({
    type: 'goal-given',
    chain: { planner: [{ provider: 'anthropic' }, { provider: 'openai-chat' }] },
  });
  const { stdout } = await bench.run(['models'], env());
  expect(stdout).toMatch(/^planner +anthropic\/two, then openai-chat\/one$/m);
  expect(stdout).toMatch(/^planner +openai-chat\/one: 0 of \d+ answers could be used$/m);
});
