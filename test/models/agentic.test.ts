import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Bench, openBench, planOf } from '../support/cli.ts';
import { eventually } from '../support/processes.ts';
import { type Script, startOpenAi, type WireServer } from '../wire/index.ts';

let bench: Bench;
let server: WireServer;
beforeEach(async () => {
  bench = openBench({ here: true });
  server = await startOpenAi({ text: 'x' });
  bench.write('plan.yaml', planOf('echo flux unaligned >&2; test -f aligned'));
});
afterEach(async () => {
  bench.clean();
  await server.close();
});

const env = (more: Record<string, string> = {}) => ({
  OPENAI_API_KEY: 'sk-agentic-0123456789abcdef',
  OPENAI_BASE_URL: server.url,
  ANTHROPIC_API_KEY: '',
  GEMINI_API_KEY: '',
  GOOGLE_GENERATIVE_AI_API_KEY: '',
  MOONSHOT_API_KEY: '',
  OLLAMA_HOST: 'http://127.0.0.1:9',
  PLANWRIGHT_SANDBOX: 'off',
  PLANWRIGHT_MODELS_BRAIN: 'openai-chat/gpt-6-luna',
  ...more,
});
const run = (script: Script, more: Record<string, string> = {}) => {
  server.script = script;
  return bench.run(['run', 'plan.yaml', '--mode', 'agentic', '--yes'], env(more));
};
const row = async () => JSON.parse((await bench.run(['runs', '--json'])).stdout)[0];
const events = async () =>
  (await bench.run(['show', '--events'])).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const cost = async () => JSON.parse((await bench.run(['cost', '--json'])).stdout);

const align = {
  action: 'insert_steps',
  reasoning: 'The flux is not aligned.',
  newSteps: [{ step: 'Align it', action: 'RUN_COMMAND touch aligned' }],
  confidence: 0.9,
};
const says = (answer: object) => ({ text: JSON.stringify(answer), tokens: { input: 900, output: 60 } });

describe('a failure that only a model understands', () => {
  test('is mended, told and billed; and the run can be replayed without the model', async () => {
    const ended = await run(says(align), { PLANWRIGHT_MODELS_RECORDING: 'record' });
    expect(ended).toMatchObject({ code: 0 });
    expect(await row()).toMatchObject({ state: 'done', tokens: 960 });
    expect((await cost()).calls).toMatchObject([{ outcome: 'ok', call: { model: 'gpt-6-luna' } }]);
    await server.close();
    const replayed = await bench.run(['replay'], env({ OPENAI_API_KEY: '' }));
    expect(replayed.stdout).toMatch(/goes as it went: .* 1 answers of models/);
  });

  test('killed between question and answer: the first stays reserved, and the second is asked in the open', async () => {
    server.script = { never: true };
    const running = bench.start(['run', 'plan.yaml', '--mode', 'agentic', '--yes'], env());
    await eventually(() => server.requests.length === 1, 'the model to be asked');
    running.child.kill('SIGKILL');
    await running.ended;
    server.script = says(align);
    const resumed = await bench.run(['resume'], env());
    expect(resumed.code).toBe(0);
    const { calls, costUsd, spending } = await cost();
    expect(calls.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['interrupted', 'ok']);
    const [reserved] = Object.values(spending.open) as { usd: number }[];
    expect(costUsd).toBeCloseTo(reserved!.usd + spending.usd, 9);
    expect(reserved!.usd).toBeGreaterThan(spending.usd);
    expect(server.requests).toHaveLength(2);
  });
});

test('a rate limit that is waited for outlives the process that waits', async () => {
  server.script = { status: 429, retryAfter: 600 };
  const running = bench.start(['run', 'plan.yaml', '--mode', 'agentic', '--yes'], env());
  const waits = async () =>
    server.requests.length === 1 && (await events()).some(({ type }) => type === 'model-fell-back');
  await eventually(waits, 'the wait to be written down');
  running.child.kill('SIGKILL');
  await running.ended;
  server.script = says(align);
  expect(await bench.run(['resume'], env())).toMatchObject({ code: 0 });
  expect((await events()).find(({ type }) => type === 'model-fell-back')).toMatchObject({
    to: { model: 'gpt-6-luna' },
    reason: 'rate-limited',
    message: expect.stringMatching(/asked again in (600|5\d\d) s/),
  });
});

describe('a model that should not be heeded', () => {
  test('and proposes to delete everything is refused, told why, and asked no more than the limit says', async () => {
    const ended = await run(
      says({ ...align, action: 'modify', modifiedCommand: 'rm -rf /', newSteps: null }),
    );
    expect(ended.code).not.toBe(0);
    expect(existsSync('/bin')).toBe(true);
    const started = (await events()).filter(({ type }) => type === 'step-started');
    expect(started).toHaveLength(1);
    expect(['agent-stuck', 'agent-error']).toContain((await row()).stopReason);
    expect(server.requests.length).toBeLessThanOrEqual(10);
  });

  test('and answers nonsense is asked twice, and the run pauses', async () => {
    const ended = await run({ text: 'Have you tried turning it off and on again?' });
    expect(ended.code).not.toBe(0);
    expect(await row()).toMatchObject({ stopReason: 'agent-error' });
    expect(server.requests).toHaveLength(2);
  });

  test('and proposes the same again and again is stopped', async () => {
    const ended = await run(says({ ...align, newSteps: [{ step: 'Nothing', action: 'RUN_COMMAND true' }] }));
    expect(ended.code).not.toBe(0);
    expect(['agent-stuck', 'agent-error']).toContain((await row()).stopReason);
    expect(server.requests.length).toBeLessThanOrEqual(10);
  });

  test('and could cost too much is not asked', async () => {
    const ended = await run(says(align), { PLANWRIGHT_LIMITS_MONEY: '0.000001' });
    expect(ended.code).not.toBe(0);
    expect(server.requests).toEqual([]);
    expect((await row()).stopReason).toBe('agent-stuck');
    expect((await events()).at(-1)).toMatchObject({ type: 'run-paused', reason: 'agent-stuck' });
    expect((await events()).find(({ type }) => type === 'agent-stuck')).toMatchObject({ limit: 'money' });
    expect((await bench.run(['show'])).stdout).toContain('Raise limits.money and resume.');
    const resumed = await bench.run(['resume', '--money', '1'], env());
    expect(resumed.code).toBe(0);
    expect(server.requests).toHaveLength(1);
    expect(await row()).toMatchObject({ state: 'done', tokens: 960 });
  });
});

describe('that nobody could mend it says who could not be asked, and why', () => {
  test.each([
    [
      'a refused key',
      { status: 401, message: 'no such key' },
      /gpt-6-luna refused its key \(401: no such key\)/,
    ],
    ['a rate limit', { status: 429, retryAfter: 90_000 }, /rate limit, and it is reached \(429/],
  ])('%s', async (_, script, words) => {
    const { code, stderr } = await run(script);
    expect(code).not.toBe(0);
    expect(stderr.split('\n').find((line) => line.includes('no brain could mend it:'))).toMatch(words);
    expect((await events()).findLast(({ type }) => type === 'agent-error').message).toMatch(words);
  });

  test('a server that is not there', async () => {
    await run(says(align), { OPENAI_BASE_URL: 'http://127.0.0.1:59999/v1' });
    expect((await events()).findLast(({ type }) => type === 'agent-error').message).toMatch(
      /gpt-6-luna could not be asked \(nobody answers there/,
    );
  });
});
