import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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
import { startOpenAi, type WireServer } from '../wire/index.ts';

let bench: Bench;
let server: WireServer;
beforeEach(async () => {
  bench = openBench({ here: true });
  server = await startOpenAi({ text: 'ready', tokens: { input: 20, output: 2 } });
});
afterEach(async () => {
  bench.clean();
  await server.close();
});

/** Nothing of the machine that the tests run on. */
const bare = {
  OPENAI_API_KEY: '',
  OPENAI_BASE_URL: '',
  ANTHROPIC_API_KEY: '',
  GOOGLE_GENERATIVE_AI_API_KEY: '',
  GEMINI_API_KEY: '',
  MOONSHOT_API_KEY: '',
  OLLAMA_HOST: 'http://127.0.0.1:9',
};
const key = 'sk-cli-0123456789abcdefgh';
const withKey = () => ({ ...bare, OPENAI_API_KEY: key, OPENAI_BASE_URL: server.url });

describe('planwright models', () => {
  test('says that there is nobody, and that this is no misfortune', async () => {
    const { code, stdout, stderr } = await bench.run(['models'], bare);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^miss {2}anthropic {3}set ANTHROPIC_API_KEY/m);
    expect(stderr).toContain('There is no model to ask');
    expect(await bench.run(['models', 'test'], bare)).toMatchObject({ code: 2 });
  });

  test('lists what is found, without its key', async () => {
    const { stdout } = await bench.run(['models'], withKey());
    expect(stdout).toContain('its key is in OPENAI_API_KEY');
    expect(stdout).toMatch(/^brain +openai\/gpt-6.1-sol$/m);
    const json = await bench.run(['models', '--json'], withKey());
    expect(JSON.parse(json.stdout).chains.fast).toEqual(['openai/gpt-6-luna']);
    expect(stdout + json.stdout).not.toContain(key);
  });

  test('test makes one tiny call of each, and says what it cost', async () => {
    const { code, stdout } = await bench.run(['models', 'test'], withKey());
    expect(stdout).toMatch(/^ok {4}openai\/gpt-6.1-sol {2}\d+\.\d s, 22 tokens, \$/m);
    expect(code).toBe(0);
    expect(server.requests.map(({ body }) => body['model'])).toEqual(['gpt-6.1-sol', 'gpt-6-luna']);
    expect(server.requests[0]!.headers['authorization']).toBe(`Bearer ${key}`);
  });

  test('test says what is wrong with one that is named, without its key', async () => {
    server.script = { status: 401, message: `Incorrect API key provided: ${key}` };
    const { code, stdout, stderr } = await bench.run(['models', 'test', 'openai-chat/x'], withKey());
    expect(code).toBe(1);
    expect(stdout).toContain('FAIL  openai-chat/x  unauthorised');
    expect(stdout + stderr).not.toContain(key);
    server.script = [{ status: 500 }, { text: 'ready' }];
    expect(await bench.run(['models', 'test', 'openai-chat/y', '--json'], withKey())).toMatchObject({
      code: 0,
    });
    expect(await bench.run(['models', 'test', 'y'], withKey())).toMatchObject({ code: 2 });
  });

  test('a folder that nobody trusts cannot say where models are, or which', async () => {
    mkdirSync(bench.path('.planwright'));
    writeFileSync(
      join(bench.path('.planwright'), 'config.yaml'),
      `models.url: ${server.url}\nmodels.brain: compatible/evil\n`,
    );
    const brain = async () => JSON.parse((await bench.run(['models', '--json'], bare)).stdout).chains.brain;
    expect(await brain()).toEqual([]);
    await bench.run(['trust'], bare);
    expect(await brain()).toEqual(['compatible/evil']);
  });

  test('settings are checked as they are made', async () => {
    expect(await bench.run(['config', 'set', 'models.brain', 'gpt'], bare)).toMatchObject({ code: 2 });
    expect(await bench.run(['config', 'set', 'models.url', 'file:///etc/passwd'], bare)).toMatchObject({
      code: 2,
    });
    await bench.run(['config', 'set', 'models.brain', 'openai-chat/a, ollama/b:7b'], bare);
    const { stdout } = await bench.run(['models', '--json'], bare);
    expect(JSON.parse(stdout).chains.brain).toEqual(['openai-chat/a', 'ollama/b:7b']);
  });
});

describe('planwright cost', () => {
  /** A run whose journal tells of calls. */
  async function runWith(...facts: FactBody[]): Promise<string> {
    const app = await openApp({ env: { PLANWRIGHT_HOME: bench.home }, cwd: bench.workspace });
    const plan: Plan = { goal: 'g', shell: 'bash', revision: 0, steps: [] };
    const id = await app.runs.create({ plan, workspace: app.workspace, options: defaultOptions });
    const events = facts.map((fact, at) => ({ v: 1, at, ...fact }) as RunEvent);
    await appendTo(app, id, { id: hashPlan(plan), events });
    await app.close();
    return id;
  }
  const call = (callId: string, usd: number | null): FactBody => ({
    type: 'model-call-started',
    callId,
    role: 'brain',
    purpose: `mend "${callId}"`,
    provider: 'openai',
    model: 'm',
    reserved: { usd, tokens: 1000 },
  });

  test('says that none was asked', async () => {
    bench.write('plan.yaml', planOf('true'));
    await bench.run(['run', 'plan.yaml']);
    expect((await bench.run(['cost'])).stdout).toBe('No model was asked.\n');
  });

  test('tells each call, the sum, and what of it is only reserved', async () => {
    const usage = { inputTokens: 90, outputTokens: 10 };
    const id = await runWith(
      call('one', 0.5),
      { type: 'model-call-finished', callId: 'one', outcome: 'ok', usage, usd: 0.02, durationMs: 5 },
      call('two', 0.3),
      { type: 'driver-claimed', epoch: 1, driver: { pid: 1, host: 'h', boot: 'b' } },
    );
    const { stdout } = await bench.run(['cost', id]);
    expect(stdout.split('\n')).toEqual([
      'ok            100 tokens, $0.02       openai/m  mend "one"',
      'interrupted   at most $0.30           openai/m  mend "two"',
      '',
      '2 calls, 1,100 tokens, $0.32 of $2.00',
      '$0.30 of it is the worst case of 1 call whose end nobody heard of.',
      '',
    ]);
    const json = JSON.parse((await bench.run(['cost', id, '--json'])).stdout);
    expect(json).toMatchObject({
      run: id,
      costUsd: 0.32,
      tokens: 1100,
      calls: [{ outcome: 'ok' }, { outcome: 'interrupted' }],
    });
    expect(JSON.parse((await bench.run(['runs', '--json'])).stdout)[0]).toMatchObject({
      costUsd: 0.32,
      tokens: 1100,
    });
  });
});

test('planwright replay drives a run again against its journal', async () => {
  bench.write('plan.yaml', planOf('true', 'false', 'true'));
  await bench.run(['run', 'plan.yaml']);
  const { code, stdout } = await bench.run(['replay']);
  expect(stdout).toMatch(/^Run \S+ goes as it went: \d+ events, \d+ decisions\.$/m);
  expect(code).toBe(0);
  const json = JSON.parse((await bench.run(['replay', '--json'])).stdout);
  expect(json).toMatchObject({ divergence: null, answers: 0 });
  expect(json.decisions).toBeGreaterThan(3);
});

test('a run that needs no model loads no provider’s code', async () => {
  bench.write('plan.yaml', planOf('true'));
  const hook = `import fs from 'node:fs';import m from 'node:module';
    const real = fs.readFileSync;
    fs.readFileSync = (file, ...rest) => { console.error('loads ' + file); return real(file, ...rest); };
    m.registerHooks({ load(url, context, next) { console.error('loads ' + url); return next(url, context); } });`;
  const options = {
    ...withKey(),
    NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(hook)}"`,
  };
  const { code, stderr } = await bench.start(['run', 'plan.yaml'], options).ended;
  const loaded = [...stderr.matchAll(/^loads (.*)$/gm)].map((match) => match[1]!);
  expect(code).toBe(0);
  expect(loaded.filter((file) => /dist\/doors\/cli\/(main|look|run)\.cjs$/.test(file))).toHaveLength(3);
  const ofModels = /node_modules\/(ai|@ai-sdk|ollama-ai|jsonrepair)|doors\/cli\/parts\/models-/;
  expect(loaded.filter((file) => ofModels.test(file))).toEqual([]);
  expect(server.requests).toEqual([]);
});
