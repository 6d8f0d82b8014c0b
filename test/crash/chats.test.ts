import { appendFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ChatEvent, turnsOf } from '../../src/core/contract/index.ts';
import { someOf } from '../support/scale.ts';
import { someone } from '../support/someone.ts';
import { type Behaviour, startOpenAi, type WireServer } from '../wire/index.ts';
import { openSite, type Site } from './site.ts';

/** A conversation whose driver is killed goes on, and no call of it is repeated silently. */
let site: Site;
let server: WireServer;

const command = (line: string) => ({ name: 'run_command', args: { command: `echo ${line} >> effects.txt` } });
const read = { name: 'read_file', args: { path: 'notes.txt' } };

/** By what it has been told so far: a model that is asked again says the same again. */
const talk = (body: Record<string, unknown>): Behaviour => {
  const results = (body['messages'] as { role: string }[]).filter(({ role }) => role === 'tool').length;
  if (results === 0) return { calls: [read, read] };
  if (results === 2) return { calls: [command('one')] };
  if (results === 3) return { calls: [command('two')] };
  return { text: 'Both are written.' };
};

beforeEach(async () => {
  server = await startOpenAi(({ body }) => talk(body));
  site = await openSite({
    PLANWRIGHT_MODELS_URL: server.url,
    PLANWRIGHT_MODELS_CHAT: 'compatible/talker',
    PLANWRIGHT_SANDBOX: 'off',
    PLANWRIGHT_CHECKPOINTS: 'off',
    OLLAMA_HOST: 'http://127.0.0.1:9',
  });
  appendFileSync(`${site.workspace}/notes.txt`, 'something\n');
});
afterEach(async () => {
  await site.close();
  await server.close();
});

const events = async (chat: string): Promise<ChatEvent[]> =>
  (await site.journal(chat)).map(({ event }) => event as unknown as ChatEvent);

async function begin(): Promise<string> {
  const chat = await site.app.chats.begin({
    workspace: site.app.workspace,
    choices: { mode: 'agentic', attended: true, planning: 'never' },
  });
  await site.app.chats.request(chat, { type: 'message-sent', text: 'write two lines' }, { by: someone });
  return chat;
}

async function goesOn(chat: string): Promise<void> {
  const before = await events(chat);
  await site.goOn(chat);
  const after = await events(chat);
  expect(after.slice(0, before.length), 'no event is lost or changed').toEqual(before);
  const state = await site.app.chats.state(chat);
  expect(turnsOf(state)).toMatchObject([{ outcome: 'answered' }]);
  const unknown = after.filter((event) => event.type === 'call-interrupted' && event.finding === 'unknown');
  const lines = site.effects();
  // Of what nobody knows the model is told so; this one goes on with what comes next.
  if (unknown.length === 0) expect(lines).toEqual(['one', 'two']);
  else expect(new Set(lines).size, lines.join()).toBe(lines.length);
}

/** Between a call and its result, and between a result and the next question to the model. */
const deaths = [
  'after-intent@calls-started',
  'after-record@process-spawned',
  'after-record@call-finished',
  'after-work@process-spawned',
  'after-intent@model-asked',
  'before-intent@call-finished',
  'after-write@model-asked',
  'after-work@model-call-finished',
];

describe('killed', () => {
  it.each(someOf(deaths, 3))('%s', async (death) => {
    const chat = await begin();
    expect((await site.driver(chat, death).ended).signal, 'it died there').toBe('SIGKILL');
    await goesOn(chat);
  });
});

it('killed among several that only look: those that have an outcome are not looked at again', async () => {
  const chat = await begin();
  expect((await site.driver(chat, 'after-record@call-finished').ended).signal).toBe('SIGKILL');
  const before = await events(chat);
  const done = before.flatMap((event) => (event.type === 'call-finished' ? [event.callId] : []));
  expect(done).toHaveLength(1);
  await goesOn(chat);
  const after = await events(chat);
  const times = (id: string) =>
    after.filter((event) => event.type === 'call-finished' && event.callId === id).length;
  expect([times('t1r1c0'), times('t1r1c1')]).toEqual([1, 1]);
  const again = after.flatMap((event) => (event.type === 'call-interrupted' ? [event.callId] : []));
  expect(again).not.toContain(done[0]);
});
