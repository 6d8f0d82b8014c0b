import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBench } from '../support/cli.ts';
import { eventually, start } from '../support/processes.ts';
import { isFullLength } from '../support/scale.ts';
import { expectRecorded, fileIn, recorded } from './exchange.ts';
import { type Exchange, listenTo, play, type Tape } from './tape.ts';

/**
 * Goals that are planned and mended through servers that others wrote to stand for a provider. What each model says is
 * in their own settings; that they take our questions, and that we understand how they say it, is what is tried.
 */

const key = 'sk-mock-0123456789abcdef';

/** What is said to whom, known by words of the system prompt. */
const lines = {
  'Restate a person': 'WHO: me\nWHAT: align the flux\nWHEN: now\nWHERE: here\nWHY: it hums',
  'You write plans': `<json>${JSON.stringify({
    goal: 'align the flux',
    thinking_summary: 'One look is enough.',
    reflection: 'Nothing.',
    ready: true,
    plan: [{ step: 1, action: 'RUN_COMMAND echo flux unaligned >&2; test -f aligned', expects: 'exit 0' }],
  })}</json>`,
  'You are the repair agent': JSON.stringify({
    action: 'insert_steps',
    reasoning: 'The flux is not aligned.',
    newSteps: [{ step: 'Align it', action: 'RUN_COMMAND touch aligned' }],
    confidence: 0.9,
  }),
};
const said = Object.entries(lines);

const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) });

/** How a mock is started, and its settings. */
interface Mock {
  program: string;
  settings: object;
  args(settings: string, port: number): string[];
}

const mocks = {
  'openai-mock-api': {
    program: 'openai-mock-api/dist/cli.js',
    settings: {
      apiKey: key,
      responses: said.map(([system, content], n) => ({
        id: `r${n}`,
        messages: [
          { role: 'system', content: system, matcher: 'contains' },
          { role: 'user', matcher: 'any' },
          { role: 'assistant', content },
        ],
      })),
    },
    args: (settings, port) => ['--config', settings, '--port', String(port)],
  },
  aimock: {
    program: '@copilotkit/aimock/dist/cli.js',
    settings: {
      fixtures: said.map(([system, content]) => ({
        match: { systemMessage: system },
        response: { content },
      })),
    },
    args: (settings, port) => ['--strict', '--fixtures', settings, '--port', String(port)],
  },
} satisfies Record<string, Mock>;

/** The mock itself with CI=true, and what it said then at a desk. */
async function open(name: string, { program, settings, args }: Mock): Promise<Tape> {
  if (!isFullLength) return play(recorded<Exchange[]>(name));
  const folder = mkdtempSync(join(tmpdir(), 'wire-mock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'settings.json');
  writeFileSync(file, JSON.stringify(settings));
  const port = await freePort();
  const { child, ended } = start(process.execPath, [fileIn(program), ...args(file, port)]);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const origin = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(origin).then(
      () => true,
      () => false,
    );
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error((await ended).stderr);
    return answers();
  }, `${name} to answer`);
  return listenTo(origin);
}

/** Neither mock says which port it was given. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const mockEnv = ({ origin }: Tape) => ({
  OPENAI_API_KEY: key,
  OPENAI_BASE_URL: `${origin}/v1`,
  ANTHROPIC_API_KEY: key,
  ANTHROPIC_BASE_URL: `${origin}/v1`,
  OLLAMA_HOST: 'http://127.0.0.1:9',
  PLANWRIGHT_SANDBOX: 'off',
});

/** A conversation with a look, an edit whose text is not there, the other way, and an answer, one after the other. */
const talk = {
  ...mocks.aimock,
  settings: {
    fixtures: [
      { toolCalls: [call('read_file', { path: 'flux.txt' })] },
      { toolCalls: [call('edit_file', { path: 'flux.txt', old: 'hmus', new: 'sings' })] },
      {
        content: 'Then anew.',
        toolCalls: [call('write_file', { path: 'flux.txt', content: 'it sings\n' })],
      },
      { content: 'The flux sings now, as you asked: I wrote the file anew.' },
    ].map((response, turnIndex) => ({ match: { turnIndex }, response })),
  },
} satisfies Mock;

/** A goal is planned, its step fails, and is mended: all by what the server says. */
async function planAndMend(
  name: string,
  tape: Tape,
  chains: { planner: string; brain: string },
): Promise<Exchange[]> {
  const bench = openBench({ here: true });
  onTestFinished(() => bench.clean());
  onTestFinished(() => tape.close());
  const env = {
    ...mockEnv(tape),
    PLANWRIGHT_MODELS_PLANNER: chains.planner,
    PLANWRIGHT_MODELS_FAST: chains.planner,
    PLANWRIGHT_MODELS_BRAIN: chains.brain,
  };
  const ended = await bench.run(['run', 'align the flux', '--mode', 'agentic', '--yes'], env);
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  expect(ended.stderr).toContain('WHAT: align the flux');
  expect(existsSync(bench.path('aligned'))).toBe(true);
  expectRecorded(name, tape.exchanges);
  return tape.exchanges;
}

describe('openai-mock-api, which takes the roles of old and no other', () => {
  it('plans and mends with OPENAI_BASE_URL alone', async () => {
    const name = 'openai-mock-api';
    const tape = await open(name, mocks['openai-mock-api']);
    const exchanges = await planAndMend(name, tape, {
      planner: 'openai/gpt-5',
      brain: 'openai/gpt-5',
    });
    expect(exchanges.map(({ answered }) => answered.status)).toEqual([200, 200, 200]);
    expect(exchanges.map(({ asked }) => asked.roles)).toEqual(exchanges.map(() => ['system', 'user']));
    for (const { asked } of exchanges) expect(asked.fields).toContain('max_tokens');
  });

  it('is asked in the plain dialect after it refused the one of OpenAI', async () => {
    const name = 'openai-mock-api-refusing';
    const tape = await open(name, mocks['openai-mock-api']);
    const exchanges = await planAndMend(name, tape, {
      planner: 'openai-chat/gpt-5',
      brain: 'openai-chat/gpt-5',
    });
    const [refused, taken] = exchanges;
    expect(refused).toMatchObject({
      asked: { roles: ['developer', 'user'] },
      answered: { status: 400, body: expect.stringContaining('messages[0].role must be one of') },
    });
    expect(taken).toMatchObject({ asked: { roles: ['system', 'user'] }, answered: { status: 200 } });
  });
});

/** One message, answered with tools: one that looks, one that fails, another way. */
async function converse(name: string, model: string): Promise<Exchange[]> {
  const tape = await open(name, talk);
  onTestFinished(() => tape.close());
  const bench = openBench({ here: true });
  onTestFinished(() => bench.clean());
  bench.write('flux.txt', 'it hums\n');
  const ended = await bench.run(['chat', 'make it sing', '--mode', 'agentic'], {
    ...mockEnv(tape),
    PLANWRIGHT_MODELS_CHAT: model,
  });
  expect(ended, ended.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('The flux sings now, as you asked: I wrote the file anew.\n'),
  });
  expect(ended.stderr).toMatch(/read_file[\s\S]*SELF_CORRECT_ATTEMPT[\s\S]*The other way worked\./);
  expect(readFileSync(bench.path('flux.txt'), 'utf8')).toBe('it sings\n');
  expectRecorded(name, tape.exchanges);
  return tape.exchanges;
}

describe('aimock, which speaks for every provider', () => {
  it.each([
    ['aimock-chat-openai', 'openai-chat/gpt-5', '/v1/chat/completions'],
    ['aimock-chat-anthropic', 'anthropic/claude-sonnet-4-5', '/v1/messages'],
  ])('talks, and calls tools, in a stream: %s', async (name, model, path) => {
    const exchanges = await converse(name, model);
    expect(exchanges.map(({ asked }) => asked.path)).toEqual([path, path, path, path]);
    for (const { asked, answered } of exchanges) {
      expect(asked.fields).toEqual(expect.arrayContaining(['stream', 'tools']));
      expect(answered).toMatchObject({ status: 200, type: expect.stringContaining('text/event-stream') });
    }
  });

  it('plans as OpenAI and mends as Anthropic', async () => {
    const tape = await open('aimock', mocks.aimock);
    const exchanges = await planAndMend('aimock', tape, {
      planner: 'openai/gpt-5',
      brain: 'anthropic/claude-sonnet-4-5',
    });
    expect(exchanges.map(({ answered }) => answered.status)).toEqual([200, 200, 200]);
    expect(exchanges.map(({ asked }) => asked.path)).toEqual([
      '/v1/chat/completions',
      '/v1/chat/completions',
      '/v1/messages',
    ]);
  });
});
