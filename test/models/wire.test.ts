import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Behaviour, Script, WireServer } from '../wire/index.ts';
import {
  ask,
  fastClock,
  modelsAt,
  openLedger,
  patient,
  secretKey,
  startProvider,
  wireProviders,
} from './support.ts';

let servers: WireServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});
const start = async (provider: (typeof wireProviders)[number], script: Script) => {
  const server = await startProvider(provider, script);
  servers.push(server);
  return server;
};

/** How each misbehaviour ends, whoever misbehaves. `null`: this provider has no word for it. */
const misbehaviours: [
  what: string,
  behaviour: Behaviour,
  outcome: string,
  message: RegExp,
  counted: boolean,
][] = [
  ['401', { status: 401, message: `no such key: ${secretKey}` }, 'unauthorised', /401: no such key/, true],
  ['403', { status: 403 }, 'unauthorised', /403/, true],
  ['429 that is over in ten minutes', { status: 429, retryAfter: 600 }, 'rate-limited', /429/, true],
  ['500', { status: 500 }, 'error', /500/, true],
  ['529', { status: 529 }, 'rate-limited', /529/, true],
  ['400', { status: 400, message: 'no such model' }, 'error', /no such model/, true],
  ['an answer that ends too early', { truncated: 'half of' }, 'error', /broke off|without a finish/, false],
  ['a connection that breaks', { broken: 'half of' }, 'error', /connection failed/, false],
  ['what is no JSON', { malformed: true }, 'error', /not JSON/, false],
  ['an answer without end', { huge: 17_000_000 }, 'error', /longer than 16 MB/, false],
];

/** How each is shown a picture. */
const pictureForm: Record<(typeof wireProviders)[number], RegExp> = {
  'openai-chat': /"type":"image_url","image_url":\{"url":"data:image\/png;base64,/,
  'openai-responses': /"type":"input_image","image_url":"data:image\/png;base64,/,
  compatible: /"type":"image_url","image_url":\{"url":"data:image\/png;base64,/,
  moonshot: /"type":"image_url","image_url":\{"url":"data:image\/png;base64,/,
  anthropic: /"type":"image","source":\{"type":"base64","media_type":"image\/png","data":/,
  google: /"inlineData":\{"mimeType":"image\/png","data":/,
  ollama: /"images":\["/,
};

describe.each(wireProviders)('%s', (provider) => {
  test('answers, is counted before and after, and gets nothing that it should not', async () => {
    const server = await start(provider, { text: 'Hello, wörld', tokens: { input: 21, output: 4 } });
    const ledger = openLedger();
    const heard: string[] = [];
    const answer = await modelsAt(server.url, `${provider}/m`)
      .forRole('brain')
      .callRaw({ ...ask(), maxOutputTokens: 77, onText: (delta) => heard.push(delta) }, ledger);
    expect(answer).toMatchObject({ ok: true, text: 'Hello, wörld', cutOff: false, hops: [] });
    expect(answer).toMatchObject({
      usage: { inputTokens: 21, outputTokens: 4 },
      model: { provider, model: 'm' },
    });
    expect(heard.join('')).toBe('Hello, wörld');
    expect(heard.length).toBeGreaterThan(1);
    expect(ledger.started).toMatchObject([{ role: 'brain', purpose: 'try it', provider, model: 'm' }]);
    expect(ledger.started[0]!.reserved.tokens).toBeGreaterThan(77 + 'Be brief.hello'.length);
    expect(ledger.ended).toMatchObject([{ callId: ledger.started[0]!.callId, outcome: 'ok' }]);
    const { body } = server.requests[0]!;
    expect(JSON.stringify(body)).toMatch(
      /"(max_tokens|max_output_tokens|max_completion_tokens|maxOutputTokens|num_predict)":77/,
    );
  });

  test.each(misbehaviours)('%s', async (_, behaviour, outcome, message, counted) => {
    const server = await start(provider, behaviour);
    const ledger = openLedger();
    const answer = await modelsAt(server.url, `${provider}/m`).forRole('brain').callRaw(ask(), ledger);
    expect(answer).toMatchObject({ ok: false, why: outcome, message: expect.stringMatching(message) });
    expect(ledger.ended.at(-1)).toMatchObject({ outcome, message: expect.stringMatching(message) });
    // Turned away costs nothing; what was begun may have been charged, so its reservation stands.
    const usage = counted ? { inputTokens: 0, outputTokens: 0 } : null;
    expect(ledger.ended.map((end) => end.usage)).toEqual(ledger.ended.map(() => usage));
    expect(ledger.hops).toMatchObject([{ from: { provider, model: 'm' }, to: null, reason: outcome }]);
    expect(JSON.stringify([answer, ledger])).not.toContain(secretKey);
  });

  test.each([
    [
      'a first byte that never comes',
      { never: true },
      { ...patient, firstByte: 50_000 },
      /no answer within 50 s/,
    ],
    ['a stall in the middle', { stall: 'half of' }, { ...patient, idle: 50_000 }, /stopped for 50 s/],
    [
      'an answer that takes too long',
      { stall: 'half of' },
      { ...patient, total: 50_000 },
      /no whole answer within 50 s/,
    ],
  ] as const)('%s is not waited for', async (_, behaviour, timeouts, message) => {
    const server = await start(provider, behaviour);
    const ledger = openLedger();
    const answer = await modelsAt(server.url, `${provider}/m`, { timeouts })
      .forRole('brain')
      .callRaw(ask(), ledger);
    expect(answer).toMatchObject({ ok: false, why: 'timeout', message: expect.stringMatching(message) });
    expect(ledger.ended).toMatchObject([{ outcome: 'timeout', usage: null }]);
  });

  test('calls tools, and is told what came of them', async () => {
    const args = { path: 'a b.ts', deep: { n: [1, 'ü'] } };
    const calls = [
      { name: 'read_file', args },
      { name: 'list_files', args: {} },
    ];
    const server = await start(provider, [{ calls, text: 'I look.' }, { text: 'Done' }]);
    const tools = calls.map(({ name }) => ({
      name,
      description: 'looks',
      parameters: { type: 'object', properties: { path: { type: 'string' } } },
    }));
    const chain = modelsAt(server.url, `${provider}/m`).forRole('brain');
    const first = await chain.callRaw({ ...ask(), tools }, openLedger());
    expect(first).toMatchObject({ ok: true, text: 'I look.', calls });
    if (!first.ok) return;
    const results = first.calls.map(({ id, name }) => ({ id, name, text: `came of ${name}` }));
    const messages = [
      ...ask().messages,
      { role: 'assistant' as const, content: first.text, calls: first.calls },
      { role: 'user' as const, content: '', results },
    ];
    const second = await chain.callRaw({ ...ask(), messages, tools }, openLedger());
    expect(second).toMatchObject({ ok: true, text: 'Done', calls: [] });
    const sent = JSON.stringify(server.requests[1]!.body);
    for (const { text } of results) expect(sent).toContain(text);
    expect(sent).toContain('a b.ts');
  });

  test('is shown a picture in its own format, and counted for it', async () => {
    const server = await start(provider, { text: 'A dot.' });
    const ledger = openLedger();
    const data = Buffer.from('iVBORw0KGgo-a picture', 'utf8');
    const pictures = [{ hash: 'a'.repeat(64), type: 'image/png', data }];
    const messages = [{ role: 'user' as const, content: 'What is it?', pictures }];
    const chain = modelsAt(server.url, `${provider}/m`).forRole('brain');
    expect(await chain.callRaw({ ...ask(), messages }, ledger)).toMatchObject({ ok: true, text: 'A dot.' });
    const sent = JSON.stringify(server.requests.at(-1)!.body);
    expect(sent).toContain(data.toString('base64'));
    expect(sent).toMatch(pictureForm[provider]);
    expect(sent).toContain('What is it?');
    expect(ledger.started[0]!.reserved.tokens).toBeGreaterThan(10_000);
  });

  test('an abort ends it at once, and no other model is asked', async () => {
    const server = await start(provider, { stall: 'half of' });
    const ledger = openLedger();
    const controller = new AbortController();
    const request = { ...ask(), signal: controller.signal, onText: () => controller.abort() };
    const answer = await modelsAt(server.url, `${provider}/m, ${provider}/n`)
      .forRole('brain')
      .callRaw(request, ledger);
    expect(answer).toMatchObject({ ok: false, why: 'aborted', hops: [] });
    expect(ledger.ended).toMatchObject([{ outcome: 'aborted', usage: null }]);
    expect(server.requests).toHaveLength(1);
  });

  test('gives what fits a schema', async () => {
    const schema = z.strictObject({ steps: z.array(z.string()), note: z.string().optional() });
    const server = await start(provider, { text: '{"steps": ["a", "b"]}' });
    const answer = await modelsAt(server.url, `${provider}/m`)
      .forRole('brain')
      .callStructured({ ...ask(), schema }, openLedger());
    expect(answer).toMatchObject({ ok: true, value: { steps: ['a', 'b'] } });
    expect(JSON.stringify(server.requests[0]!.body)).toContain('"additionalProperties');
  });

  test('is told what was wrong with its answer, once, and then the next is asked', async () => {
    const schema = z.strictObject({ n: z.int() });
    const server = await start(provider, [
      { text: '{"n": "one"}' },
      { text: 'I mean 1' },
      { text: '{"n": 1}' },
    ]);
    const ledger = openLedger();
    const answer = await modelsAt(server.url, `${provider}/m, ${provider}/next`)
      .forRole('brain')
      .callStructured({ ...ask(), schema }, ledger);
    expect(answer).toMatchObject({ ok: true, value: { n: 1 }, model: { model: 'next' } });
    expect(ledger.ended.map(({ outcome }) => outcome)).toEqual(['invalid', 'invalid', 'ok']);
    expect(ledger.hops).toMatchObject([{ reason: 'invalid', message: 'there is no JSON in the answer' }]);
    expect(JSON.stringify(server.requests[1]!.body)).toContain('n: Invalid input');
  });

  test('an answer that ran into the limit is no answer, though it could be mended', async () => {
    const server = await start(provider, { cutOff: '{"steps": ["a", "b"' });
    const schema = z.object({ steps: z.array(z.string()) });
    const chain = modelsAt(server.url, `${provider}/m`).forRole('brain');
    const answer = await chain.callStructured({ ...ask(), schema }, openLedger());
    expect(answer).toMatchObject({
      ok: false,
      why: 'invalid',
      message: expect.stringContaining('broke off'),
    });
    expect(await chain.callRaw(ask(), openLedger())).toMatchObject({ ok: true, cutOff: true });
  });
});

const canRefuse = wireProviders.filter((provider) => provider !== 'ollama' && provider !== 'moonshot');

test.each(canRefuse)('%s refuses', async (provider) => {
  const server = await start(provider, { refusal: 'I would rather not.' });
  const ledger = openLedger();
  const answer = await modelsAt(server.url, `${provider}/m`).forRole('brain').callRaw(ask(), ledger);
  expect(answer).toMatchObject({
    ok: false,
    why: 'refused',
    message: expect.stringMatching(/I would rather not\.|does not want/),
  });
  expect(ledger.ended).toMatchObject([{ outcome: 'refused', usage: { inputTokens: 12 } }]);
});

describe('the chain', () => {
  test('waits for a provider that says it will be soon, and asks it again', async () => {
    const server = await start('anthropic', [{ status: 429, retryAfter: 7 }, { text: 'there' }]);
    const ledger = openLedger();
    const answer = await modelsAt(server.url, 'anthropic/m, openai-chat/n')
      .forRole('brain')
      .callRaw(ask(), ledger);
    expect(answer).toMatchObject({ ok: true, model: { model: 'm' }, hops: [] });
    expect(ledger.ended.map(({ outcome }) => outcome)).toEqual(['rate-limited', 'ok']);
  });

  test('goes on at once where it would be long, with the reason', async () => {
    const server = await start('openai-chat', (request) =>
      request.body['model'] === 'm' ? { status: 429, retryAfter: 21 } : { text: 'there' },
    );
    const ledger = openLedger();
    const answer = await modelsAt(server.url, 'openai-chat/m, compatible/n')
      .forRole('brain')
      .callRaw(ask(), ledger);
    expect(answer).toMatchObject({ ok: true, model: { provider: 'compatible', model: 'n' } });
    expect(ledger.hops).toMatchObject([
      { role: 'brain', from: { model: 'm' }, to: { model: 'n' }, reason: 'rate-limited' },
    ]);
  });

  test('does not knock twice at a provider that lets nobody in', async () => {
    const server = await start('openai-chat', (request) =>
      request.path.endsWith('/chat/completions') && request.body['model'] !== 'third'
        ? { status: 401 }
        : { text: 'in' },
    );
    const chain = modelsAt(server.url, 'openai-chat/first, openai-chat/second, compatible/third').forRole(
      'brain',
    );
    expect(await chain.callRaw(ask(), openLedger())).toMatchObject({ ok: true, model: { model: 'third' } });
    expect(server.requests).toHaveLength(2);
  });

  test('without a key goes on to who needs none, and sends nothing', async () => {
    const server = await start('ollama', { text: 'here' });
    const env = { ANTHROPIC_API_KEY: '' };
    const ledger = openLedger();
    const models = modelsAt(server.url, 'anthropic/m, nobody/x, ollama/mistral:7b', { env });
    const answer = await models.forRole('brain').callRaw(ask(), ledger);
    expect(answer).toMatchObject({ ok: true, model: { provider: 'ollama' } });
    expect(ledger.hops.map(({ message }) => message)).toEqual([
      expect.stringContaining('set ANTHROPIC_API_KEY'),
      expect.stringContaining('there is no provider "nobody"'),
    ]);
    expect(ledger.started).toHaveLength(1);
  });

  test('sends nothing past a limit', async () => {
    const server = await start('openai-chat', { text: 'x' });
    const answer = await modelsAt(server.url, 'openai-chat/m, openai-chat/n')
      .forRole('brain')
      .callRaw(
        ask(),
        openLedger(() => 'Enough.'),
      );
    expect(answer).toEqual({ ok: false, why: 'limit', message: 'Enough.', hops: [], ms: 0 });
    expect(server.requests).toEqual([]);
  });

  test('an abort while it waits for a provider ends it, and nobody else is asked', async () => {
    const server = await start('anthropic', { status: 429, retryAfter: 7 });
    const controller = new AbortController();
    const clock = fastClock();
    const { sleepUntil } = clock;
    // Its timeouts are hours; what is shorter is the wait for the provider.
    clock.sleepUntil = async (until, signal) =>
      until - clock.now() < 8000 ? controller.abort() : sleepUntil(until, signal);
    const ledger = openLedger();
    const answer = await modelsAt(server.url, 'anthropic/m, openai-chat/n', { clock })
      .forRole('brain')
      .callRaw({ ...ask(), signal: controller.signal }, ledger);
    expect(answer).toMatchObject({ ok: false, why: 'aborted' });
    expect(ledger.hops).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  test('nobody to ask is an answer too', async () => {
    const models = modelsAt('http://127.0.0.1:9', '', {
      env: { OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '', MOONSHOT_API_KEY: '', GEMINI_API_KEY: '' },
    });
    expect(await models.forRole('brain').callRaw(ask(), openLedger())).toMatchObject({
      ok: false,
      why: 'no-model',
    });
  });

  test('a ledger that throws keeps the call from being sent', async () => {
    const server = await start('openai-chat', { text: 'x' });
    const ledger = { ...openLedger(), reserve: () => Promise.reject(new Error('the disk is full')) };
    const answer = await modelsAt(server.url, 'openai-chat/m').forRole('brain').callRaw(ask(), ledger);
    expect(answer).toMatchObject({ ok: false, why: 'error', message: 'the disk is full' });
    expect(server.requests).toEqual([]);
  });

  test('says so when an answer begins anew', async () => {
    const server = await start('openai-chat', [{ truncated: 'Hel' }, { text: 'Hello' }]);
    let heard = '';
    const request = {
      ...ask(),
      onText: (delta: string) => {
        heard += delta;
      },
      onRestart: () => {
        heard = '';
      },
    };
    await modelsAt(server.url, 'openai-chat/m, openai-chat/n')
      .forRole('brain')
      .callRaw(request, openLedger());
    expect(heard).toBe('Hello');
  });
});

test('a model that takes no pictures is not sent one, and the next is asked; who refuses is quoted', async () => {
  const server = await start('ollama', { text: 'A dot.' });
  const pictures = [{ hash: 'a'.repeat(64), type: 'image/png', data: new Uint8Array([1]) }];
  const messages = [{ role: 'user' as const, content: 'What is it?', pictures }];
  const blind = await modelsAt(server.url, 'ollama/blind')
    .forRole('brain')
    .callRaw({ ...ask(), messages }, openLedger());
  const message = 'ollama/blind takes no pictures: choose a model that does, or send none';
  expect(blind).toMatchObject({ ok: false, message: expect.stringContaining(message) });
  expect(server.requests.filter(({ path }) => path === '/api/chat')).toEqual([]);
  const both = modelsAt(server.url, 'ollama/blind, ollama/m').forRole('brain');
  expect(await both.callRaw({ ...ask(), messages }, openLedger())).toMatchObject({
    ok: true,
    model: { model: 'm' },
  });
  const refusing = await start('compatible', { status: 400, message: 'image input is not supported' });
  expect(
    await modelsAt(refusing.url, 'compatible/m')
      .forRole('brain')
      .callRaw({ ...ask(), messages }, openLedger()),
  ).toMatchObject({
    ok: false,
    message: expect.stringMatching(/shown a picture, which it may not take: 400: image input is not/),
  });
});
