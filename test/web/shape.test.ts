import { mkdirSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from '../support/processes.ts';
import { dock, sentence, step } from './page.ts';
import { describeWeb, useStage } from './support.ts';

const topOf = async (page: Page, name: string) =>
  Math.round((await dock(page).getByRole('button', { name, exact: true }).boundingBox())!.y);

describeWeb('how the page is laid out', () => {
  const stage = useStage();

  test('the last lines stay in sight where a question opens below them', async () => {
    const id = await stage.begin([
      'seq -f "line %.0f" 1 60; while [ ! -e go ]; do sleep 0.1; done',
      'rm -f nothing-there',
    ]);
    const page = await stage.open(`/runs/${id}?step=s1`);
    const last = page.getByRole('log').getByText('line 60', { exact: true });
    await last.waitFor();
    writeFileSync(stage.path('go'), '');
    await dock(page).waitFor();
    const isAbove = async () => {
      const [line, box] = [await last.boundingBox(), await page.getByRole('log').boundingBox()];
      return line !== null && box !== null && line.y + line.height <= box.y + box.height + 1;
    };
    await eventually(isAbove, 'the last line above the question');
    expect(await page.getByRole('button', { name: /^Follow/ }).getAttribute('aria-pressed')).toBe('true');
  });

  test('a decision is one row of buttons; its command is said once, and above where it is folded; folded it stays', async () => {
    mkdirSync(stage.path('build'));
    const script = 'RUN_SCRIPT "set -e\\nrm -rf build\\necho done"';
    const id = await stage.begin([{ step: 'Clear it', action: script }]);
    const page = await stage.open(`/runs/${id}`, { viewport: { width: 1440, height: 900 } });
    await dock(page).getByRole('button', { name: 'Deny, say why…' }).waitFor();
    const rowOf = async (...names: string[]) =>
      new Set(await Promise.all(names.map((name) => topOf(page, name))));
    await eventually(
      async () => (await rowOf('Deny', 'Run this script once', 'Deny, say why…')).size === 1,
      'one row',
    );
    // Where there is less room, what does not fit stands together.
    await page.setViewportSize({ width: 820, height: 1100 });
    await eventually(
      async () =>
        (await topOf(page, 'Always allow here…')) > (await topOf(page, 'Deny')) &&
        (await rowOf('Deny, say why…', 'Always allow here…')).size === 1,
      'two rows',
    );
    await page.setViewportSize({ width: 1440, height: 900 });
    const named = page.getByText('rm -rf build');
    expect(await named.count()).toBe(1);
    await dock(page).getByRole('button', { name: 'Fold: Decide' }).click();
    await page.reload();
    await dock(page).getByRole('button', { name: 'Unfold: Decide' }).waitFor();
    await page.getByRole('tabpanel').waitFor();
    expect(await dock(page).getByText('rm -rf build').isVisible()).toBe(false);
    await eventually(async () => (await named.first().isVisible()) === true, 'the command above');
    await stage.server.client.request(id, { type: 'cancel-requested' });
  });

  test('the steps are as wide as they were made, after a reload too, by mouse and by keys', async () => {
    const id = await stage.begin(['echo one']);
    const page = await stage.open(`/runs/${id}`);
    const edge = page.getByRole('separator', { name: 'Width of the steps' });
    const { x, y } = (await edge.boundingBox())!;
    await page.mouse.move(x, y + 50);
    await page.mouse.down();
    await page.mouse.move(600, y + 60);
    await page.mouse.up();
    const at = async () => Math.round((await edge.boundingBox())!.x);
    expect(Math.abs((await at()) - 600)).toBeLessThanOrEqual(1);
    await page.reload();
    await edge.waitFor();
    const kept = await at();
    expect(Math.abs(kept - 600)).toBeLessThanOrEqual(1);
    await edge.press('ArrowLeft');
    expect(await at()).toBe(kept - 24);
    await edge.dblclick();
    expect(Math.abs((await at()) - x)).toBeLessThanOrEqual(1);
  });

  test('Tab comes to one step, and the arrow keys go on from it', async () => {
    const id = await stage.begin(['echo one', 'echo two', 'echo three']);
    const page = await stage.open(`/runs/${id}?step=s1`);
    await sentence(page, 'Done: all 3 steps');
    const reached = await page.evaluate(
      '[...document.querySelectorAll("nav[aria-label=Steps] li button")].filter((row) => row.tabIndex === 0).length',
    );
    expect(reached).toBe(1);
    await step(page, /Step 1/).focus();
    await page.keyboard.press('ArrowDown');
    await eventually(
      async () => /Step 2/.test((await page.evaluate('document.activeElement.textContent')) as string),
      'the focus at the second step',
    );
  });

  test('what came from stderr is told apart from what came from stdout', async () => {
    const id = await stage.begin(['echo to-out; echo to-err >&2']);
    await stage.until(id, ({ ended }) => ended);
    const page = await stage.open(`/runs/${id}?step=s1&tab=output`);
    const line = (text: string) => page.getByRole('log').locator('[data-index]').filter({ hasText: text });
    await line('to-err').and(page.locator('[data-from=stderr]')).waitFor();
    expect(await line('to-out').getAttribute('data-from')).toBeNull();
  });

  test('output leads to what it names: addresses open apart, places in files are copied or opened', async () => {
    const id = await stage.begin([
      'echo "src/a.ts:12:5 is wrong, see https://example.org/x and javascript:alert(1)"',
    ]);
    const page = await stage.open(`/runs/${id}?tab=output`, {
      own: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    const log = page.getByRole('log');
    const link = log.getByRole('link', { name: 'https://example.org/x' });
    await link.waitFor();
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    expect(await log.getByRole('link', { name: 'javascript' }).count()).toBe(0);
    await log.getByRole('button', { name: 'src/a.ts:12:5' }).click();
    await page.getByText(`Copied: ${stage.path('src/a.ts')}:12`).waitFor();
  });

  test('a run that has ended is opened with what it came to: what changed, and the ways on', async () => {
    writeFileSync(stage.path('kept.txt'), 'before');
    const id = await stage.begin([
      { step: 'Write', action: 'WRITE_FILE made.txt "new"' },
      { step: 'Change', action: 'WRITE_FILE kept.txt "after"' },
      'sleep 0.3',
    ]);
    await stage.until(id, ({ ended }) => ended);
    const page = await stage.open(`/runs/${id}`);
    const changed = page.getByRole('list', { name: 'Changed' });
    await changed.getByText('made.txt').waitFor();
    await changed.getByText('kept.txt').waitFor();
    await page.getByText('3 done. Worked').waitFor();
    await page.getByRole('list', { name: 'Took longest' }).getByText('Step 3').click();
    await page.waitForURL((url) => url.searchParams.get('step') === 's3');
    await page.getByRole('tab', { name: 'Output', selected: true }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${stage.server.url}/runs/${id}`);
    await page.getByRole('button', { name: 'What it came to' }).click();
    await changed.getByText('made.txt').waitFor();
  });

  test('runs are counted by what has become of them, and shown by their folder', async () => {
    const [one, other] = [stage.path('one'), stage.path('other')];
    for (const folder of [one, other]) mkdirSync(folder);
    const text = JSON.stringify({ goal: 'Counted', plan: [{ step: 'Go', action: 'RUN_COMMAND exit 3' }] });
    const source = { text, kind: 'plan' as const, name: 'x.json' };
    for (const workspace of [one, other]) {
      const { id } = await stage.server.client.createRun({ source, agreed: true, workspace });
      await stage.until(id, ({ status }) => status === 'failed');
    }
    const page = await stage.open('/?q=Counted');
    const stopped = page.getByRole('button', { name: /^Stopped/ });
    await page.getByRole('button', { name: 'Stopped 2' }).waitFor();
    await page.getByRole('button', { name: 'Ended 0' }).waitFor();
    await page.getByLabel('Which folder').selectOption(one);
    await page.getByRole('button', { name: 'Stopped 1' }).waitFor();
    await stopped.click();
    expect(await page.getByRole('link', { name: /Counted/ }).count()).toBe(1);
    expect(new URL(page.url()).searchParams.get('folder')).toBe(one);
  });

  test('settings: what does not fit is said beside its field and nothing is changed; what is set holds at once', async () => {
    const page = await stage.open('/');
    await page.getByRole('heading', { name: /^Runs|No runs yet/ }).waitFor();
    await page.keyboard.press(',');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    const field = settings.getByLabel('Runs at a time');
    await field.fill('-5');
    await field.press('Enter');
    await settings.getByRole('alert').getByText('It is 1 or more. It stays 4.').waitFor();
    await field.fill('many');
    await field.press('Enter');
    await settings.getByRole('alert').getByText('“many” is no number').waitFor();
    await settings.getByLabel('Keep finished runs, days').fill('9999999999999');
    await settings.getByLabel('Keep finished runs, days').press('Enter');
    await settings.getByRole('alert').getByText('It is 36500 or less').waitFor();
    expect((await stage.server.client.getConfig()).values).toMatchObject({ concurrency: 4, 'keep.days': 30 });
    await settings.getByRole('button', { name: 'Models' }).click();
    const brain = settings.getByLabel('Brain models.brain');
    await brain.fill('anthropic');
    await brain.press('Enter');
    await settings
      .getByRole('alert')
      .getByText(/takes PROVIDER\/MODEL/)
      .waitFor();
    await brain.fill('anthropic/claude-none-such');
    await brain.press('Enter');
    await settings.getByRole('listitem').getByText('anthropic/claude-none-such').waitFor();
    await stage.server.client.changeConfig({ unset: ['models.brain'] });
  });

  test('a hidden page tells that a run needs somebody, and that one has ended; a click leads there', async () => {
    const page = await stage.open('/', { own: { permissions: ['notifications'] } });
    await page.addInitScript(`
      window.told = [];
      window.Notification = class { static permission = 'granted'; static requestPermission = async () => 'granted';
        constructor(title, options) { window.told.push({ title, body: options.body, at: this }); } };
      Object.defineProperty(document, 'hidden', { get: () => window.isHidden === true });
    `);
    await page.reload();
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Notify me when something waits or ends' }).click();
    await page.evaluate('window.isHidden = true');
    const told = async () =>
      (await page.evaluate('window.told.map(({ title, body }) => title + " | " + body)')) as string[];
    const waits = await stage.begin(['rm -f nothing-there'], { goal: 'Needs somebody' });
    await eventually(async () => (await told()).includes('Step 1 | Needs somebody'), 'what waits is told');
    await stage.begin(['exit 3'], { goal: 'Goes wrong' });
    await stage.begin(['true'], { goal: 'Goes well' });
    await eventually(async () => {
      const all = await told();
      return (
        all.some((text) => /failed.* \| Goes wrong/.test(text)) &&
        all.some((text) => /Done.* \| Goes well/.test(text))
      );
    }, 'ends are told');
    await page.evaluate('window.told.find(({ body }) => body === "Needs somebody").at.onclick()');
    await page.waitForURL((url) => url.pathname === `/runs/${waits}`);
    await dock(page).getByRole('button', { name: 'Deny', exact: true }).click();
  });
});
