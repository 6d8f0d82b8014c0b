import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatKind } from '../../src/core/chat/index.ts';
import { type ChatEvent, defaultLimits } from '../../src/core/contract/index.ts';
import { kindsOf } from '../../src/core/stream/index.ts';
import { openStore } from '../../src/world/store/index.ts';
import { barriers, sizesOf } from './barriers.ts';
import { goTo } from './page.ts';
import { describeWeb } from './support.ts';
import { complex, useTalk } from './talk.ts';

const TURNS = 2000;

/** A conversation of so many messages, as it would have been written. */
function* longChat(id: string, workspace: string): Generator<object[]> {
  yield [
    {
      type: 'chat-begun',
      chat: id,
      place: { host: 'h', boot: 'b', workspace },
      options: {
        mode: 'agentic',
        onAsk: 'wait',
        planning: 'never',
        onFailure: 'continue',
        limits: { money: 1, tokens: 1000, toolRounds: 25, corrections: 3 },
        runLimits: defaultLimits,
        checkpoints: 'off',
        shell: 'bash',
        chain: { planner: [], fast: [] },
      },
    },
  ];
  for (let turn = 1; turn <= TURNS; turn += 1) {
    yield [
      { type: 'turn-begun', turn, text: `Question number ${turn}`, answers: 1 },
      { type: 'turn-considered', turn, plan: false, score: 0, reasons: [], calls: [] },
      { type: 'model-asked', turn, round: 1 },
      {
        type: 'model-answered',
        turn,
        round: 1,
        text: `Answer number ${turn}.\n\n${'Some more of it. '.repeat(turn % 40)}`,
        calls: [],
        model: null,
      },
      { type: 'turn-ended', turn, outcome: 'answered' },
    ];
  }
}

describeWeb('conversations', () => {
  const talk = useTalk();
  const { stage } = talk;

  test(`of ${TURNS} messages: opened at the end, only what is in sight is there and fetched, to the first one`, async () => {
    const store = await openStore<ChatEvent>({
      kinds: kindsOf(chatKind),
      dir: join(stage.bench.home, 'data'),
      driver: { pid: process.pid, host: 'test', boot: 'test' },
    });
    const id = 'a-long-chat';
    try {
      const [begun, ...turns] = [...longChat(id, stage.folder)].map((facts) =>
        facts.map((fact) => ({ v: 1, at: Date.now(), ...fact }) as ChatEvent),
      );
      await store.begin(id, { kind: 'chat', id: 'made', events: begun! });
      for (let at = 0; at < turns.length; at += 100)
        await store.append(id, { id: `from ${at}`, events: turns.slice(at, at + 100).flat() });
    } finally {
      await store.close();
    }
    const page = await stage.open('/chats');
    const fetched: string[] = [];
    page.on('request', (request) => void fetched.push(new URL(request.url()).pathname));
    await page.getByRole('link', { name: /Question number 1\b/ }).click();
    await page.getByText(`Answer number ${TURNS}.`).waitFor();
    const turns = page.getByRole('article');
    expect(await turns.count()).toBeLessThan(30);
    expect(fetched.filter((path) => path === `/api/chats/${id}`)).toHaveLength(1);
    // The end came with the first look: of the past nothing is read, or the one part that lies just above.
    expect(fetched.filter((path) => path.endsWith('/turns')).length).toBeLessThanOrEqual(1);
    const answer = await stage.server.client.lookAtChat(id);
    expect(answer.state.past.length + answer.state.earlier.length).toBe(TURNS);
    expect(JSON.stringify(answer).length).toBeLessThan(60_000);
    await page.evaluate(`document.querySelector('[role=log]').scrollTo(0, 0)`);
    await page.getByText('Answer number 1.', { exact: true }).waitFor();
    expect(await turns.count()).toBeLessThan(30);
    await page.getByRole('button', { name: 'To the end' }).click();
    await page.getByText(`Answer number ${TURNS}.`).waitFor();
    expect(fetched.filter((path) => path.endsWith('/turns')).length).toBeLessThan(12);
  });

  test('are open to everybody, in both themes, large and small', async () => {
    const edit = (old: string) => ({ name: 'edit_file', args: { path: 'a.ts', old, new: 'x' } });
    talk.answers(
      {
        calls: [edit('nowhere')],
        text: '# A\n\n- `b` **c** [d](https://e.example)\n\n| a | b |\n|---|---|\n| 1 | 2 |',
      },
      { calls: [{ name: 'write_file', args: { path: 'a.ts', content: 'x\n' } }] },
      { text: '```ts\nconst a = 1;\n```\n\n> said' },
    );
    writeFileSync(stage.path('a.ts'), 'one\n');
    const spoken = await talk.begin();
    await talk.say(spoken, 'Change a.ts');
    const asking = await talk.begin();
    const ask = (chat: string, text: string) =>
      stage.server.client.askOfStream(chat, { request: { type: 'message-sent', text } });
    talk.answers({ calls: [{ name: 'run_command', args: { command: 'rm -rf /tmp/no-such-thing' } }] });
    await ask(asking, 'Remove it');
    await talk.until(asking, ({ approvals }) => approvals.length > 0);
    const questioned = await talk.begin();
    talk.answers({ calls: [{ name: 'ask_user', args: { question: 'Which one?' } }] });
    await ask(questioned, 'Choose');
    await talk.until(questioned, ({ question }) => question !== null);
    talk.plan.steps = ['RUN_COMMAND ls', 'RUN_COMMAND rm -rf build'];
    const planned = await talk.begin('planner');
    await ask(planned, complex);
    await talk.until(planned, ({ children }) => children.some(({ isBegun }) => isBegun));
    await stage.until(`${planned}p1`, ({ status }) => status === 'agreeing');
    const run = await stage.begin(['cat no-such-file']);
    await stage.until(run, ({ status }) => status === 'failed');
    const found: Record<string, string[]> = {};
    for (const colorScheme of ['dark', 'light'] as const) {
      const page = await stage.open('/', { colorScheme });
      let n = 0;
      const look = async (name: string, path: string, ready: string, isWayOn = false) => {
        const sizes = sizesOf(colorScheme, n);
        n += 1;
        if (sizes.length === 0 && path !== '' && !isWayOn) return;
        if (path !== '') await goTo(page, path);
        await page.locator(ready).first().waitFor();
        for (const size of sizes) {
          await page.setViewportSize(size);
          await page.locator(ready).first().waitFor();
          found[`${name}, ${colorScheme}, ${size.width}`] = await barriers(page);
          const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          if ((wide as number) > 0) found[`${name}, ${size.width} is too wide`] = [`${wide}`];
        }
      };
      await look('new', '/chats', 'nav[aria-label=Conversations] li');
      await look('spoken', `/chats/${spoken}`, 'section[aria-label=Corrections]', true);
      await page
        .getByRole('region', { name: 'write_file a.ts' })
        .getByRole('button', { name: 'write_file' })
        .click();
      await page.getByLabel('Message', { exact: true }).fill('/');
      await look('a call unfolded, commands', '', '[role=option]');
      await look('an approval', `/chats/${asking}`, '[data-testid=approval]');
      await look('a question', `/chats/${questioned}`, 'form[aria-label=Answer]');
      await look('a plan', `/chats/${planned}`, '[data-testid=plan] dl');
      await look('beside a run', `/runs/${run}?ask=true`, 'aside textarea');
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
  });
});
