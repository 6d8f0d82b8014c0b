import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { printModelName } from '../../src/core/contract/index.ts';
import { type Chosen, type ModelsOptions, openModels } from '../../src/world/models/index.ts';
import { startAnthropic, startOllama, startOpenAi, type WireServer } from '../wire/index.ts';
import { ask, fastClock, openLedger, patient } from './support.ts';

let home: string;
let open: { close(): Promise<void> }[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'planwright-models-'));
});
afterEach(async () => {
  rmSync(home, { recursive: true, force: true });
  await Promise.all(open.map((server) => server.close()));
  open = [];
});
const started = async (starting: Promise<WireServer>): Promise<WireServer> => {
  const server = await starting;
  open.push(server);
  return server;
};

const nobody = 'http://127.0.0.1:9';
/** Nothing is configured, and nothing local answers, unless a test says so. */
const models = (env: Record<string, string>, more: Partial<ModelsOptions> = {}) =>
  openModels({
    env: { OLLAMA_HOST: nobody, ...env },
    settings: () => ({ chains: {}, url: null, timeoutMs: 60_000 }),
    keyFile: join(home, 'keys.json'),
    clock: fastClock(),
    timeouts: patient,
    ...more,
  });
const chain = async (env: Record<string, string>, role: 'planner' | 'fast' = 'planner', more = {}) =>
  (await models(env, more).chainOf(role)).map(printModelName);

describe('with nothing configured', () => {
  test('there is nobody, and what is missing is said', async () => {
    expect(await chain({})).toEqual([]);
    const found = await models({}).list();
    expect(found.every(({ isUsable }) => !isUsable)).toBe(true);
    expect(found.map(({ provider, why }) => `${provider}: ${why}`)).toEqual([
      expect.stringContaining('anthropic: set ANTHROPIC_API_KEY'),
      expect.stringContaining('openai: set OPENAI_API_KEY'),
      expect.stringContaining('google: set GOOGLE_GENERATIVE_AI_API_KEY'),
      expect.stringContaining('moonshot: set MOONSHOT_API_KEY'),
      expect.stringContaining('compatible: say where it answers'),
      expect.stringContaining('ollama: nobody answers at'),
    ]);
  });

  test('keys in the environment are found', async () => {
    const env = { OPENAI_API_KEY: 'a', GEMINI_API_KEY: 'b', MOONSHOT_API_KEY: ' ', ANTHROPIC_API_KEY: 'c' };
    expect(await chain(env)).toEqual([
      'anthropic/claude-sonnet-5-5',
      'openai/gpt-6.1-sol',
      'google/gemini-3.8-flash',
    ]);
    expect(await chain(env, 'fast')).toEqual([
      'anthropic/claude-haiku-5-5',
      'openai/gpt-6-luna',
      'google/gemini-3.5-flash-lite',
    ]);
  });

  test('a local Ollama has what it has, the known good first, the smallest for quick work', async () => {
    const has = [
      { name: 'llama3:70b', size: 40 },
      { name: 'nomic-embed-text:latest', size: 1 },
      { name: 'mistral:7b-instruct-q4_0', size: 4 },
      { name: 'tiny:1b', size: 2 },
      { name: 'codellama:13b-instruct', size: 7 },
    ];
    const ollama = await started(startOllama({ text: 'x' }, has));
    expect(await chain({ OLLAMA_HOST: ollama.url })).toEqual([
      'ollama/codellama:13b-instruct',
      'ollama/mistral:7b-instruct-q4_0',
      'ollama/llama3:70b',
      'ollama/tiny:1b',
    ]);
    const bare = ollama.url.replace('http://127.0.0.1', '0.0.0.0');
    expect((await chain({ OLLAMA_HOST: bare }, 'fast'))[0]).toBe('ollama/tiny:1b');
  });

  test('a server of the OpenAI protocol is asked what it has', async () => {
    const server = await started(startOpenAi({ text: 'x' }, ['qwen3', 'other']));
    const settings = () => ({ chains: {}, url: `${server.url}/`, timeoutMs: 1000 });
    expect(await chain({}, 'planner', { settings })).toEqual(['compatible/qwen3', 'compatible/other']);
  });
});

describe('the first use', () => {
  test('names the model, why it is this one, and where what is sent goes; once', async () => {
    const server = await started(startAnthropic({ text: 'x' }));
    const chosen: Chosen[] = [];
    const opened = models(
      { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url },
      { announce: (one) => chosen.push(one) },
    );
    await opened.forRole('brain').callRaw(ask(), openLedger());
    await opened.forRole('brain').callRaw(ask(), openLedger());
    expect(chosen).toEqual([
      {
        role: 'brain',
        model: { provider: 'anthropic', model: 'claude-sonnet-5-5' },
        why: 'its key is in ANTHROPIC_API_KEY',
        host: new URL(server.url).host,
        isLocal: true,
      },
    ]);
  });
});

describe('keys', () => {
  const keyFile = () => join(home, 'keys.json');
  const useFile = (text: string, mode: number) => {
    writeFileSync(keyFile(), text);
    chmodSync(keyFile(), mode);
  };
  const whyNot = async () => (await models({}).list()).find(({ provider }) => provider === 'openai')?.why;

  test('come from a file that only its owner can read', async () => {
    useFile('{"openai": "sk-filed-key-0123456789"}', 0o600);
    expect(await chain({})).toEqual(['openai/gpt-6.1-sol']);
    useFile('{"openai": "sk-filed-key-0123456789"}', 0o640);
    expect(await chain({})).toEqual([]);
    expect(await whyNot()).toContain('chmod 600');
  });

  test('are not quoted where the file is damaged', async () => {
    useFile('{"openai": sk-filed-key-0123456789', 0o600);
    expect(await whyNot()).toContain('is not {"PROVIDER": "KEY"}');
    expect(await whyNot()).not.toContain('sk-filed');
  });

  test('and providers are looked up for each call: a switch holds at once', async () => {
    const [first, second] = [
      await started(startOpenAi({ text: '1' })),
      await started(startOpenAi({ text: '2' })),
    ];
    const env: Record<string, string> = { OPENAI_API_KEY: 'first-key', OPENAI_BASE_URL: first.url };
    const opened = openModels({
      env,
      settings: () => ({ chains: {}, url: null, timeoutMs: 60_000 }),
      keyFile: keyFile(),
      clock: fastClock(),
      timeouts: patient,
    });
    const brain = opened.forRole('brain');
    await brain.callRaw(ask(), openLedger());
    Object.assign(env, { OPENAI_API_KEY: 'second-key', OPENAI_BASE_URL: second.url });
    expect(await brain.callRaw(ask(), openLedger())).toMatchObject({ ok: true, text: '2' });
    expect(first.requests.map(({ headers }) => headers['authorization'])).toEqual(['Bearer first-key']);
    expect(second.requests.map(({ headers }) => headers['authorization'])).toEqual(['Bearer second-key']);
  });
});

describe('a proxy', () => {
  /** Tunnels whatever it is asked for to one place, and counts. */
  async function startProxy(to: string) {
    const asked: string[] = [];
    const proxy = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(502).end();
    });
    proxy.on('connect', (request, socket) => {
      asked.push(`CONNECT ${request.url}`);
      const { hostname, port } = new URL(to);
      const there = connect(Number(port), hostname, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        there.pipe(socket).pipe(there);
      });
      for (const end of [there, socket]) end.on('error', () => end.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    open.push({
      close: () =>
        new Promise((resolve) => {
          proxy.close(() => resolve());
          proxy.closeAllConnections();
        }),
    });
    return { asked, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
  }

  test('of the environment is used, but not to this machine', async () => {
    const server = await started(startOpenAi({ text: 'through' }));
    const proxy = await startProxy(server.url);
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://models.example/v1', HTTP_PROXY: proxy.url };
    const answer = await models(env).forRole('brain').callRaw(ask(), openLedger());
    expect(answer).toMatchObject({ ok: true, text: 'through' });
    expect(proxy.asked).toEqual(['CONNECT models.example:80']);
    await models({ ...env, OPENAI_BASE_URL: server.url })
      .forRole('brain')
      .callRaw(ask(), openLedger());
    expect(proxy.asked).toHaveLength(1);
    expect(server.requests).toHaveLength(2);
  });
});
