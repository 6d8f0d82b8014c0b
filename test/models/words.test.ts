import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Bench, openBench, planOf } from '../support/cli.ts';
import { startOpenAi, type WireServer } from '../wire/index.ts';

let bench: Bench;
let server: WireServer;
beforeEach(async () => {
  bench = openBench({ here: true });
  server = await startOpenAi({ text: 'The folder was missing.', tokens: { input: 300, output: 20 } });
  bench.write('plan.yaml', planOf('cp plan.yaml out/copy.yaml'));
  const ran = await bench.run(['run', 'plan.yaml', '--mode', 'agentic', '--yes'], bare);
  expect(ran.code).toBe(0);
});
afterEach(async () => {
  bench.clean();
  await server.close();
});

const bare = {
  OPENAI_API_KEY: '',
  ANTHROPIC_API_KEY: '',
  GEMINI_API_KEY: '',
  GOOGLE_GENERATIVE_AI_API_KEY: '',
  MOONSHOT_API_KEY: '',
  OLLAMA_HOST: 'http://127.0.0.1:9',
  PLANWRIGHT_SANDBOX: 'off',
};
const key = 'sk-why-0123456789abcdef';
const withModel = (model = 'openai-chat/gpt-6-luna') => ({
  ...bare,
  OPENAI_API_KEY: key,
  OPENAI_BASE_URL: server.url,
  PLANWRIGHT_MODELS_FAST: model,
});

describe('planwright why', () => {
  test('tells what is certain first, then the words of a model, marked, with what they cost', async () => {
    const alone = await bench.run(['why'], bare);
    expect(alone.stdout).toContain('it helped');
    const { code, stdout, stderr } = await bench.run(['why'], withModel());
    expect(code).toBe(0);
    expect(stdout.startsWith(alone.stdout)).toBe(true);
    expect(stdout.slice(alone.stdout.length)).toMatch(
      /^\n In the words of openai-chat\/gpt-6-luna, which may be wrong \(\$0\.\d+\):\n {2}The folder was missing\.\n$/,
    );
    expect(stderr).toMatch(/^Asking openai-chat\/gpt-6-luna, because .* What happened in the run stays on/);
    expect(JSON.stringify(server.requests[0]!.body)).toContain('out');
    expect(JSON.parse((await bench.run(['cost', '--json'])).stdout).calls).toEqual([]);
  });

  test.each([['--no-model'], ['--json']])('asks nobody with %s', async (flag) => {
    expect(await bench.run(['why', flag], withModel())).toMatchObject({ code: 0, stderr: '' });
    expect(server.requests).toEqual([]);
  });

  test('a model that fails takes nothing away', async () => {
    server.script = { status: 401, message: `bad key ${key}` };
    const { code, stdout, stderr } = await bench.run(['why'], withModel());
    expect(code).toBe(0);
    expect(stdout).toBe((await bench.run(['why'], bare)).stdout);
    expect(stderr).toContain('No model explains it: openai-chat/gpt-6-luna');
    expect(stdout + stderr).not.toContain(key);
  });

  test('a model that could cost more than a few cents is not asked', async () => {
    const prices = bench.path('prices.json');
    bench.write('prices.json', JSON.stringify({ 'openai-chat/dear': { input: 1, output: 1000 } }));
    const env = { ...withModel('openai-chat/dear'), PLANWRIGHT_MODELS_PRICES: prices };
    const { code, stderr } = await bench.run(['why'], env);
    expect(code).toBe(0);
    expect(stderr).toContain('A call of openai-chat/dear may cost $0.6');
    expect(server.requests).toEqual([]);
  });
});
