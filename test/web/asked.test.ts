import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/processes.ts';
import { sentence, step } from './page.ts';
import { describeWeb, useStage } from './support.ts';

describeWeb('what a page offers', () => {
  const stage = useStage();

  test('templates, found by words, shown as text with their inputs, and run', async () => {
    const page = await stage.open('/new');
    await page.getByLabel('Search templates').fill('checksums');
    const templates = page.getByRole('region', { name: 'Templates' });
    await eventually(async () => (await templates.getByRole('listitem').count()) === 1, 'one is left');
    await templates.getByRole('button', { name: /checksum-folder/ }).click();
    await page.getByText('checksum-folder.yaml').first().waitFor();
    await page
      .getByLabel(/^folder/)
      .first()
      .waitFor();
  });

  test('what is said of a file is said of the one that is there, whichever answer comes last', async () => {
    const page = await stage.open('/new');
    const held = Promise.withResolvers<void>();
    const plan = [{ step: 'Say it', action: 'RUN_COMMAND echo hi' }];
    const file = (name: string, more: object) => {
      const buffer = Buffer.from(JSON.stringify({ goal: name, plan, ...more }));
      return { name: `${name}.json`, mimeType: 'application/json', buffer };
    };
    await page.route('**/api/plans/validate', async (route) => {
      if (route.request().postData()?.includes('first.json') === true) await held.promise;
      await route.continue();
    });
    const answerAbout = (name: string) =>
      page.waitForResponse((answer) => answer.request().postData()?.includes(`${name}.json`) === true);
    const picker = page.getByLabel('Runbook or plan file', { exact: true });
    const asked = page.waitForRequest((request) => request.postData()?.includes('first.json') === true);
    await picker.setInputFiles(file('first', { inputs: [{ name: 'whom' }, { name: 'when' }] }));
    await asked;
    const [second, first] = [answerAbout('second'), answerAbout('first')];
    await picker.setInputFiles(file('second', { inputs: [{ name: 'where' }] }));
    await second;
    await page.getByLabel(/^where/).waitFor();
    held.resolve();
    await (await first).finished();
    // A look at what a later question is answered with, by the same page, comes after what that answer has changed.
    await page.getByLabel(/^where/).fill('here');
    await page.getByRole('button', { name: 'Show the plan' }).click();
    await page.getByRole('heading', { name: 'second' }).waitFor();
  });

  test('a plan that ran lately, with its folder, to be changed and run once more', async () => {
    const id = await stage.begin(['echo once'], { goal: 'Say it once' });
    await stage.until(id, ({ ended }) => ended);
    const page = await stage.open('/new');
    await page.getByLabel(/^Workspace/).fill('/tmp');
    await page
      .getByRole('region', { name: 'Plans that ran lately' })
      .getByRole('button', { name: /^Say it once/ })
      .click();
    await page.locator('.cm-content').getByText('echo once').waitFor();
    expect(await page.getByLabel(/^Workspace/).inputValue()).toBe(stage.folder);
    await page.getByRole('button', { name: 'Show the plan' }).click();
    await page.getByRole('button', { name: 'Run 1 step' }).waitFor();
  });

  test('one part of a runbook, by its heading', async () => {
    const page = await stage.open('/new');
    const text = '# A page\n\n## Build\n\n```sh\necho build\n```\n\n## Deploy\n\n```sh\necho deploy\n```\n';
    await page
      .getByLabel('Runbook or plan file', { exact: true })
      .setInputFiles({ name: 'page.md', mimeType: 'text/markdown', buffer: Buffer.from(text) });
    await page.getByLabel(/^Workspace/).fill(stage.folder);
    await page.getByLabel('Which part of the page').selectOption('Deploy');
    await page.getByRole('button', { name: 'Show the plan' }).click();
    await page.getByRole('button', { name: 'Run 1 step' }).waitFor();
    const steps = page.getByRole('list', { name: 'Steps of the plan' });
    await steps.getByText('echo deploy').waitFor();
    expect(await steps.getByText('echo build').count()).toBe(0);
    // The folder in the bar is the run’s own.
    await page
      .getByRole('banner')
      .getByTitle(new RegExp(`^${stage.folder}`))
      .waitFor();
  });

  test('what is remembered is forgotten when that was meant, and not by one press', async () => {
    writeFileSync(stage.path('there.txt'), 'x');
    const id = await stage.begin(['cp there.txt some/where/it.txt'], { mode: 'agentic' });
    await stage.until(id, ({ ended }) => ended);
    const fixes = async () => (await stage.server.client.getMemory()).fixes.length;
    const before = await fixes();
    expect(before).toBeGreaterThan(0);
    const page = await stage.open('/');
    await page.keyboard.press(',');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByRole('button', { name: 'Memory', exact: true }).click();
    await settings
      .getByRole('button', { name: /^Forget: / })
      .first()
      .click();
    const sure = settings.getByRole('button', { name: 'Forget it for good' });
    await sure.waitFor();
    expect(await fixes()).toBe(before);
    await sure.click();
    await eventually(async () => (await fixes()) === before - 1, 'one less');
  });

  test('services: where they answer, their log, and their end', async () => {
    const action = 'START site KEEP python3 -m http.server 0 --bind 127.0.0.1';
    const id = await stage.begin([{ step: 'Serve', action }], { goal: 'Keep a site' });
    await stage.until(id, ({ ended }) => ended);
    const page = await stage.open('/');
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Services' }).click();
    const panel = page.getByRole('dialog', { name: 'Services' });
    const service = panel.getByRole('listitem').filter({ hasText: 'Keep a site' });
    await service.getByText('kept after its run').waitFor();
    await service.getByRole('link', { name: /^:\d+$/ }).waitFor();
    await service.getByRole('button', { name: 'Stop' }).click();
    await panel.getByText('No run has a service that is still there.').waitFor();
    expect(await stage.server.client.listServices()).toEqual({ services: [] });
  });

  test('a key of a provider: kept for its owner, never shown again', async () => {
    const page = await stage.open('/');
    await page.keyboard.press(',');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByRole('button', { name: 'Models', exact: true }).click();
    const field = settings.getByLabel('Key for anthropic');
    await field.fill('sk-ant-not-a-real-one');
    await settings
      .locator('form')
      .filter({ has: page.getByLabel('Key for anthropic') })
      .getByRole('button', { name: 'Keep it' })
      .click();
    const file = join(stage.bench.home, 'keys.json');
    await eventually(() => {
      try {
        return readFileSync(file, 'utf8').includes('sk-ant-not-a-real-one');
      } catch {
        return false;
      }
    }, 'it is kept');
    await eventually(async () => (await field.inputValue()) === '', 'the field is empty');
    await page.reload();
    await page.getByRole('banner').waitFor();
    expect(await page.content()).not.toContain('sk-ant-not-a-real-one');
    expect(JSON.stringify(await stage.server.client.getModels())).not.toContain('sk-ant-not-a-real-one');
  });

  test('changes fold file by file; a long one is folded from the beginning', async () => {
    const id = await stage.begin(['seq 3 > short.txt; seq 5000 > long.txt']);
    await stage.until(id, ({ ended }) => ended);
    const page = await stage.open(`/runs/${id}?step=s1&tab=changes`);
    const file = (name: string) => page.getByRole('button', { name });
    await file('short.txt').waitFor();
    expect(await file('short.txt').getAttribute('aria-expanded')).toBe('true');
    expect(await file('long.txt').getAttribute('aria-expanded')).toBe('false');
    await file('short.txt').click();
    expect(await page.getByText('+3', { exact: true }).count()).toBe(1);
    await file('long.txt').click();
    await page.getByText(/more lines/).waitFor();
  });

  test('commands of the run in view, by the palette', async () => {
    const id = await stage.begin(['sleep 600']);
    await stage.until(id, ({ inFlight }) => inFlight !== null);
    const page = await stage.open(`/runs/${id}`);
    await sentence(page, 'Running');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('cancel the');
    await page.getByRole('option', { name: 'Cancel the run…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the run' }).click();
    await stage.until(id, ({ status }) => status === 'cancelled');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('run again');
    await page.getByRole('option', { name: 'Run again' }).click();
    await eventually(() => !page.url().includes(id), 'the new run is shown');
    const again = new URL(page.url()).pathname.split('/').at(-1)!;
    await stage.server.client.request(again, { type: 'cancel-requested' });
  });

  test('what is asked about a run is not asked about the one that comes into view', async () => {
    const goals = ['This one', 'The other'];
    const [one, other] = await Promise.all(goals.map((goal) => stage.begin(['sleep 600'], { goal })));
    const page = await stage.open(`/runs/${other}`);
    await page.getByRole('heading', { name: 'The other' }).waitFor();
    await page.evaluate(`history.pushState({}, '', '/runs/${one}')`);
    await page.getByRole('heading', { name: 'This one' }).waitFor();
    await page.getByRole('button', { name: 'More about this run' }).click();
    await page.getByRole('menuitem', { name: 'Cancel the run…' }).click();
    await page.getByRole('dialog').waitFor();
    await page.goBack();
    // What a dialog hides from those who read by roles is there all the same.
    await page.locator('h1', { hasText: 'The other' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.goForward();
    await page.locator('h1', { hasText: 'This one' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    for (const id of [one!, other!]) await stage.server.client.request(id, { type: 'cancel-requested' });
  });

  test('a long spine is searched, and shows what failed alone', async () => {
    const steps = Array.from({ length: 40 }, (_, at) => ({
      step: `Part ${at + 1}`,
      action: `RUN_COMMAND ${at === 30 ? 'false' : 'true'}`,
    }));
    const id = await stage.begin(steps);
    await stage.until(id, ({ status }) => status === 'failed');
    const page = await stage.open(`/runs/${id}`);
    await page.getByLabel('Find steps').fill('part 23');
    await eventually(async () => (await step(page, /Part \d+/).count()) === 1, 'one step');
    await page.getByLabel('Find steps').fill('');
    await page.getByRole('button', { name: 'Only failed' }).click();
    await eventually(
      async () => (await step(page, /Part \d+/).count()) === 1 && (await step(page, /Part 31/).count()) === 1,
      'the failed one',
    );
  });

  test('a link that a program writes leads nowhere in the terminal view', async () => {
    const id = await stage.begin([
      `printf '\\033]8;;http://evil.example/\\033\\\\good.example\\033]8;;\\033\\\\ end\\n'`,
    ]);
    await stage.until(id, ({ ended }) => ended);
    const page = await stage.open(`/runs/${id}?step=s1&tab=output`);
    await page.getByRole('button', { name: 'Show as a terminal would' }).click();
    const shown = page.locator('.xterm-rows').getByText('good.example');
    await shown.waitFor();
    let asked = '';
    page.on('dialog', (dialog) => {
      asked = dialog.message();
      void dialog.dismiss();
    });
    const { x, y } = (await shown.boundingBox())!;
    await page.mouse.move(x + 20, y + 5);
    await page.mouse.click(x + 20, y + 5);
    expect(await page.locator('.xterm-rows [class*=underline]').count()).toBe(0);
    expect(asked).toBe('');
  });
});
