import { expect, it, onTestFinished } from 'vitest';
import { startOpenAi } from '../wire/index.ts';
import { refusal } from './checked.ts';
import { serve, source, untilState } from './support.ts';

const key = 'sk-server-0123456789abcdefgh';

it('says which models would answer, asks one for a word, and shows no key', async () => {
  const model = await startOpenAi({ text: 'ready', tokens: { input: 20, output: 2 } });
  onTestFinished(() => model.close());
  const { client } = await serve({ variables: { OPENAI_API_KEY: key, OPENAI_BASE_URL: model.url } });
  const models = await client.getModels();
  const brain = models.roles.find(({ role }) => role === 'brain')!;
  expect(brain.chain[0]).toMatchObject({
    provider: 'openai',
    available: true,
    detail: 'its key is in OPENAI_API_KEY',
  });
  expect(await client.testModel({ role: 'brain' })).toMatchObject({
    ok: true,
    provider: 'openai',
    message: 'it answered: ready',
  });
  const other = await client.testModel({ provider: 'nobody', model: 'none' });
  expect(other).toMatchObject({ ok: false, message: expect.stringContaining('nobody') });
  expect(JSON.stringify([models, other])).not.toContain(key);
});

it('a run in agentic mode is mended, what helped is remembered, listed and forgotten', async () => {
  const { client, workspace } = await serve();
  const { id } = await client.createRun({
    source: source('touch deep/er/file'),
    mode: 'agentic',
    agreed: true,
  });
  expect(await untilState(client, id, 'done', 'paused', 'failed', 'waiting')).toMatchObject({
    state: 'done',
  });
  const { fixes } = await client.getMemory({ workspace });
  expect(fixes.length).toBeGreaterThan(0);
  for (const fix of fixes) {
    expect(fix.fix).not.toBe('');
    await client.forget(fix.id);
  }
  expect((await client.getMemory()).fixes).toEqual([]);
  expect(await refusal(client.forget('none'))).toEqual({ status: 404, code: 'no-such-fix' });
});

it('a goal is planned by a model, and is asked about before anything runs', async () => {
  const model = await startOpenAi({ text: 'no plan comes to mind', tokens: { input: 20, output: 2 } });
  onTestFinished(() => model.close());
  const { client } = await serve({ variables: { OPENAI_API_KEY: key, OPENAI_BASE_URL: model.url } });
  const { id } = await client.createRun({ source: { goal: 'Tidy this folder' }, key: 'one goal, one run' });
  expect(await client.createRun({ source: { goal: 'Tidy this folder' }, key: 'one goal, one run' })).toEqual({
    id,
    problems: [],
  });
  const types: string[] = [];
  for await (const { event } of client.watchRun(id)) {
    types.push(event.type);
    if (event.type === 'planning-failed' || event.type === 'planner-call-failed') break;
  }
  expect(types.slice(0, 3)).toEqual(['goal-given', 'driver-claimed', 'planner-called']);
  expect((await client.search({ q: 'tidy' })).hits).toMatchObject([
    { row: { id, goal: 'Tidy this folder' } },
  ]);
  expect(JSON.stringify(await client.getEvents(id))).not.toContain(key);
  expect(model.requests.length).toBeGreaterThan(0);
});

it('what a model says can be read while it says it, without secrets', async () => {
  const secret = 'hunter2-and-more-of-it';
  const said = `{"action": "retry", "reasoning": "The flux is ${secret} today`;
  const model = await startOpenAi({ stall: said });
  onTestFinished(() => model.close());
  const variables = {
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: model.url,
    PLANWRIGHT_MODELS_BRAIN: 'openai-chat/gpt-6-luna',
    PLANWRIGHT_SANDBOX: 'off',
  };
  const { client } = await serve({ secret, variables });
  const { id } = await client.createRun({
    source: source('echo flux unaligned >&2; false'),
    mode: 'agentic',
    agreed: true,
  });
  let callId = '';
  for await (const { event } of client.watchRun(id)) {
    if (event.type !== 'model-call-started') continue;
    callId = event.callId;
    break;
  }
  const decoder = new TextDecoder();
  let text = '';
  for (let offset = 0; !text.includes('The flux is'); ) {
    const part = await client.callText(id, callId, { offset, wait: 5000 });
    expect(part.ended).toBe(false);
    text += decoder.decode(part.bytes);
    offset = part.next;
  }
  await client.request(id, { type: 'cancel-requested' });
  await untilState(client, id, 'cancelled');
  const whole = await client.callText(id, callId);
  expect(whole.ended).toBe(true);
  expect(decoder.decode(whole.bytes)).toMatch(/^\{"action": "retry", "reasoning": "The flux is .+ today$/);
  expect(decoder.decode(whole.bytes)).not.toContain(secret);
});
