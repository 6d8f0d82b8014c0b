import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Bench, planOf } from '../support/cli.ts';
import type { WireServer } from '../wire/index.ts';
import { type EditorDesk, isAlive, openDesk } from './desk.ts';
import { type Editor, textOf } from './editor.ts';

let desk: EditorDesk;
let bench: Bench;
let server: WireServer;
let editor: Editor;
let cwd: string;

// One program for all that can share it.
beforeAll(async () => {
  desk = await openDesk();
  ({ bench, server, cwd } = desk);
  editor = await desk.open({ fs: { readTextFile: true }, elicitation: { form: {} } });
});
afterAll(async () => {
  expect(await editor.close()).toBe(0);
  await desk.close();
});
beforeEach(() => {
  desk.answers = [];
  desk.steps = [];
  editor.chooses = () => null;
  editor.buffers.clear();
});

const newSession = () => editor.agent.request('session/new', { cwd, mcpServers: [] });
const prompt = (sessionId: string, text: string) =>
  editor.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
const cards = (from: number) =>
  editor.updates
    .slice(from)
    .flatMap(({ update }) => (update.sessionUpdate === 'tool_call_update' ? [update] : []));
const plans = (from: number) =>
  editor.updates
    .slice(from)
    .flatMap(({ update }) =>
      update.sessionUpdate === 'plan' ? [update.entries.map(({ status }) => status).join()] : [],
    );
const isGoing = (update: SessionUpdate) =>
  update.sessionUpdate === 'tool_call' && update.status === 'in_progress';

it('says who it is, what it can, and what it may be told', async () => {
  expect(editor.initialized).toMatchObject({
    agentInfo: { name: 'planwright' },
    agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, resume: {}, close: {} } },
  });
  const from = editor.updates.length;
  const { modes } = await newSession();
  expect(modes).toMatchObject({ currentModeId: 'planner' });
  expect(modes?.availableModes.map(({ id }) => id)).toEqual(['teacher', 'planner', 'agentic']);
  const told = await editor.seen(({ sessionUpdate }) => sessionUpdate === 'available_commands_update', from);
  expect(JSON.stringify(told)).toContain('"name":"run"');
});

it('a goal: its plan is the editor’s own, what is dangerous is asked with its evidence, output and diff are shown', async () => {
  writeFileSync(bench.path('old.txt'), 'old\n');
  desk.steps = [
    'RUN_COMMAND until [ -e go ]; do read -rt 0.05 < /dev/zero; done; echo gone > made.txt; echo said-it',
    'EDIT_FILE old.txt "old" "new"',
    'RUN_COMMAND rm old.txt',
  ];
  const { sessionId } = await newSession();
  const from = editor.updates.length;
  const asked = editor.asked.length;
  editor.chooses = ({ options, toolCall }) => {
    const ids = options.map(({ optionId }) => optionId);
    return ids.includes('asking') ? 'asking' : toolCall.title === 'Step 3' ? 'approve' : null;
  };
  const done = prompt(sessionId, '/plan do three things');
  await editor.seen(isGoing, from);
  await editor.seen(
    (update) => update.sessionUpdate === 'plan' && update.entries[0]?.status === 'in_progress',
    from,
  );
  writeFileSync(bench.path('go'), '');
  expect(await done).toMatchObject({ stopReason: 'end_turn' });
  expect(existsSync(bench.path('old.txt'))).toBe(false);
  const [agreement, approval, ...others] = editor.asked.slice(asked);
  expect(others).toEqual([]);
  expect(textOf(agreement!.toolCall.content)).toMatch(
    /Run 3 steps in .*including 1 dangerous step: rm old\.txt/,
  );
  expect(agreement!.options.map(({ optionId, kind }) => `${optionId} ${kind}`)).toEqual([
    'all allow_once',
    'asking allow_once',
    'step-by-step allow_once',
    'cancel reject_once',
  ]);
  expect(textOf(approval!.toolCall.content)).toMatch(
    /rm old\.txt[\s\S]*is dangerous[\s\S]*Would touch 1 path:[\s\S]*old\.txt/,
  );
  expect(plans(from).at(-1)).toBe('completed,completed,completed');
  const ended = cards(from).filter(({ status }) => status === 'completed');
  expect(textOf(ended[0]!.content)).toContain('said-it');
  expect(ended[1]!.content).toContainEqual({
    type: 'diff',
    path: bench.path('old.txt'),
    oldText: 'old\n',
    newText: 'new\n',
  });
  expect(editor.words(from)).toContain('3 of 3 steps done');
  // The journal says who decided, and in which editor.
  expect(await desk.journal(`${sessionId}p1`)).toContainEqual(
    expect.objectContaining({
      type: 'approval-decided',
      decision: 'approve',
      by: expect.objectContaining({ door: 'acp', client: 'test-editor 1.2.3' }),
    }),
  );
});

it('a plan that is declined is not run, and neither is a step that is denied', async () => {
  writeFileSync(bench.path('keep.txt'), 'kept\n');
  writeFileSync(bench.path('plan.yaml'), planOf('rm keep.txt'));
  const { sessionId } = await newSession();
  editor.chooses = () => 'cancel';
  expect(await prompt(sessionId, '/run plan.yaml')).toMatchObject({ stopReason: 'end_turn' });
  expect(await desk.types(`${sessionId}p1`)).not.toContain('step-started');
  // The same as a link, and nothing else.
  editor.chooses = ({ options }) =>
    options.some(({ optionId }) => optionId === 'asking') ? 'asking' : 'deny';
  const link = {
    type: 'resource_link' as const,
    name: 'plan.yaml',
    uri: pathToFileURL(bench.path('plan.yaml')).href,
  };
  await editor.agent.request('session/prompt', { sessionId, prompt: [link] });
  const second = await desk.types(`${sessionId}p2`);
  expect(second).toContain('approval-denied');
  expect(second).not.toContain('step-started');
  expect(existsSync(bench.path('keep.txt'))).toBe(true);
});

it('only what was offered counts as an answer: anything else leaves the question open', async () => {
  writeFileSync(bench.path('plan.yaml'), planOf('rm keep.txt'));
  const { sessionId } = await newSession();
  editor.chooses = () => 'all-and-more';
  await prompt(sessionId, '/run plan.yaml');
  expect(editor.words()).toContain('planwright resume');
  expect(await desk.types(`${sessionId}p1`)).toEqual(
    expect.not.arrayContaining(['plan-decided', 'plan-confirmed']),
  );
  // Whoever says anything is asked again first, and then heard.
  desk.answers = [{ text: 'Heard.' }];
  editor.chooses = () => 'cancel';
  const from = editor.updates.length;
  await prompt(sessionId, 'and now?');
  expect(editor.words(from)).toContain('Heard.');
  expect(existsSync(bench.path('keep.txt'))).toBe(true);
});

it('a message: what the model says comes as it says it, its call is asked about, and refused where they refuse', async () => {
  const { sessionId } = await newSession();
  const write = { calls: [{ name: 'write_file', args: { path: 'w.txt', content: 'w\n' } }] };
  desk.answers = [write, { text: 'Not written.' }];
  const from = editor.updates.length;
  const asked = editor.asked.length;
  editor.chooses = () => 'deny';
  expect(await prompt(sessionId, 'write w')).toMatchObject({ stopReason: 'end_turn' });
  expect(existsSync(bench.path('w.txt'))).toBe(false);
  expect(editor.asked[asked]!.toolCall).toMatchObject({
    kind: 'edit',
    locations: [{ path: bench.path('w.txt') }],
  });
  expect(editor.asked[asked]!.toolCall.content).toContainEqual(
    expect.objectContaining({ type: 'diff', path: bench.path('w.txt'), newText: 'w\n' }),
  );
  expect(cards(from).at(-1)).toMatchObject({ status: 'failed' });
  expect(editor.words(from)).toContain('Not written.');
  desk.answers = [write, { text: 'Written.' }];
  editor.chooses = () => 'approve';
  await prompt(sessionId, 'write w after all');
  expect(readFileSync(bench.path('w.txt'), 'utf8')).toBe('w\n');
  expect(cards(from).at(-1)).toMatchObject({ status: 'completed' });
});

it('what a model asks in words is answered in a form, or by the next message', async () => {
  const ask = { calls: [{ name: 'ask_user', args: { question: 'Which one?' } }] };
  const { sessionId } = await newSession();
  desk.answers = [ask, { text: 'Thanks.' }];
  editor.says = 'the blue one';
  await prompt(sessionId, 'paint it');
  expect(JSON.stringify(server.requests.at(-1)!.body)).toContain('the blue one');
  editor.says = null;
  desk.answers = [ask, { text: 'Thanks again.' }];
  const from = editor.updates.length;
  await prompt(sessionId, 'paint another');
  expect(editor.words(from)).toContain('Which one?');
  await prompt(sessionId, 'the red one');
  expect(JSON.stringify(server.requests.at(-1)!.body)).toContain('the red one');
  expect(editor.words(from)).toContain('Thanks again.');
});

it('what is not saved in the editor is asked about before it is touched', async () => {
  writeFileSync(bench.path('open.txt'), 'on disk\n');
  writeFileSync(bench.path('plan.yaml'), planOf('sed -i s/disk/DISK/ open.txt'));
  const { sessionId } = await newSession();
  const unsaved = ({ toolCall }: (typeof editor.asked)[number]) =>
    toolCall.title?.startsWith('Not saved') === true;
  editor.buffers.set(bench.path('open.txt'), 'typed and not saved\n');
  editor.chooses = (asked) => (unsaved(asked) ? 'deny' : 'all');
  await prompt(sessionId, '/run plan.yaml');
  expect(readFileSync(bench.path('open.txt'), 'utf8')).toBe('on disk\n');
  expect(JSON.stringify(await desk.journal(`${sessionId}p1`))).toContain(
    'has changes in the editor that are not saved',
  );
  // They save it while they are asked: then it is as on the disk, and nothing is asked again.
  const asked = editor.asked.length;
  editor.chooses = (question) => {
    if (!unsaved(question)) return 'all';
    writeFileSync(bench.path('open.txt'), 'saved on disk\n');
    editor.buffers.set(bench.path('open.txt'), 'saved on disk\r\n');
    return 'again';
  };
  await prompt(sessionId, '/run plan.yaml');
  expect(editor.asked.slice(asked).filter(unsaved)).toHaveLength(1);
  expect(readFileSync(bench.path('open.txt'), 'utf8')).toBe('saved on DISK\n');
});

it('stopped in the middle of a step: its processes are ended, the run is cancelled, the message says so', async () => {
  writeFileSync(bench.path('plan.yaml'), planOf('echo $$ > pid; exec sleep 1000', 'echo never > never'));
  const { sessionId } = await newSession();
  const from = editor.updates.length;
  editor.chooses = () => 'all';
  const done = prompt(sessionId, '/run plan.yaml');
  await editor.seen(isGoing, from);
  const pid = await desk.numberIn('pid');
  await editor.agent.notify('session/cancel', { sessionId });
  expect(await done).toMatchObject({ stopReason: 'cancelled' });
  expect(isAlive(pid)).toBe(false);
  expect(await desk.types(`${sessionId}p1`)).toContain('cancel-requested');
  expect(existsSync(bench.path('never'))).toBe(false);
  // And while it asks.
  const asked = editor.asked.length;
  const question = Promise.withResolvers<void>();
  editor.chooses = () => {
    question.resolve();
    return new Promise(() => {});
  };
  const again = prompt(sessionId, '/run plan.yaml');
  await question.promise;
  await editor.agent.notify('session/cancel', { sessionId });
  expect(await again).toMatchObject({ stopReason: 'cancelled' });
  expect(editor.asked.length).toBe(asked + 1);
  expect(existsSync(bench.path('never'))).toBe(false);
});

it('the mode of the session is that of its runs: in teacher mode every step is theirs', async () => {
  writeFileSync(bench.path('plan.yaml'), planOf('echo one > one', 'echo two > two'));
  const { sessionId } = await newSession();
  await editor.agent.request('session/set_mode', { sessionId, modeId: 'teacher' });
  await expect(editor.agent.request('session/set_mode', { sessionId, modeId: 'reckless' })).rejects.toThrow(
    'reckless',
  );
  const titles: string[] = [];
  editor.chooses = ({ toolCall, options }) => {
    titles.push(toolCall.title ?? '');
    if (options.some(({ optionId }) => optionId === 'all')) return 'all';
    return toolCall.title === 'Step 1' ? 'run' : 'skip';
  };
  await prompt(sessionId, '/run plan.yaml');
  expect(titles).toEqual(['a plan', 'Step 1', 'Step 2']);
  expect([existsSync(bench.path('one')), existsSync(bench.path('two'))]).toEqual([true, false]);
  const from = editor.updates.length;
  await editor.agent.request('session/set_mode', { sessionId, modeId: 'agentic' });
  desk.answers = [{ text: 'Yes.' }];
  await prompt(sessionId, '/mode');
  expect(editor.words(from)).toContain('The mode is agentic');
});

it('sessions are listed, loaded with all that was in them, and gone on with', async () => {
  writeFileSync(bench.path('plan.yaml'), planOf('echo printed-then'));
  const { sessionId } = await newSession();
  desk.answers = [{ text: 'Said then.' }];
  await prompt(sessionId, 'say something');
  editor.chooses = () => 'all';
  await prompt(sessionId, '/run plan.yaml');
  await newSession();
  const { sessions } = await editor.agent.request('session/list', { cwd });
  const [first] = sessions;
  expect(first).toMatchObject({ sessionId, cwd, title: 'say something' });
  await editor.agent.request('session/close', { sessionId });
  await expect(prompt(sessionId, 'x')).rejects.toThrow();
  const from = editor.updates.length;
  expect(await editor.agent.request('session/load', { sessionId, cwd, mcpServers: [] })).toMatchObject({
    modes: { currentModeId: 'planner' },
  });
  const told = JSON.stringify(editor.updates.slice(from));
  expect(told).toMatch(
    /say something.*user_message_chunk.*Said then\..*plan\.yaml.*user_message_chunk.*printed-then/,
  );
  expect(plans(from).at(-1)).toBe('completed');
  desk.answers = [{ text: 'Still here.' }];
  await prompt(sessionId, 'and you?');
  expect(JSON.stringify(server.requests.at(-1)!.body)).toContain('Said then.');
  expect(await editor.agent.request('session/resume', { sessionId, cwd })).toMatchObject({ modes: {} });
  await expect(
    editor.agent.request('session/load', { sessionId, cwd: bench.home, mcpServers: [] }),
  ).rejects.toThrow();
  await expect(
    editor.agent.request('session/load', { sessionId: 'none', cwd, mcpServers: [] }),
  ).rejects.toThrow();
});

it('what cannot be meant is refused with a sentence, and nothing is broken by it', async () => {
  const refused = (method: string, params: unknown) =>
    editor.agent.request(method, params).then(
      () => 'taken',
      (error: Error) => error.message,
    );
  expect(await refused('session/new', { cwd: 'relative', mcpServers: [] })).toContain('no absolute path');
  expect(await refused('session/new', { cwd: '/nowhere/at/all', mcpServers: [] })).not.toBe('taken');
  expect(await refused('session/new', { cwd: 7 })).not.toBe('taken');
  expect(await refused('session/prompt', { sessionId: '../../etc', prompt: [] })).not.toBe('taken');
  expect(await refused('planwright/approve', {})).not.toBe('taken');
  const { sessionId } = await newSession();
  const send = (...blocks: unknown[]) => refused('session/prompt', { sessionId, prompt: blocks });
  expect(await send()).toContain('empty');
  expect(await send({ type: 'text', text: '  ' })).toContain('empty');
  expect(await send({ type: 'audio', data: '', mimeType: 'audio/wav' })).toContain('cannot be sent');
  expect(await send({ type: 'text', text: '/run nowhere.yaml' })).toContain('nowhere.yaml');
  expect(await send({ type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' })).toContain('is no PNG');
  expect(await send({ type: 'resource', resource: { uri: 'x', blob: 'aa' } })).toContain('not text');
  desk.answers = [{ text: 'Alive.' }];
  const from = editor.updates.length;
  const [one, two] = await Promise.all([
    send({ type: 'text', text: 'a' }),
    send({ type: 'text', text: 'b' }),
  ]);
  expect([one, two].filter((said) => said === 'taken')).toHaveLength(1);
  expect([one, two].join()).toContain('still at the message before');
  expect(editor.words(from)).toContain('Alive.');
});
