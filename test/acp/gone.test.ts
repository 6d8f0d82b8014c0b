import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { planOf } from '../support/cli.ts';
import { eventually } from '../support/processes.ts';
import { type EditorDesk, isAlive, openDesk } from './desk.ts';
import type { Editor } from './editor.ts';

let desk: EditorDesk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());
beforeEach(() => {
  for (const name of ['pid', 'never']) rmSync(desk.bench.path(name), { force: true });
});

const begin = async (editor: Editor, text: string) => {
  const { sessionId } = await editor.agent.request('session/new', { cwd: desk.cwd, mcpServers: [] });
  const prompt = [{ type: 'text' as const, text }];
  // Its answer never comes: nobody is there to get it.
  editor.agent.request('session/prompt', { sessionId, prompt }).catch(() => {});
  return sessionId;
};
/** As the system leaves it where an editor is killed: both ends of the pipe are gone. */
const vanish = ({ child }: Editor) => {
  child.stdin!.destroy();
  child.stdout!.destroy();
};

it('an editor that is gone: the step is ended, the run rests and runs nothing more, and who loads it goes on with it', async () => {
  writeFileSync(
    desk.bench.path('plan.yaml'),
    planOf('[ -e pid ] || { echo $$ > pid; exec sleep 1000; }', 'echo x > never'),
  );
  const editor = await desk.open();
  editor.chooses = () => 'all';
  const sessionId = await begin(editor, '/run plan.yaml');
  const pid = await desk.numberIn('pid');
  vanish(editor);
  expect(await editor.ended).toBe(0);
  expect(isAlive(pid)).toBe(false);
  const journal = await desk.journal(`${sessionId}p1`);
  expect(journal.find(({ type }) => type === 'pause-requested')).toMatchObject({ by: { door: 'acp' } });
  expect(journal.at(-1)).toMatchObject({ type: 'run-paused' });
  expect(existsSync(desk.bench.path('never'))).toBe(false);

  const other = await desk.open();
  const from = other.updates.length;
  await other.agent.request('session/load', { sessionId, cwd: desk.cwd, mcpServers: [] });
  expect(JSON.stringify(other.updates.slice(from))).toContain('exec sleep 1000');
  // Being loaded is no reason to run.
  expect((await desk.journal(`${sessionId}p1`)).length).toBe(journal.length);
  other.chooses = () => 'resume';
  const prompt = [{ type: 'text' as const, text: 'go on' }];
  await other.agent.request('session/prompt', { sessionId, prompt });
  expect(existsSync(desk.bench.path('never'))).toBe(true);
  expect(await other.close()).toBe(0);
});

it('an editor that is gone while it is asked: nothing is decided, and the question waits for whoever comes', async () => {
  writeFileSync(desk.bench.path('plan.yaml'), planOf('echo x > never'));
  const editor = await desk.open();
  const asked = Promise.withResolvers<void>();
  editor.chooses = () => {
    asked.resolve();
    return new Promise(() => {});
  };
  const sessionId = await begin(editor, '/run plan.yaml');
  await asked.promise;
  vanish(editor);
  expect(await editor.ended).toBe(0);
  expect(await desk.types(`${sessionId}p1`)).toEqual(['plan-created']);
  const { stdout } = await desk.bench.run(['waiting']);
  expect(stdout).toContain(sessionId.slice(0, 4));
});

it('an editor that answers and is gone with that: nothing runs on with nobody there', async () => {
  writeFileSync(desk.bench.path('plan.yaml'), planOf('sleep 600', 'echo x > never'));
  const editor = await desk.open();
  const stdin = editor.child.stdin!;
  const write = stdin.write.bind(stdin) as (chunk: Uint8Array, ...rest: unknown[]) => boolean;
  editor.chooses = () => {
    // The answer is the last that it says: both are read at once.
    stdin.write = (chunk: Uint8Array, ...rest: unknown[]) => {
      process.nextTick(() => stdin.end());
      return write(chunk, ...rest);
    };
    return 'all';
  };
  const sessionId = await begin(editor, '/run plan.yaml');
  expect(await editor.ended).toBe(0);
  expect(await desk.types(`${sessionId}p1`)).not.toContain('step-completed');
  expect(existsSync(desk.bench.path('never'))).toBe(false);
});

it('an editor that is gone while a model thinks: the message is stopped', async () => {
  desk.answers = [{ never: true }];
  const editor = await desk.open();
  const heard = desk.server.requests.length;
  const sessionId = await begin(editor, 'think');
  await eventually(() => desk.server.requests.length > heard, 'the model is asked');
  vanish(editor);
  expect(await editor.ended).toBe(0);
  expect((await desk.journal(sessionId)).at(-1)).toMatchObject({ type: 'turn-ended', outcome: 'stopped' });
});

it('what a run started can look, and has nothing done: not by a message, and not by an answer', async () => {
  writeFileSync(desk.bench.path('plan.yaml'), planOf('echo x > never'));
  const editor = await desk.open({}, { PLANWRIGHT_RUN: 'somerun', PLANWRIGHT_STEP: 's1' });
  editor.chooses = () => 'all';
  const { sessionId } = await editor.agent.request('session/new', { cwd: desk.cwd, mcpServers: [] });
  for (const text of ['/run plan.yaml', '!echo x > never', 'hello'])
    await expect(
      editor.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    ).rejects.toThrow(/not decide/);
  const { sessions } = await editor.agent.request('session/list', { cwd: desk.cwd });
  const [other] = sessions;
  // Nor what somebody else has begun and was left waiting.
  await editor.agent.request('session/resume', { sessionId: other!.sessionId, cwd: desk.cwd });
  await expect(
    editor.agent.request('session/prompt', {
      sessionId: other!.sessionId,
      prompt: [{ type: 'text', text: 'x' }],
    }),
  ).rejects.toThrow(/only look/);
  expect(existsSync(desk.bench.path('never'))).toBe(false);
  expect(editor.asked).toEqual([]);
  expect(await editor.close()).toBe(0);
});

it('an editor that no person has named does nothing, and one that was taken back decides nothing more', async () => {
  writeFileSync(desk.bench.path('plan.yaml'), planOf('echo x > never'));
  await desk.name('test-editor-2');
  const editor = await desk.open({}, { PLANWRIGHT_CLIENTS_DECIDE: 'test-editor' });
  expect(JSON.stringify(editor.initialized.authMethods)).toContain('config set clients.decide test-editor');
  const open = () => editor.agent.request('session/new', { cwd: desk.cwd, mcpServers: [] });
  await expect(open()).rejects.toMatchObject({ code: -32000 });
  await expect(editor.agent.request('authenticate', { methodId: 'clients.decide' })).rejects.toThrow(
    'config set',
  );
  await desk.name('test-editor');
  await editor.agent.request('authenticate', { methodId: 'clients.decide' });
  const { sessionId } = await open();
  editor.chooses = async () => {
    await desk.name(null);
    return 'all';
  };
  const prompt = [{ type: 'text' as const, text: '/run plan.yaml' }];
  await expect(editor.agent.request('session/prompt', { sessionId, prompt })).rejects.toThrow(/not decide/);
  await expect(editor.agent.request('session/prompt', { sessionId, prompt })).rejects.toThrow('config set');
  expect(editor.asked).toHaveLength(1);
  expect(await desk.types(`${sessionId}p1`)).toEqual(['plan-created']);
  expect(await editor.close()).toBe(0);
  await desk.name('test-editor');
});

it('what is no protocol is answered as such, and ends nothing', async () => {
  const editor = await desk.open();
  const raw = (text: string) => editor.child.stdin!.write(text);
  raw('not json\n');
  raw('[1,2,3]\n');
  raw('{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"nobody"}}\n');
  raw('{"jsonrpc":"2.0","method":"session/cancel","params":null}\n');
  raw('{"jsonrpc":"2.0","id":"x","result":{"outcome":{"outcome":"selected","optionId":"all"}}}\n');
  raw(`{"jsonrpc":"2.0","id":{"a":1},"method":"session/new","params":{"cwd":"${'x'.repeat(100_000)}"}}\n`);
  const { sessionId } = await editor.agent.request('session/new', { cwd: desk.cwd, mcpServers: [] });
  desk.answers = [{ text: 'Alive.' }];
  await editor.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'a' }] });
  expect(editor.words()).toContain('Alive.');
  expect(await editor.close()).toBe(0);
});
