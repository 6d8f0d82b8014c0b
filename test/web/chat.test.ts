import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from '../support/processes.ts';
import { describeWeb } from './support.ts';
import { complex, useTalk } from './talk.ts';

const editOf = (old: string, text: string) => ({ name: 'edit_file', args: { path: 'a.ts', old, new: text } });
const call = (page: Page, name: string | RegExp) => page.getByRole('region', { name });
const ready = (page: Page) => page.getByRole('status').filter({ hasText: 'Ready for a message' }).waitFor();

describeWeb('a conversation on the page', () => {
  const talk = useTalk();
  const { stage } = talk;

  /** Sends a message in the field that is there. */
  const send = async (page: Page, text: string) => {
    const field = page.getByLabel('Message', { exact: true });
    await field.fill(text);
    await field.press('Enter');
  };
  const openChat = async (mode?: 'teacher' | 'planner' | 'agentic') => {
    const chat = await talk.begin(mode);
    const page = await stage.open(`/chats/${chat}`);
    await ready(page);
    return { chat, page };
  };

  test('complex → plan → reject → standard loop, from the first message on', async () => {
    talk.plan.steps = ['RUN_COMMAND ls', 'RUN_COMMAND echo planned > planned.txt'];
    talk.answers({ text: 'Then let us **go slowly**.' });
    const page = await stage.open('/chats');
    await page.getByLabel('Workspace: the folder that the conversation may touch').fill(stage.folder);
    await send(page, complex);
    const plan = page.getByTestId('plan');
    await plan.getByText('[ANALYZE]').waitFor();
    // Who began it types on: a letter is no key that leads away.
    await page.getByLabel('Message', { exact: true }).and(page.locator(':focus')).waitFor();
    const facts = await plan.locator('dt').allInnerTexts();
    expect(facts).toEqual(['Risk level', 'Estimated duration', 'Files affected']);
    expect(await plan.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/\[ANALYZE\] about 1 s\s*Step 1/),
      expect.stringMatching(/\[RUN\] about 5 s\s*Step 2/),
    ]);
    await plan.getByRole('button', { name: 'Decline…' }).click();
    await plan.getByLabel('Why not').fill('too quick');
    await plan.getByRole('button', { name: 'Decline the plan' }).click();
    await page.getByText('go slowly', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Plan results' }).getByText('No plan was agreed on').waitFor();
    expect(existsSync(stage.path('planned.txt'))).toBe(false);
    expect(talk.heard().at(-1)).toContain('A plan for this was not agreed on');
  });

  test('what a command that somebody types says is there without asking for it', async () => {
    const { page } = await openChat('planner');
    await send(page, '!echo said-$((40 + 2))');
    await page.getByTestId('call').getByText('said-42').waitFor();
  });

  test('complex → approve → results, with the way to the run', async () => {
    talk.plan.steps = [
      'RUN_COMMAND echo planned > planned.txt',
      'RUN_COMMAND false',
      'RUN_COMMAND echo x > last.txt',
    ];
    const { chat, page } = await openChat('planner');
    const heard = talk.heard().length;
    await send(page, complex);
    const plan = page.getByTestId('plan');
    await plan.getByRole('button', { name: 'Run 3 steps', exact: true }).click();
    const results = page.getByRole('region', { name: 'Plan results' });
    await results.getByText('2 of 3 steps done').waitFor();
    expect(await results.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringContaining('done'),
      expect.stringContaining('failed'),
      expect.stringContaining('done'),
    ]);
    expect(readFileSync(stage.path('planned.txt'), 'utf8')).toBe('planned\n');
    // Its results are the answer: nobody else is asked.
    expect((await talk.until(chat, ({ turn }) => turn === null)).past.flat()).toMatchObject([
      { outcome: 'planned', rounds: [] },
    ]);
    expect(talk.heard()).toHaveLength(heard);
    await results.getByRole('link', { name: 'Open the run' }).click();
    await page.waitForURL(`**/runs/${chat}p1`);
  });

  test('edit failing → SELF_CORRECT_ATTEMPT → another tool → success', async () => {
    writeFileSync(stage.path('a.ts'), 'one\n');
    talk.answers(
      { calls: [editOf('two', '2')], text: 'I edit it.' },
      { calls: [{ name: 'write_file', args: { path: 'a.ts', content: '2\n' } }] },
      { text: 'Written anew.' },
    );
    const { page } = await openChat();
    await send(page, 'Replace two by 2 in a.ts');
    await page.getByText('Written anew.').waitFor();
    await call(page, 'edit_file a.ts').getByText('failed', { exact: true }).waitFor();
    // However long it took.
    await call(page, 'write_file a.ts')
      .getByText(/^done\b/)
      .waitFor();
    const tried = page.getByRole('region', { name: 'Corrections' });
    await tried.getByText('Another way worked').waitFor();
    await tried.getByText('multi_file_edit or write_file').waitFor();
    expect(readFileSync(stage.path('a.ts'), 'utf8')).toBe('2\n');
    // What it came to is folded, and there.
    await call(page, 'write_file a.ts').getByRole('button', { name: 'write_file' }).click();
    await call(page, 'write_file a.ts').getByText('Result').waitFor();
  });

  test('three failures → correction-failed, and it is said so', async () => {
    writeFileSync(stage.path('a.ts'), 'one\n');
    const again = { calls: [editOf('two', '2')] };
    talk.answers(again, again, again, again, { text: 'I could not do it.' });
    const { page } = await openChat();
    await send(page, 'Change two to 2');
    await page.getByText('I could not do it.').waitFor();
    const tried = page.getByRole('region', { name: 'Corrections' });
    await tried.getByText('Given up after 3 attempts').waitFor();
    expect(await tried.getByRole('listitem').count()).toBe(3);
    await page.getByText('It was tried in other ways, and none worked.').waitFor();
    await ready(page);
    await send(page, '/corrections');
    await page.getByLabel('About the conversation').getByText('message 1: given up').waitFor();
  });

  test('a dangerous call is decided on in place: denied with a reason, then approved by hand and not by a key', async () => {
    writeFileSync(stage.path('old.txt'), 'x');
    const remove = {
      calls: [{ name: 'run_command', args: { command: 'rm old.txt; rm /tmp/planwright-none-such' } }],
    };
    talk.answers(remove, { text: 'I leave it.' });
    const { chat, page } = await openChat();
    await send(page, 'Clean up');
    const asked = page.getByTestId('approval');
    await asked.getByText('It cannot be undone').waitFor();
    await asked.getByText('/tmp/planwright-none-such').last().waitFor();
    await asked.getByRole('button', { name: 'Deny, say why…' }).click();
    await asked.getByLabel('Why not').fill('I need it');
    await asked.getByRole('button', { name: 'Deny', exact: true }).click();
    await page.getByText('I leave it.').waitFor();
    expect(existsSync(stage.path('old.txt'))).toBe(true);
    expect(talk.heard().at(-1)).toContain('I need it');
    // What cannot be undone takes a hand: the key that approves elsewhere does nothing, and the one that denies does.
    talk.answers(remove, { text: 'As you like.' });
    await ready(page);
    await send(page, 'Now do it');
    const button = asked.getByRole('button', { name: /^Delete/ });
    expect(await button.getAttribute('aria-keyshortcuts')).toBeNull();
    await page.getByRole('log').focus();
    await eventually(async () => {
      await page.keyboard.press('a');
      await page.keyboard.press('d');
      return (await talk.until(chat, () => true)).turn === null;
    }, 'a key that denies');
    expect(existsSync(stage.path('old.txt'))).toBe(true);
    talk.answers(remove, { text: 'Gone.' });
    await ready(page);
    await send(page, 'Please');
    await asked.getByRole('button', { name: /^Delete/ }).click();
    await page.getByText('Gone.').waitFor();
    expect(existsSync(stage.path('old.txt'))).toBe(false);
  });

  test('what is asked about is edited and judged again, and exactly that is allowed for good', async () => {
    for (const name of ['old.txt', 'older.txt']) writeFileSync(stage.path(name), 'x');
    const remove = (name: string) => ({
      calls: [{ name: 'run_command', args: { command: `rm -f ${stage.path(name)}` } }],
    });
    talk.answers(remove('old.txt'), { text: 'The older one is gone.' });
    const { chat, page } = await openChat();
    await send(page, 'Clean up');
    const asked = page.getByTestId('approval');
    await asked.getByRole('button', { name: 'Edit…' }).click();
    await asked.getByLabel('The call, to edit').fill(`rm -f ${stage.path('older.txt')}`);
    await asked.getByRole('button', { name: 'Judge it again' }).click();
    await asked.locator('pre').getByText('older.txt').waitFor();
    await asked.getByRole('button', { name: 'Always allow here…' }).click();
    await asked.getByRole('button', { name: 'Always allow it, and run it now' }).click();
    await page.getByText('The older one is gone.').waitFor();
    expect([existsSync(stage.path('old.txt')), existsSync(stage.path('older.txt'))]).toEqual([true, false]);
    // The model is told what it called, and what became of that.
    expect(talk.heard().at(-1)).toMatch(/old\.txt[\s\S]*The person changed the call to [^}]*older\.txt/);
    await talk.until(chat, ({ turn }) => turn === null);
    talk.answers(remove('older.txt'), { text: 'Nobody was asked.' });
    await talk.say(chat, 'Again');
    await page.getByText('Nobody was asked.').waitFor();
    talk.answers(remove('old.txt'), { text: 'I was not let.' });
    await ready(page);
    await send(page, 'And the other');
    await asked.getByRole('button', { name: 'Deny', exact: true }).click();
    await page.getByText('I was not let.').waitFor();
    expect(existsSync(stage.path('old.txt'))).toBe(true);
  });

  test('planner mode asks before the first change, with what it changes; undo takes files and words back', async () => {
    writeFileSync(stage.path('a.ts'), 'one\n');
    talk.answers({ calls: [editOf('one', '1')] }, { text: 'It is a digit now.' });
    const { page } = await openChat('planner');
    await send(page, 'Make it a digit');
    const asked = page.getByTestId('approval');
    await asked.getByText('- one').waitFor();
    await asked.getByText('+ 1', { exact: true }).waitFor();
    await asked.getByRole('button', { name: 'Change 1 path' }).click();
    await page.getByText('It is a digit now.').waitFor();
    await ready(page);
    expect(readFileSync(stage.path('a.ts'), 'utf8')).toBe('1\n');
    await page.getByText('Make it a digit').last().hover();
    await page.getByRole('button', { name: 'Undo message 1' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Undo it' }).click();
    await page.getByText('Back to before message 1: 1 paths put back').waitFor();
    expect(await page.getByRole('article').count()).toBe(0);
    expect(readFileSync(stage.path('a.ts'), 'utf8')).toBe('one\n');
  });

  test('what is being said is there again after a reload in the middle, and can be stopped', async () => {
    talk.answers({ stall: 'This is **half** of' });
    const { chat, page } = await openChat();
    await send(page, 'Tell me everything');
    await page.getByTestId('live').getByText('half', { exact: true }).waitFor();
    await page.reload();
    await page.getByTestId('live').getByText('half', { exact: true }).waitFor();
    await page.getByRole('article').getByText('Tell me everything').waitFor();
    // One message at a time: what was typed stays.
    await send(page, 'and this');
    await page.getByText('It is still at the message before').waitFor();
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('and this');
    const stop = page.getByRole('button', { name: 'Stop' });
    const dismiss = (await page.getByRole('button', { name: 'Dismiss' }).boundingBox())!;
    expect(dismiss.y + dismiss.height, 'what is told lies over no button').toBeLessThan(
      (await stop.boundingBox())!.y,
    );
    await stop.click();
    await page.getByRole('article').getByText('Stopped.').waitFor();
    expect((await talk.until(chat, ({ turn }) => turn === null)).past.flat().at(-1)?.outcome).toBe('stopped');
  });

  test('the model asks, the person answers; mode and model are changed; commands and files are completed', async () => {
    writeFileSync(stage.path('notes.md'), 'the sky is green\n');
    talk.answers(
      { calls: [{ name: 'ask_user', args: { question: 'Which port?' } }] },
      { text: 'Port 80 it is.' },
    );
    const { chat, page } = await openChat('planner');
    await send(page, 'Set the port');
    const form = page.getByRole('form', { name: 'Answer' });
    await form.getByText('Which port?').waitFor();
    await form.getByLabel('Your answer').fill('eighty');
    await form.getByRole('button', { name: 'Answer' }).click();
    await page.getByText('Port 80 it is.').waitFor();
    expect(talk.heard().at(-1)).toContain('eighty');
    await ready(page);
    await page.getByRole('radio', { name: 'Teacher' }).click();
    await talk.until(chat, ({ options }) => options?.mode === 'teacher');
    await page.getByLabel('Model').selectOption('compatible/talker');
    await talk.until(chat, ({ options }) => options?.model?.model === 'talker');
    const field = page.getByLabel('Message', { exact: true });
    await field.fill('/mo');
    await page.getByRole('option', { name: /^\/mode / }).waitFor();
    await field.press('Enter');
    expect(await field.inputValue()).toBe('/mode ');
    await field.pressSequentially('agentic');
    await field.press('Enter');
    await talk.until(chat, ({ options }) => options?.mode === 'agentic');
    talk.answers({ text: 'It is green.' });
    await field.fill('what does @no');
    await page.getByRole('option', { name: 'notes.md' }).waitFor();
    await field.press('Tab');
    expect(await field.inputValue()).toBe('what does @notes.md ');
    await field.pressSequentially('say');
    await field.press('Enter');
    await page.getByText('It is green.').waitFor();
    expect(talk.heard().at(-1)).toContain('the sky is green');
  });

  test('a picture is chosen, pasted or dropped, shown to the model, and stands with its message', async () => {
    const dot = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
      'base64',
    );
    talk.answers({ text: 'A dot.' });
    const { page } = await openChat();
    const tray = page.getByRole('list', { name: 'Pictures to send' });
    const chooser = page.getByLabel('Pictures', { exact: true });
    await chooser.setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('text') });
    await page.getByText('no.png is no PNG, JPEG, GIF or WebP.').waitFor();
    await chooser.setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: dot });
    await tray.getByAltText('dot.png').waitFor();
    // At once: neither is read when the other comes.
    await page.evaluate(`for (const kind of ['paste', 'drop']) {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob('${dot.toString('base64')}'), (char) => char.charCodeAt(0));
      transfer.items.add(new File([bytes], kind + '.png', { type: 'image/png' }));
      const given = { bubbles: true, cancelable: true, clipboardData: transfer, dataTransfer: transfer };
      const event = kind === 'drop' ? new DragEvent('drop', given) : new ClipboardEvent('paste', given);
      document.querySelector('[aria-label=Message]').dispatchEvent(event);
    }`);
    await tray.getByAltText('drop.png').waitFor();
    await tray.getByRole('button', { name: 'Remove paste.png' }).click();
    expect(await tray.getByRole('listitem').count()).toBe(2);
    await send(page, 'What is it?');
    await page.getByText('A dot.').waitFor();
    expect(talk.heard().at(-1)).toContain(`data:image/png;base64,${dot.toString('base64')}`);
    const shown = page.getByRole('article').getByRole('list', { name: 'Pictures' }).getByRole('img');
    await eventually(
      async () =>
        (await shown
          .first()
          .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)) === 1,
      'the picture',
    );
    await tray.waitFor({ state: 'detached' });
  });

  test('what a model writes is shown and never obeyed: no HTML, no pictures, links that say where they lead', async () => {
    const asked: string[] = [];
    talk.answers({
      text: '<img src="http://evil.example/a.png" onerror="window.__ran=1"> ![x](http://evil.example/b.png) [bank](http://evil.example/c) [run](javascript:window.__ran=1)\n\n<script>window.__ran=1</script>\n\n```sh\necho hi\n```',
    });
    const chat = await talk.begin();
    await talk.say(chat, 'Show me');
    const page = await stage.open('/', { own: { permissions: ['clipboard-read', 'clipboard-write'] } });
    page.on('request', (request) => void asked.push(request.url()));
    await page.goto(`${stage.server.url}/chats/${chat}`);
    await page.getByText('echo hi').waitFor();
    expect(await page.locator('article img, article script, article iframe').count()).toBe(0);
    expect(await page.evaluate('window.__ran')).toBeUndefined();
    const links = page.locator('article a');
    const targets = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
    expect(targets).toEqual(['a.png', 'b.png', 'c'].map((name) => `http://evil.example/${name}`));
    expect(await links.first().getAttribute('rel')).toBe('noopener noreferrer nofollow');
    await page.getByText('(http://evil.example/c)').waitFor();
    expect(asked.filter((url) => url.includes('evil.example'))).toEqual([]);
    await page.getByRole('button', { name: 'Copy' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('echo hi');
  });

  test('conversations are listed, found by what was said, and gone on with', async () => {
    talk.answers({ text: 'Certainly.' });
    const [one, two] = [await talk.begin(), await talk.begin()];
    await talk.say(one, 'Tell me about walruses');
    await talk.say(two, 'Tell me about herons');
    const page = await stage.open('/');
    await page.getByRole('link', { name: 'Conversations' }).click();
    const list = page.getByRole('navigation', { name: 'Conversations' });
    await list.getByText('Tell me about herons').waitFor();
    await page.getByLabel('Search conversations').fill('walruses');
    await list.getByText('Tell me about herons').waitFor({ state: 'detached' });
    await list.getByRole('link', { name: /walruses/ }).click();
    await page.waitForURL(`**/chats/${one}`);
    await ready(page);
    await send(page, 'And more');
    await page.getByRole('article', { name: 'Message 2' }).getByText('Certainly.').waitFor();
    await page.getByRole('button', { name: 'More about this conversation' }).click();
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await page.getByLabel('Name of the conversation').fill('Tusks');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByRole('heading', { name: 'Tusks' }).waitFor();
    await page.getByLabel('Search conversations').fill('');
    await list.getByText('Tusks').waitFor();
    await page.getByRole('button', { name: 'More about this conversation' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete it' }).click();
    await page.waitForURL('**/chats');
    await list.getByText('Tusks').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByLabel('Go to run, step, command').fill('herons');
    await page.getByRole('option', { name: /herons/ }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('one that waits is where runs wait: it comes into the list by itself, and Home and the bar lead to it', async () => {
    talk.answers({ calls: [{ name: 'ask_user', args: { question: 'Which port, then?' } }] });
    const page = await stage.open('/chats');
    const list = page.getByRole('navigation', { name: 'Conversations' });
    await page.getByText('live', { exact: true }).waitFor();
    const chat = await talk.begin();
    await stage.server.client.askOfStream(chat, { request: { type: 'message-sent', text: 'Set a port' } });
    await list.getByRole('link', { name: /Set a port.*waits for you/ }).waitFor();
    const chip = page.getByRole('link', { name: '1 waiting for you' });
    expect(await chip.getAttribute('href')).toBe(`/chats/${chat}`);
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    const waits = page.getByRole('region', { name: 'Waiting for you' });
    await waits.getByText('Set a port').waitFor();
    await page.getByRole('button', { name: 'Waiting for you 1' }).click();
    await waits.getByRole('link', { name: /Which port, then/ }).click();
    await page.waitForURL(`**/chats/${chat}`);
    await page.getByRole('button', { name: 'Stop' }).click();
    await chip.waitFor({ state: 'detached' });
  });

  test('beside a run: the conversation knows the run, and is the same when one comes back', async () => {
    talk.answers({ text: 'Because the file is missing.' });
    const run = await stage.begin(['echo one', 'cat no-such-file-here'], { goal: 'Read it' });
    await stage.until(run, ({ status }) => status === 'failed');
    const page = await stage.open(`/runs/${run}`);
    await page.getByRole('link', { name: 'Ask about this run' }).click();
    const beside = page.getByRole('complementary', { name: 'About this run' });
    await beside.getByRole('button', { name: 'Why did step 2 fail?' }).click();
    await beside.getByText('Because the file is missing.').waitFor();
    expect(talk.heard().at(-1)).toMatch(
      /The conversation is about this run[\s\S]*no-such-file-here: No such file/,
    );
    await page.reload();
    await beside.getByText('Because the file is missing.').waitFor();
    await beside.getByRole('button', { name: 'Close the conversation beside' }).click();
    await beside.waitFor({ state: 'detached' });
    await page.keyboard.press('t');
    await beside.getByText('Because the file is missing.').waitFor();
    await beside.getByRole('link', { name: 'Open the conversation on its own' }).click();
    await page.waitForURL('**/chats/*');
    await page.getByText('Because the file is missing.').waitFor();
  });
});
