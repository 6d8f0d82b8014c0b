import { existsSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from '../support/processes.ts';
import { dock, sentence } from './page.ts';
import { describeWeb, useStage } from './support.ts';

const titles = (page: Page) =>
  page.getByRole('list', { name: 'Steps of the plan' }).locator('li p:first-child').allTextContents();

describeWeb('a plan that is agreed on', () => {
  const stage = useStage();
  const three = ['one', 'two', 'three'].map((name) => ({
    step: `Write ${name}`,
    action: `RUN_COMMAND echo ${name} >> log`,
  }));

  test('can have its steps moved and taken out, and be changed as text', async () => {
    const id = await stage.begin(three, { agreed: false });
    const page = await stage.open(`/runs/${id}`);
    const shown = (...expected: string[]) =>
      eventually(
        async () => (await titles(page)).join() === expected.map((name) => `Write ${name}`).join(),
        `the steps ${expected}`,
      );
    const choose = async (step: number, name: string) => {
      await page.getByRole('button', { name: `More about step ${step}` }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose(3, 'Move up');
    await shown('one', 'three', 'two');
    await choose(1, 'Move down');
    await shown('three', 'one', 'two');
    await choose(3, 'Take it out of the plan');
    await shown('three', 'one');
    await page.getByText('2 steps, none dangerous.').waitFor();
    expect((await stage.server.client.getRun(id)).state.plan?.steps).toHaveLength(2);

    await page.getByRole('button', { name: 'Edit the plan as text' }).click();
    const editor = page.getByRole('textbox', { name: 'The plan as text' });
    await editor.waitFor();
    const before = (await stage.server.client.planFile(id)).text!;
    // What is no plan is told where it stands, and changes nothing.
    await editor.fill(before.replace('RUN_COMMAND echo three', 'RUN_NOTHING three'));
    const change = page.getByRole('button', { name: 'Change the plan' });
    let read = (): void => {};
    const mayRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    await page.route('**/plans/validate', async (route) => {
      await mayRead;
      await route.continue();
    });
    const place = await change.boundingBox();
    await change.click();
    // While it is read it is not sent twice, and what comes does not move the button from under the pointer.
    await eventually(() => change.isDisabled(), 'the text is being read');
    read();
    const wrong = page.getByRole('list', { name: 'Problems' });
    await wrong
      .getByText(/RUN_NOTHING/)
      .first()
      .waitFor();
    expect(await change.boundingBox()).toEqual(place);
    await editor.fill(`${before}  - step: Write four\n    action: RUN_COMMAND echo four >> log\n`);
    await change.click();
    await stage.until(id, ({ plan }) => plan?.steps.length === 3);
    // Steps that were left as they were are the same ones.
    const { steps } = (await stage.server.client.getRun(id)).state.plan!;
    expect(steps.map(({ id: each }) => each).slice(0, 2)).toEqual(['s3', 's1']);
    await page.getByRole('button', { name: 'Run 3 steps' }).click();
    await sentence(page, 'Done');
    expect(readFileSync(stage.path('log'), 'utf8')).toBe('three\none\nfour\n');
  });

  test('can be run with its dangerous steps asked about when they come', async () => {
    const id = await stage.begin(
      [
        { step: 'Write', action: 'RUN_COMMAND echo one > log' },
        { step: 'Delete', action: 'RUN_COMMAND rm -rf log' },
      ],
      { agreed: false },
    );
    const page = await stage.open(`/runs/${id}`);
    await page.getByText('“Run 2 steps, 1 dangerous” approves 1 dangerous step').waitFor();
    const asking = page.getByRole('button', { name: 'Run, ask at dangerous' });
    const top = async (name: string) => (await page.getByRole('button', { name }).boundingBox())?.y;
    for (const width of [820, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await eventually(
        async () => (await top('Run 2 steps, 1 dangerous')) === (await asking.boundingBox())?.y,
        `one row of buttons at ${width}`,
      );
    }
    await asking.click();
    await dock(page).waitFor();
    await stage.until(id, ({ status }) => status === 'waiting');
    expect(existsSync(stage.path('log'))).toBe(true);
  });

  test('in teacher mode approves nothing beforehand', async () => {
    const id = await stage.begin([{ step: 'Delete', action: 'RUN_COMMAND rm -rf log' }], {
      agreed: false,
      mode: 'teacher',
    });
    const page = await stage.open(`/runs/${id}`);
    await page.getByText('1 step, 1 dangerous').waitFor();
    await page.getByRole('button', { name: 'Begin with step 1', exact: true }).click();
    const { approvals } = await stage.until(id, ({ status }) => status !== 'agreeing');
    expect(approvals).toEqual([]);
  });
});
