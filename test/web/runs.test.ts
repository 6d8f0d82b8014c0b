import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { probeSandbox } from '../../src/world/process/index.ts';
import { dock, goTo, sentence, step, titled } from './page.ts';
import { describeWeb, useStage } from './support.ts';

const sandbox = await probeSandbox();

describeWeb('a run on the page', () => {
  const stage = useStage();
  const { begin, until } = stage;

  test('is started from a dropped plan, agreed on, and watched to its end', async () => {
    const page = await stage.open('/new');
    const plan =
      'goal: Say hello\nplan:\n  - step: Say it\n    action: RUN_COMMAND echo hello from the page\n';
    await page
      .getByLabel('Runbook or plan file', { exact: true })
      .setInputFiles({ name: 'hello.plan.yaml', mimeType: 'text/yaml', buffer: Buffer.from(plan) });
    await page.getByRole('button', { name: 'Show the plan' }).click();
    await page.getByRole('heading', { name: 'Say hello' }).waitFor();
    await page.getByRole('button', { name: 'Run 1 step', exact: true }).click();
    await sentence(page, 'Done: the one step');
    await page.getByRole('log').getByText('hello from the page').waitFor();
    await titled(page, /^Say hello · Planwright$/);
  });

  test('shows what is wrong with a plan before it is one', async () => {
    const page = await stage.open('/new');
    await page.getByLabel('Runbook or plan file', { exact: true }).setInputFiles({
      name: 'bad.plan.yaml',
      mimeType: 'text/yaml',
      buffer: Buffer.from('goal: x\nplan: []\n'),
    });
    await page.getByRole('list', { name: 'Problems' }).waitFor();
    expect(await page.getByRole('button', { name: 'Show the plan' }).isDisabled()).toBe(true);
  });

  test('that needs an approval says so in the title, and goes on when it is given', async () => {
    writeFileSync(stage.path('old.txt'), 'x');
    const id = await begin(['echo first', 'rm old.txt', 'echo last']);
    const page = await stage.open(`/runs/${id}`);
    await dock(page).getByText('Deletes').first().waitFor();
    await titled(page, /^\(1\) /);
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Deny');
    expect(existsSync(stage.path('old.txt'))).toBe(true);
    await dock(page)
      .getByRole('button', { name: /^Delete 1/ })
      .click();
    await sentence(page, 'Done: all 3 steps');
    await titled(page, /^[^(]/);
    expect(existsSync(stage.path('old.txt'))).toBe(false);
  });

  test('keeps what was denied, with the reason in the journal', async () => {
    writeFileSync(stage.path('old.txt'), 'x');
    const id = await begin(['rm old.txt']);
    const page = await stage.open(`/runs/${id}`);
    await dock(page).getByRole('button', { name: 'Deny, say why…' }).click();
    await dock(page).getByLabel('Why not').fill('it is still needed');
    await dock(page).getByRole('button', { name: 'Deny', exact: true }).click();
    await sentence(page, 'Step 1 of 1 was denied');
    expect(existsSync(stage.path('old.txt'))).toBe(true);
    const { events } = await stage.server.client.getEvents(id);
    expect(events.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'approval-denied', reason: 'it is still needed' }),
    );
  });

  test('runs the command as it was edited, judged again', async () => {
    writeFileSync(stage.path('old.txt'), 'x');
    const id = await begin(['rm old.txt']);
    const page = await stage.open(`/runs/${id}`);
    await dock(page).getByRole('button', { name: 'Edit…' }).click();
    await dock(page).getByLabel('The action, to edit').fill('mv old.txt kept.txt');
    await dock(page).getByRole('button', { name: 'Judge it again' }).click();
    const state = await until(
      id,
      ({ status, ended, plan }) => plan?.revision === 1 && (ended || status === 'waiting'),
    );
    if (!state.ended) await dock(page).getByRole('button', { name: /once$/ }).click();
    await sentence(page, 'Done: the one step');
    expect(existsSync(stage.path('kept.txt'))).toBe(true);
  });

  test('takes its question back when the terminal decides', async () => {
    writeFileSync(stage.path('old.txt'), 'x');
    const id = await begin(['rm old.txt', 'echo after']);
    const page = await stage.open(`/runs/${id}`);
    await dock(page).waitFor();
    const { code, stderr } = await stage.bench.run(['approve', id]);
    expect(code, stderr).toBe(0);
    await dock(page).waitFor({ state: 'detached' });
    await sentence(page, 'Done: all 2 steps');
  });

  test('holds one stream, which brings the other runs’ news too; the way home gives it back', async () => {
    const id = await begin(['echo one', 'rm -f nothing-there']);
    const page = await stage.open('/');
    const open = new Set<string>();
    page.on('request', (request) => {
      if (request.url().includes('/stream')) open.add(request.url());
    });
    const close = (request: { url(): string }) => void open.delete(request.url());
    page.on('requestfinished', close);
    page.on('requestfailed', close);
    await page
      .getByRole('link', { name: /a plan/ })
      .first()
      .click();
    await dock(page).waitFor();
    await titled(page, /^\(1\) /);
    const other = await begin(['rm -f another'], { goal: 'Another' });
    await titled(page, /^\(2\) /);
    expect([...open].map((url) => url.replace(stage.server.url, ''))).toEqual([
      `/api/runs/${id}/stream?rows=true`,
    ]);
    await page.keyboard.press('h');
    await page
      .getByRole('link', { name: /Another/ })
      .first()
      .waitFor();
    await stage.server.client.request(other, { type: 'cancel-requested' });
    await titled(page, /^\(1\) /);
    await stage.server.client.request(id, { type: 'cancel-requested' });
    await titled(page, /^[^(]/);
  });

  test('that the terminal started is there, live', async () => {
    const page = await stage.open('/');
    stage.bench.write(
      'plan.json',
      JSON.stringify({ goal: 'From the terminal', plan: [{ step: 'One', action: 'RUN_COMMAND echo hi' }] }),
    );
    const { code, stderr } = await stage.bench.run(['run', 'plan.json', '--yes']);
    expect(code, stderr).toBe(0);
    await page.getByRole('link', { name: /From the terminal/ }).click();
    await sentence(page, 'Done: the one step');
  });

  test('is learnt step by step: run, skip, I did it myself', async () => {
    const id = await begin(['echo one', 'touch two', 'touch three'], { mode: 'teacher' });
    const page = await stage.open(`/runs/${id}`);
    await sentence(page, 'Your turn: step 1');
    await dock(page).getByText('What it does').waitFor();
    await dock(page).getByRole('button', { name: 'Run it' }).click();
    await sentence(page, 'Your turn: step 2');
    await dock(page).getByRole('button', { name: 'Skip it' }).click();
    await sentence(page, 'Your turn: step 3');
    writeFileSync(stage.path('three'), '');
    await dock(page).getByRole('button', { name: 'I did it myself' }).click();
    await sentence(page, 'Done: 2 of 3 steps');
    const { state } = await stage.server.client.getRun(id);
    expect(state.steps.map(({ status }) => status)).toEqual(['done', 'skipped', 'done']);
    expect(existsSync(stage.path('two'))).toBe(false);
  });

  test('that failed while it is learnt shows what would mend it; it is done when the person says so', async () => {
    writeFileSync(stage.path('page.html'), 'x');
    const id = await begin([{ step: 'Publish', action: 'RUN_COMMAND cp page.html build/index.html' }], {
      mode: 'teacher',
    });
    const page = await stage.open(`/runs/${id}`);
    await dock(page).getByRole('button', { name: 'Run it' }).click();
    await sentence(page, /^Step 1 of \d failed/);
    const advice = dock(page).getByRole('region', { name: 'What would mend it' });
    await advice.getByText('missing-parents').waitFor();
    await dock(page).getByRole('button', { name: 'I did it myself' }).waitFor();
    expect((await stage.server.client.getRun(id)).state.plan?.steps).toHaveLength(1);
    await advice.getByRole('button', { name: 'Add a step before it' }).click();
    await dock(page).getByText('Your turn').or(dock(page).getByText('mkdir')).first().waitFor();
    expect(existsSync(stage.path('build'))).toBe(false);
    await dock(page).getByRole('button', { name: 'Run it' }).click();
    await dock(page).getByRole('button', { name: 'Run it again' }).click();
    await sentence(page, 'Done: all 2 steps');
    expect(existsSync(stage.path('build/index.html'))).toBe(true);
  });

  test('is mended before one’s eyes once it is agentic, and the repair branches off the spine', async () => {
    mkdirSync(stage.path('out'));
    writeFileSync(stage.path('out/page.html'), 'x');
    const id = await begin([
      { step: 'Publish', action: 'RUN_COMMAND cp out/page.html build/assets/index.html' },
      'echo after',
    ]);
    const page = await stage.open(`/runs/${id}`);
    await sentence(page, /^Step 1 of \d failed/);
    await dock(page).getByRole('button', { name: 'Let the brain mend it' }).click();
    await sentence(page, 'Done:');
    await step(page, /Make the folder/).waitFor();
    await step(page, /Publish exit 1/).waitFor();
    await step(page, /Publish attempt \d/).waitFor();
    expect(existsSync(stage.path('build/assets/index.html'))).toBe(true);
    await page.getByRole('tab', { name: /Story/ }).click();
    await page.getByRole('list', { name: 'Story' }).getByText('Publish is mended').waitFor();
  });

  test.runIf(sandbox.works)('says of what no person had seen that it ran in a sandbox', async () => {
    writeFileSync(stage.path('say.sh'), '#!/bin/sh\necho said\n', { mode: 0o644 });
    const id = await stage.begin(['./say.sh'], { mode: 'agentic' });
    const { steps } = await stage.until(id, ({ ended }) => ended);
    const [made] = steps;
    const page = await stage.open(`/runs/${id}?tab=result&step=${made!.id}`);
    const ran = page.getByText('In a sandbox', { exact: true });
    await ran.waitFor();
    await goTo(page, `/runs/${id}?tab=result&step=s1`);
    await page.getByText('./say.sh', { exact: true }).first().waitFor();
    expect(await ran.count()).toBe(0);
  });

  test('changes its mode by the segmented selector', async () => {
    const id = await begin(['echo one', 'echo two'], { mode: 'teacher' });
    const page = await stage.open(`/runs/${id}`);
    await dock(page).waitFor();
    await page.getByRole('radio', { name: 'Planner' }).click();
    await sentence(page, 'Done: all 2 steps');
    expect((await stage.server.client.getRun(id)).state.options?.mode).toBe('planner');
    expect(await page.getByRole('radio', { name: 'Agentic' }).isDisabled()).toBe(true);
  });

  test('that changed files is undone from the page, shown first and then done', async () => {
    writeFileSync(stage.path('kept.txt'), 'before');
    const id = await begin([
      { step: 'Write', action: 'WRITE_FILE new.txt "hello"' },
      { step: 'Overwrite', action: 'WRITE_FILE kept.txt "after"' },
    ]);
    await until(id, ({ ended }) => ended);
    const page = await stage.open(`/runs/${id}?tab=changes`);
    await page.getByRole('radio', { name: 'Whole run' }).click();
    await page.getByRole('tabpanel').getByText('+hello').waitFor();
    await page.getByRole('button', { name: 'Undo…' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: /^Delete: the run made it/ }).waitFor();
    await dialog.getByText('new.txt').waitFor();
    await dialog.getByRole('heading', { name: /^Revert: the run changed it/ }).waitFor();
    expect(existsSync(stage.path('new.txt'))).toBe(true);
    await dialog.getByRole('button', { name: 'Delete 1 path, revert 1' }).click();
    await page.getByText('Undone.').waitFor();
    await page.getByRole('log').getByText('deleted new.txt').waitFor();
    await page.getByRole('log').getByText('reverted kept.txt').waitFor();
    const related = page.getByRole('list', { name: 'Related runs' });
    await related.getByText('Undoes').waitFor();
    await related.getByRole('link').click();
    await page.waitForURL((url) => url.pathname.endsWith(id));
    await related.getByText('Undone by').waitFor();
    expect(existsSync(stage.path('new.txt'))).toBe(false);
    expect(readFileSync(stage.path('kept.txt'), 'utf8')).toBe('before');
  });

  test('whose undo waits is not called undone: the page leads to what waits', async () => {
    const id = await begin([
      { step: 'Make it', action: 'RUN_COMMAND touch made.txt', undo: 'RUN_COMMAND rm -rf /tmp/nothing-such' },
    ]);
    await until(id, ({ ended }) => ended);
    const page = await stage.open(`/runs/${id}`);
    await page.getByRole('button', { name: 'Undo…' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('rm -rf /tmp/nothing-such').waitFor();
    await dialog.getByRole('button', { name: 'Perform 1 undo action, delete 1 path' }).click();
    await page.getByText('Nothing is undone yet: the undo waits for you.').waitFor();
    await dock(page).getByRole('button', { name: 'Deny', exact: true }).waitFor();
    expect(existsSync(stage.path('made.txt'))).toBe(true);
    expect(new URL(page.url()).pathname).not.toContain(id);
  });

  test('begins with a goal in words, and ends where its plan is declined', async () => {
    const page = await stage.open('/new');
    await page.getByLabel('Goal').fill('Rotate the logs of a folder');
    await page.getByLabel('Workspace: the folder that the run may touch').fill(stage.folder);
    await page.getByRole('button', { name: 'Make a plan' }).click();
    await page.getByRole('list', { name: 'Steps of the plan' }).waitFor();
    await page.getByRole('button', { name: 'Decline…' }).click();
    await page.getByLabel('Why not').fill('not today');
    await page.getByRole('button', { name: 'Decline the plan' }).click();
    await sentence(page, 'The plan was not agreed to');
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    const { state } = await stage.server.client.getRun(id);
    expect([state.status, state.stopReason]).toEqual(['cancelled', 'plan-rejected']);
  });
});
