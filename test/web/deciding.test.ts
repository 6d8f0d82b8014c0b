import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dock, sentence, step } from './page.ts';
import { describeWeb, useStage } from './support.ts';

describeWeb('decided on the page', () => {
  const stage = useStage();

  test('whether a step that was cut off had been done', async () => {
    const id = await stage.begin([
      'echo begun >> log; while [ ! -e go ]; do sleep 0.1; done',
      'echo last >> log',
    ]);
    const page = await stage.open(`/runs/${id}`);
    await step(page, /Step 1/).waitFor(); // with all that it loads
    await stage.until(id, () => existsSync(stage.path('log')));
    await stage.kill();
    await page.getByRole('alert').filter({ hasText: 'What you see may be old' }).waitFor();
    writeFileSync(stage.path('go'), '');
    await stage.restart();
    await dock(page).getByText('Was “Step 1” done?').waitFor();
    await dock(page).getByRole('button', { name: 'It was done: go on' }).click();
    await sentence(page, 'Done: all 2 steps');
    expect(readFileSync(stage.path('log'), 'utf8')).toBe('begun\nlast\n');
  });

  test('what was asked and has to wait is shown after a reload, with what it waits for', async () => {
    const other = await stage.begin(['while [ ! -e go ]; do sleep 0.1; done'], { goal: 'Has the folder' });
    writeFileSync(stage.path('old.txt'), 'x');
    await stage.until(other, ({ inFlight }) => inFlight !== null);
    const id = await stage.begin(['rm old.txt'], { agreed: false });
    const page = await stage.open(`/runs/${id}`);
    await page.getByRole('button', { name: /^Run 1 step/ }).click();
    const underWay = page.getByRole('status', { name: 'Under way' });
    await underWay.getByRole('link', { name: '“Has the folder”' }).waitFor();
    await page.reload();
    await underWay.getByText('Step 1 was approved and has not begun.').waitFor();
    await underWay.getByRole('link', { name: '“Has the folder”' }).click();
    await sentence(page, 'Running step 1 of 1');
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await underWay.getByText('Pause when this step has ended').waitFor();
    await page.reload();
    await underWay.getByText('Pause when this step has ended').waitFor();
    await page.goBack();
    await underWay.getByRole('button', { name: 'Deny it after all' }).click();
    await sentence(page, 'Step 1 of 1 was denied');
    writeFileSync(stage.path('go'), '');
    await stage.until(other, ({ inFlight }) => inFlight === null);
    expect(existsSync(stage.path('old.txt'))).toBe(true);
  });

  test('a request that is refused is said to whoever made it', async () => {
    const id = await stage.begin(['rm old.txt']);
    const page = await stage.open(`/runs/${id}`);
    await dock(page).waitFor();
    const approvalId = (await stage.server.client.getRun(id)).state.approvals[0]!.id;
    // As somebody whose page has not heard yet that it is over.
    await page.route('**/requests', async (route) => {
      await stage.server.client.request(id, {
        type: 'approval-decided',
        approvalId,
        decision: 'deny',
      });
      await stage.until(id, ({ status }) => status !== 'waiting');
      await route.continue();
    });
    await dock(page)
      .getByRole('button', { name: /^Delete/ })
      .click();
    await page.getByText(/Refused \(step 1 approved\)/).waitFor();
  });

  test('where another run begins: a fork does not repeat what came before', async () => {
    const id = await stage.begin(['echo one >> log', 'echo two >> log', 'echo three >> log'], {
      goal: 'To be forked',
    });
    const page = await stage.open(`/runs/${id}`);
    await sentence(page, 'Done: all 3 steps');
    await step(page, /Step 2/).click();
    await page.getByRole('button', { name: 'More about this step' }).click();
    await page.getByRole('menuitem', { name: 'New run from here' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/runs/') && !url.pathname.endsWith(id));
    await page.getByRole('button', { name: /^Run \d step/ }).click();
    await sentence(page, 'Done:');
    expect(readFileSync(stage.path('log'), 'utf8')).toBe('one\ntwo\nthree\ntwo\nthree\n');
  });

  test('what is always allowed here: it is not asked about again', async () => {
    const plan = ['touch old.txt', 'rm old.txt'];
    const page = await stage.open(`/runs/${await stage.begin(plan)}`);
    await dock(page).getByRole('button', { name: 'Always allow here…' }).click();
    await dock(page).getByRole('button', { name: 'Always allow it, and run it now' }).click();
    await sentence(page, 'Done: all 2 steps');
    const again = await stage.begin(plan);
    const state = await stage.until(again, ({ ended, status }) => ended || status === 'waiting');
    expect(state.status).toBe('done');
    // It is not asked about, and is as dangerous as it was.
    await page.goto(`${stage.server.url}/runs/${again}?tab=output`);
    await step(page, /Step 2/)
      .getByTitle('Risk: dangerous')
      .waitFor();
    await page.keyboard.press(',');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByRole('button', { name: 'Rules', exact: true }).click();
    await settings.getByRole('button', { name: /^Remove the rule: .*rm old\.txt/ }).click();
    await settings.getByText('No rules of your own').waitFor();
  });

  test('what a look tells is in the question of a step that has not run, and the menu and palette set the mode', async () => {
    const id = await stage.begin(['./build.sh', 'echo two >> log'], { mode: 'teacher' });
    const page = await stage.open(`/runs/${id}`);
    await dock(page)
      .getByText(/build\.sh is not there\./)
      .waitFor();
    await step(page, /Step 1 a look warns/).waitFor();
    writeFileSync(stage.path('build.sh'), '#!/bin/sh\necho one >> log\n', { mode: 0o755 });
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Mode: Agentic' }).click();
    await sentence(page, 'Done: all 2 steps');
    expect(readFileSync(stage.path('log'), 'utf8')).toBe('one\ntwo\n');
    const other = await stage.begin(['echo three >> log'], { mode: 'teacher' });
    await page.goto(`${stage.server.url}/runs/${other}`);
    await dock(page).getByText('Step 1').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('mode planner');
    await page.getByRole('option', { name: /Mode: Planner/ }).click();
    await sentence(page, 'Done: the one step');
    // Where nobody is asked it stands beside what came of the step.
    const third = await stage.begin(['./gone.sh'], { mode: 'planner' });
    await page.goto(`${stage.server.url}/runs/${third}?step=s1`);
    await page
      .getByRole('main')
      .getByText(/gone\.sh is not there\./)
      .waitFor();
  });

  test('settings: the default mode and a limit hold for the next run', async () => {
    const page = await stage.open('/');
    await page.keyboard.press(',');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings
      .getByRole('radiogroup', { name: 'mode', exact: true })
      .getByRole('radio', { name: 'teacher' })
      .click();
    await settings.getByRole('button', { name: 'Limits' }).click();
    await settings.getByLabel('Corrections').fill('4');
    await settings.getByLabel('Corrections').press('Enter');
    await settings.getByText('set by you').first().waitFor();
    const { id } = await stage.server.client.createRun({
      source: {
        text: JSON.stringify({ goal: 'x', plan: [{ step: 'One', action: 'RUN_COMMAND echo hi' }] }),
        kind: 'plan',
      },
      agreed: true,
      workspace: stage.folder,
    });
    const state = await stage.until(id, ({ status }) => status === 'waiting');
    expect(state.options).toMatchObject({ mode: 'teacher', limits: { corrections: 4 } });
    await page.goto(`${stage.server.url}/runs/${id}`);
    await sentence(page, 'Your turn: step 1');
    await stage.server.client.changeConfig({ unset: ['mode', 'limits.corrections'] });
  });
});
