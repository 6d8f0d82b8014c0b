import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Bench, openBench } from '../support/cli.ts';
import { startOpenAi, type WireServer } from '../wire/index.ts';

let bench: Bench;
let server: WireServer;
beforeEach(async () => {
  bench = openBench({ here: true });
  server = await startOpenAi({ text: 'x' });
  bench.write('old', 'x');
});
afterEach(async () => {
  bench.clean();
  await server.close();
});
const remove = { calls: [{ name: 'run_command', args: { command: 'rm old' } }] };
const chat = (...args: string[]) =>
  bench.run(['chat', ...args], {
    PLANWRIGHT_MODELS_URL: server.url,
    PLANWRIGHT_MODELS_CHAT: 'compatible/talker',
    PLANWRIGHT_SANDBOX: 'off',
    OLLAMA_HOST: 'http://127.0.0.1:9',
  });

it('one message without a terminal: the answer alone on stdout, everything else beside it', async () => {
  server.script = [remove, { text: 'It is still there.' }];
  const denied = await chat('remove old', '--mode', 'agentic', '--on-ask', 'deny');
  expect(denied).toMatchObject({ code: 0, stdout: 'It is still there.\n' });
  expect(denied.stderr).toContain('chat --resume');
  expect(existsSync(bench.path('old'))).toBe(true);
  server.script = { text: 'As I said.' };
  const again = await chat('--resume', 'last', 'really?', '--json');
  const events = again.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.find(({ type }) => type === 'model-answered')).toMatchObject({ text: 'As I said.', turn: 2 });
  expect(events.at(-1)).toMatchObject({ type: 'turn-ended', outcome: 'answered' });
  expect(JSON.stringify(server.requests.at(-1)!.body)).toContain('It is still there.');
  const listed = await chat('--list');
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringMatching(/idle +2 messages +remove old\n$/) });
  expect(JSON.parse((await chat('--list', 'really', '--json')).stdout)).toMatchObject([{ turns: 2 }]);
  expect(JSON.parse((await chat('--list', 'nowhere', '--json')).stdout)).toEqual([]);
  expect(await chat('--rename', 'last')).toMatchObject({ code: 2 });
  expect(await chat('--rename', 'last', 'About the old one')).toMatchObject({ code: 0 });
  const [row] = JSON.parse((await chat('--list', '--json')).stdout) as { id: string; title: string }[];
  expect(row).toMatchObject({ title: 'About the old one', turns: 2 });
  expect(await chat('--remove', row!.id)).toMatchObject({ code: 0 });
  expect(JSON.parse((await chat('--list', '--json')).stdout)).toEqual([]);
  expect(await chat('--remove', row!.id)).toMatchObject({ code: 2 });
});

it.each([
  ['fail', 3],
  ['park', 3],
] as const)('with nobody to ask, --on-ask %s ends with %i and nothing is done', async (policy, code) => {
  server.script = remove;
  expect(await chat('remove old', '--mode', 'agentic', '--on-ask', policy)).toMatchObject({ code });
  expect(existsSync(bench.path('old'))).toBe(true);
  expect(server.requests).toHaveLength(1);
  const waiting = (await bench.run(['waiting'])).stdout;
  if (policy === 'park') expect(waiting).toMatch(/remove old[\s\S]*rm old[\s\S]*planwright chat --resume/);
  else expect(waiting).toBe('');
});

it('what cannot be meant is said before anything is sent', async () => {
  expect(await chat()).toMatchObject({ code: 2, stderr: expect.stringContaining('a message is missing') });
  expect(await chat('--resume', 'zzzz', 'x')).toMatchObject({ code: 2 });
  expect(await chat('x', '--model', 'nobody')).toMatchObject({ code: 2 });
  expect(server.requests).toEqual([]);
});

it('a picture that is named is shown to the model, and kept beside the journal', async () => {
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    Buffer.alloc(200_000, 7),
  ]);
  bench.write('dots.png', png);
  server.script = { text: 'Dots.' };
  expect(await chat('What is in @dots.png?')).toMatchObject({ code: 0, stdout: 'Dots.\n' });
  const sent = () => JSON.stringify(server.requests.at(-1)!.body);
  expect(sent()).toContain(`data:image/png;base64,${png.toString('base64').slice(0, 40)}`);
  // There is talk about it: it is shown again.
  await chat('--resume', 'last', 'And where?', '--json');
  expect(sent()).toContain('data:image/png');
  const { stdout } = await chat('--resume', 'last', 'And now?', '--json');
  expect(stdout.length).toBeLessThan(20_000);
  bench.write('none.png', 'text');
  await chat('Look at @none.png');
  expect(sent()).toMatch(/none\.png is no PNG, JPEG, GIF or WebP/);
});

it('a command that is typed as one says what it says, and what fails is explained without a model', async () => {
  expect(await chat('!cat old; echo')).toMatchObject({ code: 0, stdout: 'x\n' });
  const failed = await chat('!git psuh');
  expect(failed.stderr).toContain("'psuh' is not a git command");
  expect(failed.stdout).toContain('git push');
  expect(server.requests).toEqual([]);
});
