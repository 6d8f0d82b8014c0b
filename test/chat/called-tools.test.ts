import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, openBench } from '../support/cli.ts';
import { startOpenAi, type WireServer } from '../wire/index.ts';

let bench: Bench;
let server: WireServer;
const mends: object[] = [];

beforeEach(async () => {
  bench = openBench({ here: true });
  server = await startOpenAi(() => ({ text: JSON.stringify(mends.shift() ?? {}) }));
});
afterEach(async () => {
  mends.length = 0;
  bench.clean();
  await server.close();
});

/** A plan of one step that edits what is not there, and what the brain answers, one after the other. */
async function run(...answers: object[]) {
  mends.push(...answers);
  bench.write('a.txt', 'one\n');
  const action = `CALL_TOOL edit_file ${JSON.stringify({ path: 'a.txt', old: 'two', new: '2' })}`;
  bench.write('plan.json', JSON.stringify({ goal: 'Digits', plan: [{ step: 'Make it a digit', action }] }));
  const args = ['run', 'plan.json', '--mode', 'agentic', '--yes', '--on-ask', 'fail', '--json'];
  const ended = await bench.run(args, {
    PLANWRIGHT_MODELS_URL: server.url,
    PLANWRIGHT_MODELS_BRAIN: 'compatible/brain',
    PLANWRIGHT_MODELS_FAST: 'compatible/brain',
    PLANWRIGHT_SANDBOX: 'off',
    OLLAMA_HOST: 'http://127.0.0.1:9',
  });
  const events = ended.stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  return { ...ended, events };
}

const answer = (tool: string, args: object) => ({
  action: 'modify',
  reasoning: 'The text is not there.',
  modifiedAction: `CALL_TOOL ${tool} ${JSON.stringify(args)}`,
  confidence: 0.9,
});
const text = () => readFileSync(bench.path('a.txt'), 'utf8');

describe('a step of a plan that calls a tool which gives the signal', () => {
  it('is mended with a fallback tool on the same file, and nobody is asked', async () => {
    const { code, stdout } = await run(answer('write_file', { path: 'a.txt', content: '2\n' }));
    expect(code, stdout).toBe(0);
    expect(text()).toBe('2\n');
    const told = JSON.stringify(server.requests[0]!.body);
    expect(told).toContain('CALL_TOOL write_file and its arguments as one JSON object');
    expect(told).toContain('a.txt does not contain');
    expect(told).toContain('<file>\\na.txt\\none');
  });

  it('with another tool on another file it is another step: a person is asked', async () => {
    const { code, stdout } = await run(answer('write_file', { path: 'b.txt', content: '2\n' }));
    expect(code).toBe(3);
    expect(stdout).toContain('other-purpose');
    expect(() => readFileSync(bench.path('b.txt'))).toThrow();
  });

  it('is tried three times more, and then given up like any other', async () => {
    const again = (old: string) => answer('multi_file_edit', { edits: [{ path: 'a.txt', old, new: '2' }] });
    const { events } = await run(again('too'), again('tow'), again('zwei'), again('deux'));
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type === 'step-failed')).toHaveLength(4);
    expect(types).toContain('agent-stuck');
    expect(server.requests).toHaveLength(3);
    expect(text()).toBe('one\n');
  });
});
