import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findPlaces } from '../../src/doors/app/places.ts';
import { type Bench, openBench, planOf } from '../support/cli.ts';
import { eventually } from '../support/processes.ts';
import { startAnthropic, startOpenAi, type WireServer } from '../wire/index.ts';

let bench: Bench;
let openai: WireServer;
let anthropic: WireServer;
const align = {
  action: 'insert_steps',
  reasoning: 'The flux is not aligned.',
  newSteps: [{ step: 'Align it', action: 'RUN_COMMAND touch aligned' }],
  confidence: 0.9,
};
beforeEach(async () => {
  bench = openBench({ here: true });
  const text = JSON.stringify(align);
  [openai, anthropic] = await Promise.all([startOpenAi({ text }), startAnthropic({ text })]);
});
afterEach(async () => {
  bench.clean();
  await Promise.all([openai.close(), anthropic.close()]);
});

const bare = () => ({
  OPENAI_API_KEY: '',
  OPENAI_BASE_URL: openai.url,
  ANTHROPIC_API_KEY: '',
  ANTHROPIC_BASE_URL: anthropic.url,
  GEMINI_API_KEY: '',
  GOOGLE_GENERATIVE_AI_API_KEY: '',
  MOONSHOT_API_KEY: '',
  OLLAMA_HOST: 'http://127.0.0.1:9',
  PLANWRIGHT_SANDBOX: 'off',
});
const keys = (value: Record<string, string>) => {
  const file = findPlaces({ PLANWRIGHT_HOME: bench.home }).keys;
  writeFileSync(file, JSON.stringify(value));
  chmodSync(file, 0o600);
};
const sentences = (stderr: string) => stderr.split('\n').filter((line) => line.startsWith('Asking '));

describe('the first use of a model is said once, with why and what is sent where', () => {
  const found = () => ({ ...bare(), OPENAI_API_KEY: 'sk-first-0123456789abcdef' });

  test('when a step is mended', async () => {
    const fails = 'echo flux unaligned >&2; test -f';
    bench.write('plan.yaml', planOf(`${fails} aligned`, `${fails} aligned2`));
    const { stdout, stderr } = await bench.run(['run', 'plan.yaml', '--mode', 'agentic', '--yes'], found());
    expect(openai.requests.length).toBeGreaterThan(1);
    const host = new URL(openai.url).host;
    expect(sentences(stderr)).toEqual([
      `Asking openai/gpt-6.1-sol, because its key is in OPENAI_API_KEY. The failed step, its output and what happened before it stay on this machine (${host}), with secrets hidden.`,
    ]);
    expect(stdout).not.toContain('Asking openai');
  });

  test('when a goal is planned', async () => {
    const { stderr } = await bench.run(['run', 'align the flux', '--yes'], found());
    const said = sentences(stderr);
    expect(said.filter((line) => line.includes('openai/gpt-6.1-sol'))).toHaveLength(1);
    expect(said.every((line) => line.includes('because its key is in OPENAI_API_KEY.'))).toBe(true);
    expect(new Set(said).size).toBe(said.length);
  });
});

test('another provider and its key are used at once, by a process that is running already', async () => {
  bench.write(
    'plan.yaml',
    planOf('touch began; until test -f go; do sleep 0.02; done', 'echo flux unaligned >&2; test -f aligned'),
  );
  const set = (value: string) => bench.run(['config', 'set', 'models.brain', value], bare());
  await set('openai-chat/one');
  keys({ openai: 'sk-old-0123456789abcdef' });
  const running = bench.start(['run', 'plan.yaml', '--mode', 'agentic', '--yes'], bare());
  await eventually(() => existsSync(bench.path('began')), 'the run to begin');
  await set('anthropic/two');
  keys({ openai: 'sk-old-0123456789abcdef', anthropic: 'sk-new-0123456789abcdef' });
  bench.write('go', '');
  const { code, stderr } = await running.ended;
  expect(code).toBe(0);
  expect(openai.requests).toEqual([]);
  expect(anthropic.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['sk-new-0123456789abcdef']);
  expect(stderr).toContain('Asking anthropic/two, because models.brain says so.');
});
