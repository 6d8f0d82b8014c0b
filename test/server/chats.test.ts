import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type ConversationEvent, createConversation, sha256Hex } from '../../src/core/contract/index.ts';
import { expireCheckpoints } from '../../src/doors/app/retention.ts';
import { eventually } from '../support/processes.ts';
import { type Behaviour, startOpenAi, type WireServer } from '../wire/index.ts';
import { type Served, serve } from './support.ts';

let served: Served;
let wire: WireServer;
afterEach(async () => {
  await served.stop();
  await wire.close();
});

const plan = `<json>${JSON.stringify({
  goal: 'g',
  thinking_summary: 'It is short.',
  reflection: 'Nothing.',
  ready: true,
  plan: [
    { step: 'Look', action: 'RUN_COMMAND ls', expects: 'exit 0' },
    { step: 'Write', action: 'RUN_COMMAND echo planned > planned.txt', expects: 'exit 0' },
  ],
})}</json>`;
const complex = 'Refactor a.ts and b.ts into modules, then update the tests';

async function begin(...answers: Behaviour[]): Promise<string> {
  wire = await startOpenAi(({ body }) => {
    if (body['model'] === 'talker') return answers.length > 1 ? answers.shift()! : answers[0]!;
    return {
      text: body['model'] === 'planner' ? plan : 'WHO: a person\nWHAT: x\nWHEN: now\nWHERE: here\nWHY: y',
    };
  });
  served = await serve({
    variables: {
      PLANWRIGHT_MODELS_URL: wire.url,
      PLANWRIGHT_MODELS_CHAT: 'compatible/talker',
      PLANWRIGHT_MODELS_PLANNER: 'compatible/planner',
      PLANWRIGHT_MODELS_FAST: 'compatible/fast',
      PLANWRIGHT_SANDBOX: 'off',
    },
  });
  return (await served.client.createChat({ mode: 'agentic' })).id;
}

async function all(events: AsyncIterable<ConversationEvent>): Promise<ConversationEvent[]> {
  const seen: ConversationEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}
const types = (events: ConversationEvent[]) => events.map(({ type }) => type);

it('complex → plan → reject → standard loop; then a tool fails, gives the signal, and another does it', async () => {
  const edit = { name: 'edit_file', args: { path: 'a.ts', old: 'two', new: '2' } };
  const write = { name: 'write_file', args: { path: 'a.ts', content: '2\n' } };
  const chat = await begin({ calls: [edit] }, { calls: [write] }, { text: 'Done.' });
  writeFileSync(join(served.workspace, 'a.ts'), 'one\n');
  const presented: number[] = [];
  const { processUserMessageStream } = createConversation(served.client, chat, {
    presentPlanForApproval: async ({ steps, revision }, { intent, level, files, steps: told }) => {
      expect(told.map(({ kind }) => kind)).toEqual(['ANALYZE', 'RUN']);
      expect({ intent, level, files }).toEqual({ intent: complex, level: 'caution', files: ['planned.txt'] });
      presented.push(revision);
      // Changed once, it is asked about again as it is then.
      if (revision > 0) return false;
      const step = { ...steps[0]!, title: 'Look around' };
      return [
        { op: 'replace', stepId: step.id, step: { id: step.id, title: step.title, action: step.action } },
      ];
    },
  });
  const events = await all(processUserMessageStream(complex));
  expect(types(events)).toEqual([
    ...['plan_generated', 'plan', 'plan_rejected', 'plan_results'],
    ...['tool_call', 'tool_result', 'correction_attempt'],
    ...['tool_call', 'tool_result', 'correction_success'],
    ...['content', 'done'],
  ]);
  expect(presented).toEqual([0, 1]);
  expect(readFileSync(join(served.workspace, 'a.ts'), 'utf8')).toBe('2\n');
  expect(existsSync(join(served.workspace, 'planned.txt'))).toBe(false);
  expect(served.errors).toEqual([]);
});

it('complex → approve → results; and a plan of its own, made, agreed on and run by name', async () => {
  const chat = await begin({ text: 'never asked' });
  const talk = createConversation(served.client, chat, { presentPlanForApproval: async () => true });
  const events = await all(talk.processUserMessageStream(complex));
  expect(types(events)).toEqual([
    ...['plan_generated', 'plan', 'plan_confirmed'],
    ...['plan_step_started', 'plan_step_completed', 'plan_step_started', 'plan_step_completed'],
    ...['plan_results', 'done'],
  ]);
  expect(events.at(-1)).toMatchObject({ outcome: 'planned' });
  expect(existsSync(join(served.workspace, 'planned.txt'))).toBe(true);
  const made = await talk.generateAndConfirmPlan('do it again, please');
  expect(made?.steps).toHaveLength(2);
  expect(await talk.executePlanSteps(made!)).toMatchObject([{ status: 'done' }, { status: 'done' }]);
});

it('three failures → correction_failed, and an honest answer', async () => {
  const edit = { name: 'edit_file', args: { path: 'a.ts', old: 'two', new: '2' } };
  const calls = { calls: [edit] };
  const chat = await begin(calls, calls, calls, calls, { text: 'I could not do it.' });
  writeFileSync(join(served.workspace, 'a.ts'), 'one\n');
  const talk = createConversation(served.client, chat);
  const events = await all(talk.processUserMessageStream('Change two to 2'));
  const error = expect.stringMatching(/a\.ts does not contain "two"/);
  const metadata = { originalTool: 'edit_file', fallbackTools: ['multi_file_edit', 'write_file'] };
  expect(events.filter(({ type }) => type === 'tool_result')[0]).toMatchObject({
    success: false,
    error: expect.stringMatching(/^SELF_CORRECT_ATTEMPT: The operation 'edit_file' failed with error/),
    metadata: { ...metadata, originalError: error, suggestedApproach: expect.any(String) },
  });
  const [[key, tracked] = []] = await talk.correctionAttempts();
  expect(key).toBe(sha256Hex('Change two to 2'));
  expect(tracked).toMatchObject({ originalRequest: 'Change two to 2', maxAttempts: 3 });
  const fallbackStrategy = expect.stringContaining("using 'multi_file_edit' or 'write_file'");
  const attempt = { tool: 'edit_file', error, timestamp: expect.any(Number), fallbackStrategy };
  expect(tracked?.attempts).toEqual([attempt, attempt, attempt]);
  expect(types(events).filter((type) => type.startsWith('correction'))).toEqual([
    ...['correction_attempt', 'correction_attempt', 'correction_attempt', 'correction_failed'],
  ]);
  expect(events.slice(-2)).toMatchObject([
    { type: 'content', content: 'I could not do it.' },
    { type: 'done', outcome: 'correction-failed' },
  ]);
});

it('what is sent is checked before it is written; conversations are listed, found and decided on', async () => {
  const chat = await begin(
    { calls: [{ name: 'run_command', args: { command: 'rm old' } }] },
    { text: 'Gone.' },
  );
  writeFileSync(join(served.workspace, 'old'), '');
  for (const request of [
    { type: 'message-sent', text: 7 },
    { type: 'message-sent', text: 'x', by: { person: 'somebody else', door: 'terminal' } },
    { type: 'turn-ended', turn: 1, outcome: 'answered' },
  ])
    expect((await served.post(`/api/streams/${chat}/requests`, { request })).status).toBe(400);
  const seen: ConversationEvent[] = [];
  for await (const event of createConversation(served.client, chat).processUserMessageStream('remove old')) {
    seen.push(event);
    if (event.type !== 'approval_needed') continue;
    expect(event.level).toBe('dangerous');
    expect(existsSync(join(served.workspace, 'old'))).toBe(true);
    const { approvalId } = event;
    await served.client.askOfStream(chat, {
      request: { type: 'approval-decided', approvalId, decision: 'approve' },
    });
  }
  expect(types(seen)).toEqual(['approval_needed', 'tool_call', 'tool_result', 'content', 'done']);
  expect(existsSync(join(served.workspace, 'old'))).toBe(false);
  const { streams } = await served.client.listStreams({ kind: 'chat' });
  expect(streams).toMatchObject([{ id: chat, state: 'idle', title: 'remove old', turns: 1 }]);
  const { state } = await served.client.getStream(chat);
  expect(state['past']).toMatchObject([[{ outcome: 'answered' }]]);
});

it('a picture is kept with the conversation, named in a message, and served as what it is', async () => {
  const chat = await begin({ text: 'A dot.' });
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(1_200_000, 5)]);
  const keep = (bytes: Buffer) =>
    served.client.keepPicture(chat, { name: 'dot.png', data: bytes.toString('base64') });
  const picture = await keep(png);
  expect(picture).toMatchObject({ type: 'image/png', bytes: png.length, name: 'dot.png' });
  await expect(keep(Buffer.from('no picture'))).rejects.toMatchObject({
    status: 400,
    message: 'dot.png is no PNG, JPEG, GIF or WebP',
  });
  await expect(keep(Buffer.concat([png, png, png]))).rejects.toMatchObject({ status: 400 });
  const at = `/api/chats/${chat}/pictures/${picture.hash}`;
  expect((await served.fetch(at)).status).toBe(404);
  const request = { type: 'message-sent' as const, text: 'What is it?', pictures: [picture] };
  await served.client.askOfStream(chat, { request });
  await eventually(
    async () => (await served.client.lookAtChat(chat)).row.lastOutcome === 'answered',
    'an answer',
  );
  const shown = await served.fetch(at);
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Buffer.from(await shown.arrayBuffer()).equals(png)).toBe(true);
  expect(JSON.stringify(wire.requests.at(-1)!.body)).toContain(png.toString('base64'));
  expect(JSON.stringify(await served.client.getStream(chat)).length).toBeLessThan(10_000);
});

it('what a message changed can be taken back after checkpoints were expired', async () => {
  const write = { name: 'write_file', args: { path: 'a.ts', content: '2\n' } };
  const chat = await begin({ calls: [write] }, { text: 'Written.' });
  writeFileSync(join(served.workspace, 'a.ts'), 'one\n');
  await all(createConversation(served.client, chat).processUserMessageStream('Write it', 'never'));
  const later = Date.now() + 2 * 60 * 60 * 1000;
  await expireCheckpoints(served.app, later);
  await served.client.askOfStream(chat, { request: { type: 'undo-requested' } });
  const path = join(served.workspace, 'a.ts');
  await eventually(async () => (await served.client.lookAtChat(chat)).state.undoing === null, 'undone');
  await eventually(async () => (await served.client.lookAtChat(chat)).state.past.length === 0, 'forgotten');
  expect(readFileSync(path, 'utf8')).toBe('one\n');
});

it('a conversation is removed in the middle of a message, and nothing of it is left', async () => {
  const chat = await begin({ stall: 'half of' });
  await served.client.askOfStream(chat, { request: { type: 'message-sent', text: 'Tell me' } });
  await eventually(async () => (await served.client.lookAtChat(chat)).state.thinking !== null, 'a call');
  expect(await served.client.removeChat(chat)).toEqual({});
  await expect(served.client.lookAtChat(chat)).rejects.toMatchObject({ status: 404 });
  expect((await served.client.listStreams({ kind: 'chat' })).streams).toEqual([]);
  await expect(served.client.removeChat(chat)).rejects.toMatchObject({ status: 404 });
});

it('a conversation is looked at by its end and read turn by turn, cut and whole; streams are found by text', async () => {
  const chat = await begin({ text: 'Yes.' });
  const long = `!seq 1 2000`;
  const talk = createConversation(served.client, chat);
  await all(talk.processUserMessageStream(long));
  for (let n = 0; n < 13; n += 1)
    await all(talk.processUserMessageStream(`message about kiwis ${n}`, 'never'));
  const look = await served.client.lookAtChat(chat);
  expect(look.state.past.map(({ n }) => n)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
  expect(look.state.earlier).toEqual([1, 2]);
  expect(look.row).toMatchObject({ turns: 14, title: long });
  const outputOf = async (whole?: 'true') => {
    const { turns } = await served.client.listTurns(chat, { from: 1, limit: 1, ...(whole ? { whole } : {}) });
    return turns[0]!.rounds[0]!.calls[0]!.result!.stdoutTail.length;
  };
  expect(await outputOf()).toBeLessThan(await outputOf('true'));
  const found = await served.client.listStreams({ kind: 'chat', text: 'kiwis' });
  expect(found.streams.map(({ id }) => id)).toEqual([chat]);
  expect((await served.client.listStreams({ kind: 'chat', text: 'emus' })).streams).toEqual([]);
  writeFileSync(join(served.workspace, 'named.txt'), '');
  expect(await served.client.filesLike({ workspace: served.workspace, path: 'na' })).toEqual({
    paths: ['named.txt'],
  });
  const { id } = await served.client.createRun({
    source: { text: 'goal: x\nplan:\n  - step: a\n    action: RUN_COMMAND true', kind: 'plan' },
  });
  await expect(served.client.lookAtChat(id)).rejects.toMatchObject({ status: 404 });
});
