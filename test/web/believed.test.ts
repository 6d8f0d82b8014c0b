import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { dock, sentence } from './page.ts';
import { describeWeb, useStage } from './support.ts';

const drop = (page: Page, name: string, text: string) =>
  page
    .getByLabel('Runbook or plan file', { exact: true })
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

describeWeb('what the page says can be believed', () => {
  const stage = useStage();

  test('the folder that was typed is the one: relative and padded are resolved and shown, what is none is refused', async () => {
    writeFileSync(stage.path('file'), '');
    const page = await stage.open('/new');
    await page.getByLabel('Goal').fill('Rotate the logs of a folder');
    const folder = page.getByLabel('Workspace: the folder that the run may touch');
    const button = page.getByRole('button', { name: 'Make a plan' });
    await folder.fill('not/there');
    await page.getByRole('alert').getByText('There is no folder').waitFor();
    expect(await button.isDisabled()).toBe(true);
    await folder.fill(stage.path('file'));
    await page.getByRole('alert').getByText('is a file').waitFor();
    expect(await button.isDisabled()).toBe(true);
    await folder.fill(`  ${basename(stage.folder)} `);
    await page.getByText(`That is ${stage.folder}`).waitFor();
    await button.click();
    await page.getByRole('list', { name: 'Steps of the plan' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    expect((await stage.server.client.getRun(id)).state.workspace).toBe(stage.folder);
    await page.getByRole('banner').getByTitle(stage.folder).waitFor();
  });

  test('a browser without a network, and one whose question about the folder got lost, can still begin', async () => {
    const page = await stage.open('/');
    await page.route('**/folders?**', (route) => route.abort());
    await page.evaluate(() => (globalThis as unknown as EventTarget).dispatchEvent(new Event('offline')));
    await page.keyboard.press('n');
    await page.getByLabel('Goal').fill('Rotate the logs of a folder');
    await page.getByText('No model is set up here').waitFor();
    await page.getByLabel('Workspace: the folder that the run may touch').fill(stage.folder);
    await page.getByRole('button', { name: 'Make a plan' }).click();
    await page.getByRole('list', { name: 'Steps of the plan' }).waitFor();
  });

  test('a plan with inputs has a form for them, and can be run again with others', async () => {
    const page = await stage.open('/new');
    await page.getByLabel('Workspace: the folder that the run may touch').fill(stage.folder);
    await drop(
      page,
      'greet.plan.yaml',
      'goal: Greet\ninputs:\n  - name: who\n    description: Whom to greet\n  - name: word\n    default: hello\nplan:\n  - step: Say it\n    action: RUN_COMMAND echo {word} {who} >> said\n',
    );
    const button = page.getByRole('button', { name: 'Show the plan' });
    await page.getByLabel('who needed').waitFor();
    expect(await button.isDisabled()).toBe(true);
    await page.getByLabel('who needed').fill('ana');
    await button.click();
    await page.getByRole('button', { name: /^Run 1 step/ }).click();
    await sentence(page, 'Done: the one step');
    await page.getByRole('button', { name: 'More about this run' }).click();
    await page.getByRole('menuitem', { name: 'Run again with other inputs…' }).click();
    await page.getByRole('dialog').getByLabel('word').fill('good evening');
    await page.getByRole('dialog').getByRole('button', { name: 'Show the plan' }).click();
    await page.getByRole('button', { name: /^Run 1 step/ }).click();
    await sentence(page, 'Done: the one step');
    await page.getByRole('list', { name: 'Related runs' }).getByText('Again after').waitFor();
    expect(readFileSync(stage.path('said'), 'utf8')).toBe('hello ana\ngood evening ana\n');
  });

  test('a loop is its items: each with its state and output, the failing one named', async () => {
    mkdirSync(stage.path('api'));
    for (let n = 0; n < 4; n += 1) writeFileSync(stage.path(`api/${n}.html`), '');
    const id = await stage.begin([
      { step: 'List', action: 'LIST_FILES api/*.html AS pages' },
      {
        step: 'Check',
        action: 'FOR_EACH pages DO RUN_COMMAND case {item} in */2.html) exit 3;; *) echo {item} fine;; esac',
      },
    ]);
    const page = await stage.open(`/runs/${id}`);
    await sentence(page, 'Step 2 of 2 failed');
    await dock(page)
      .getByText(`item 3 of 4: ${stage.path('api/2.html')}`)
      .waitFor();
    await page.getByRole('tab', { name: /^Items/ }).click();
    const items = page.getByRole('list', { name: 'Items' }).getByRole('listitem');
    await items.nth(3).waitFor();
    expect((await items.allInnerTexts()).map((text) => text.match(/Done|Failed|Pending/)?.[0])).toEqual([
      'Done',
      'Done',
      'Failed',
      'Pending',
    ]);
    await items.nth(1).getByRole('button', { name: 'Output' }).click();
    await page.getByRole('log').getByText('api/1.html fine').waitFor();
    await page.getByText('item 2 of 4').waitFor();
  });

  test('what a run stopped for with no terminal there is approved on the page; the short id is its address', async () => {
    stage.bench.write(
      'alone.json',
      JSON.stringify({
        goal: 'Begun alone',
        plan: [{ step: 'Clear', action: 'RUN_COMMAND rm -rf /var/tmp/none-such' }],
      }),
    );
    await stage.bench.run(['run', 'alone.json', '--yes']);
    const { runs } = await stage.server.client.listRuns({ text: 'Begun alone' });
    const { id } = runs[0]!;
    const page = await stage.open(`/runs/${id.slice(0, 8)}`);
    await page.waitForURL((url) => url.pathname === `/runs/${id}`);
    await dock(page)
      .getByRole('button', { name: /^Delete/ })
      .click();
    await sentence(page, 'Done: the one step');
  });

  test('a step that was denied says so, and does not load for ever', async () => {
    const id = await stage.begin(['rm -f nothing-there']);
    const page = await stage.open(`/runs/${id}`);
    await dock(page).getByRole('button', { name: 'Deny', exact: true }).click();
    await sentence(page, 'Step 1 of 1 was denied');
    await page.goto(`${stage.server.url}/runs/${id}?step=s1&tab=output&attempt=0`);
    await page.getByText('It was denied, so it did not run.').waitFor();
    expect(await dock(page).getByRole('button', { name: 'Let the brain mend it' }).count()).toBe(0);
  });

  test('the story plays from its beginning at the first press', async () => {
    const id = await stage.begin(['echo one', 'echo two', 'echo three']);
    await stage.until(id, ({ ended }) => ended);
    const page = await stage.open(`/runs/${id}?tab=story`);
    await page.getByRole('button', { name: 'Play the run again' }).click();
    await page.getByText('The run as it was at').waitFor();
    const { pathname } = new URL(page.url());
    await page.waitForURL((url) => url.pathname === pathname && Number(url.searchParams.get('at')) > 1);
  });

  test('on a phone Back leads from a step to the spine, not out of the run', async () => {
    const id = await stage.begin(['echo one', 'echo two']);
    await stage.until(id, ({ ended }) => ended);
    const page = await stage.open(`/runs/${id}`, { viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: /^1 Step 1/ }).click();
    await page.getByRole('button', { name: 'All steps' }).waitFor();
    await page.goBack();
    await page.getByRole('navigation', { name: 'Steps' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/runs/${id}`);
  });

  test('who has no key is told so, not that the server is away', async () => {
    const page = await stage.open('/', { own: {} });
    await page.context().clearCookies();
    await page.goto(`${stage.server.url}/new`);
    await page.getByRole('heading', { name: 'This page is not let in' }).waitFor();
    expect(await page.getByText('The server does not answer').count()).toBe(0);
    await page.goto(`${stage.server.url}/?token=wrong`);
    await page.getByRole('heading', { name: 'Planwright does not let you in' }).waitFor();
    await page.getByRole('link', { name: 'Come in by a token' }).click();
    await page.getByRole('textbox', { name: 'Token' }).waitFor();
  });

  test('who signs out is not let in any more', async () => {
    const page = await stage.open('/', { own: {} });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'This page is not let in' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
  });

  test('a path that lies outside or turns its letters round is shown as what it is', async () => {
    const id = await stage.begin([
      { step: 'Delete', action: `DELETE_PATH "a\u202egnp.txt"` },
      'rm -rf /var/tmp/none-such',
    ]);
    writeFileSync(stage.path('a\u202egnp.txt'), '');
    const page = await stage.open(`/runs/${id}`);
    await dock(page).getByText('a\\u{202e}gnp.txt').first().waitFor();
    await dock(page)
      .getByRole('button', { name: /^(Delete|Change)/ })
      .click();
    await dock(page).getByText('Outside the workspace', { exact: true }).waitFor();
  });

  test('what is fetched first comes compressed', async () => {
    const page = await stage.open('/');
    await page.getByRole('heading', { name: /^Runs|No runs yet/ }).waitFor();
    const fetched = (await page.evaluate(
      "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((entry) => [entry.name, entry.encodedBodySize])",
    )) as [string, number][];
    // How much there is to list is another matter.
    const files = fetched.filter(([name]) => !new URL(name).pathname.startsWith('/api/'));
    const kB = files.reduce((sum, [, size]) => sum + size, 0) / 1000;
    expect(kB).toBeGreaterThan(50);
    // The fonts are a third of it.
    expect(kB).toBeLessThan(260);
  });
});
