import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { SentCall } from '../../src/world/models/index.ts';
import type { Behaviour, Script, WireServer } from '../wire/index.ts';
import type { WireRequest } from '../wire/script.ts';
import { ask, modelsAt, openLedger, startProvider } from './support.ts';

let servers: WireServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});
const start = async (script: Script) => {
  const server = await startProvider('compatible', script);
  servers.push(server);
  return server;
};
const ok: Behaviour = { text: 'Hello' };

describe('every call is told', () => {
  test('with its own model, time, run and raw answer, also where that could not be used', async () => {
    const script = ({ body }: WireRequest): Behaviour =>
      body['model'] === 'big' ? { refusal: 'I would rather not.' } : { text: 'no JSON at all' };
    const { url } = await start(script);
    const calls: SentCall[] = [];
    const models = modelsAt(url, 'openai-chat/big,compatible/small', { told: (call) => calls.push(call) });
    const schema = z.object({ a: z.string() });
    const ledger = { ...openLedger(), stream: 'r1' };
    const answer = await models.forRole('brain').callStructured({ ...ask(), schema }, ledger);
    expect(answer).toMatchObject({ ok: false, why: 'invalid', ms: expect.any(Number) });
    const told = calls.map(({ model, outcome, answer: raw, stream }) => [stream, model.model, outcome, raw]);
    expect(told).toEqual([
      ['r1', 'big', 'refused', 'I would rather not.'],
      ['r1', 'small', 'invalid', 'no JSON at all'],
      ['r1', 'small', 'invalid', 'no JSON at all'],
    ]);
    expect(calls.every(({ ms }) => ms > 0)).toBe(true);
    expect(calls[2]!.messages.map(({ content }) => content).join()).toContain('cannot be used');
    expect(answer.ok ? 0 : answer.ms).toBeGreaterThan(0);
  });

  test('a chain that somebody else keeps does not say where it goes on', async () => {
    const { url } = await start({ status: 500 });
    const ledger = openLedger();
    const name = { provider: 'compatible', model: 'm' };
    await modelsAt(url, 'compatible/m').only('planner', name).callRaw(ask(), ledger);
    expect(ledger.hops).toEqual([]);
  });
});

describe('a server that is not OpenAI', () => {
  const roles = (server: WireServer) =>
    server.requests.map(({ body }) => (body['messages'] as { role: string }[])[0]!.role);
  const newest = 'gpt-6.1-sol';

  test('is spoken to plainly: the role system, and max_tokens', async () => {
    const server = await start(ok);
    const models = modelsAt(server.url, `openai/${newest}`);
    expect(await models.forRole('brain').callRaw(ask(), openLedger())).toMatchObject({ ok: true });
    expect(roles(server)).toEqual(['system']);
    expect(server.requests[0]!.body).toMatchObject({ max_tokens: expect.any(Number) });
    expect(server.requests[0]!.body).not.toHaveProperty('max_completion_tokens');
  });

  const strict =
    (role: string) =>
    ({ body }: WireRequest): Behaviour =>
      (body['messages'] as { role: string }[])[0]!.role === role
        ? ok
        : { status: 400, message: `Unsupported value: messages[0].role. Use ${role}.` };

  test.each([
    ['openai', 'developer', ['system', 'developer', 'developer']],
    ['openai-chat', 'system', ['developer', 'system', 'system']],
  ])(
    '%s is tried in the other dialect after a 400, and spoken to so from then on',
    async (provider, wants, said) => {
      const server = await start(strict(wants));
      const brain = modelsAt(server.url, `${provider}/${newest}`).forRole('brain');
      const ledger = openLedger();
      expect(await brain.callRaw(ask(), ledger)).toMatchObject({ ok: true, hops: [] });
      expect(await brain.callRaw(ask(), ledger)).toMatchObject({ ok: true });
      expect(roles(server)).toEqual(said);
      expect(ledger.started).toHaveLength(2);
    },
  );

  test('what it does not take in either is told once, in its own words', async () => {
    const server = await start({ status: 400, message: 'no such model' });
    const answer = await modelsAt(server.url, 'openai/m').forRole('brain').callRaw(ask(), openLedger());
    expect(answer).toMatchObject({ ok: false, message: expect.stringContaining('no such model') });
    expect(server.requests).toHaveLength(2);
  });
});

test('a server that counts no tokens is not believed', async () => {
  const { url } = await start({ text: 'Hello, wörld', tokens: { input: 0, output: 0 } });
  const ledger = openLedger();
  const answer = await modelsAt(url, 'compatible/m').forRole('brain').callRaw(ask(), ledger);
  const { usage } = ledger.ended[0]!;
  expect(answer.ok).toBe(true);
  expect(usage?.outputTokens).toBe(Buffer.byteLength('Hello, wörld'));
  expect(usage?.inputTokens).toBeGreaterThanOrEqual('Be brief.hello'.length);
  expect(usage!.inputTokens + usage!.outputTokens).toBeLessThanOrEqual(ledger.started[0]!.reserved.tokens);
});

describe('a rate limit', () => {
  const limited: Behaviour = { status: 429, retryAfter: 600 };

  test('is waited for where nobody is there, and that is written down', async () => {
    const server = await start([limited, limited, ok]);
    const ledger = { ...openLedger(), patience: { until: null } };
    const answer = await modelsAt(server.url, 'compatible/m').forRole('brain').callRaw(ask(), ledger);
    expect(answer).toMatchObject({ ok: true, text: 'Hello' });
    const m = { provider: 'compatible', model: 'm' };
    expect(ledger.hops).toMatchObject([
      {
        from: m,
        to: m,
        reason: 'rate-limited',
        message: expect.stringMatching(/asked again in (600|5\d\d) s/),
      },
      { from: m, to: m, reason: 'rate-limited' },
    ]);
    expect(ledger.ended.map(({ outcome }) => outcome)).toEqual(['rate-limited', 'rate-limited', 'ok']);
  });

  test('of one model is passed by another; only then is it waited for', async () => {
    const server = await start(({ body }, index) => (body['model'] === 'b' || index < 2 ? limited : ok));
    const ledger = { ...openLedger(), patience: { until: null } };
    const brain = modelsAt(server.url, 'compatible/a,compatible/b').forRole('brain');
    expect(await brain.callRaw(ask(), ledger)).toMatchObject({ ok: true, model: { model: 'a' } });
    expect(server.requests.map(({ body }) => body['model'])).toEqual(['a', 'b', 'a']);
  });

  test.each([
    ['somebody is there', undefined],
    ['it ends after the run has to', { until: 1_800_000_000_000 + 300_000 }],
  ])('is told at once where %s', async (_, patience) => {
    const server = await start([limited, ok]);
    const ledger = { ...openLedger(), ...(patience === undefined ? {} : { patience }) };
    const answer = await modelsAt(server.url, 'compatible/m').forRole('brain').callRaw(ask(), ledger);
    expect(answer).toMatchObject({ ok: false, why: 'rate-limited' });
    expect(server.requests).toHaveLength(1);
  });
});
