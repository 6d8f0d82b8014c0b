import { afterAll, expect, test } from 'vitest';
import { type Office, openOffice, planning, restating } from '../planner/models.ts';
import { describeWeb, useStage } from './support.ts';

let office: Office;
let failing: Office;
afterAll(async () => {
  await office?.close();
  await failing?.close();
});

describeWeb('a goal in words', () => {
  const stage = useStage(async () => {
    office = await openOffice({
      big: [
        planning(['RUN_COMMAND echo <your-name>']),
        planning(['RUN_COMMAND echo hello', 'RUN_COMMAND echo world']),
        planning(['RUN_COMMAND echo good evening', 'RUN_COMMAND echo world']),
      ],
      small: planning(['RUN_COMMAND echo hello']),
      quick: [restating, { text: '- Write the real name.' }],
    });
    return office.env;
  });

  test('is restated, drafted, rejected and drafted again before one’s eyes; a declined step is planned anew', async () => {
    const page = await stage.open('/new');
    await page.getByLabel('Goal').fill('Greet the world in a way that no template knows');
    await page.getByLabel('Workspace: the folder that the run may touch').fill(stage.folder);
    await page.getByRole('radio', { name: 'Planner' }).click();
    await page.getByRole('button', { name: 'Make a plan' }).click();
    const steps = page.getByRole('list', { name: 'Steps of the plan' }).getByRole('listitem');
    await steps.getByText('echo hello', { exact: true }).waitFor();
    const about = page.getByRole('region', { name: 'About this plan' });
    await about.getByText('It is short.').waitFor();
    // What its steps come to is there once they have been judged.
    await about.getByText('Files affected').waitFor();
    const said = await about.locator('dt, dd').allInnerTexts();
    const labels = said.filter((_, at) => at % 2 === 0);
    expect(labels).toEqual([
      'Understood as',
      'Why these steps',
      'What could go wrong',
      'Confidence',
      'Risk level',
      'Estimated duration',
      'Files affected',
    ]);
    expect(said[1]).toContain('WHAT: greet the world');
    expect(await steps.first().innerText()).toMatch(/\[RUN\] (?:about|under) /);
    expect(said[7]).toMatch(/^88 %\s+−12 % 1 draft rejected before/);
    await steps.first().hover();
    await page.getByRole('button', { name: 'More about step 1' }).click();
    await page.getByRole('menuitem', { name: 'Plan it differently…' }).click();
    await page.getByLabel('What is wrong with it').fill('too plain');
    await page.getByRole('button', { name: 'Plan it differently' }).click();
    await steps.getByText('echo good evening', { exact: true }).waitFor();
    expect(office.asked.at(-1)?.prompt).toContain('too plain');
    await page.getByRole('button', { name: 'Run 2 steps', exact: true }).click();
    await page.getByRole('main').getByRole('status').filter({ hasText: 'Done: all 2 steps' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    const { events } = await stage.server.client.getEvents(id);
    const types = events.map(({ event }) => event.type);
    for (const type of ['goal-restated', 'draft-rejected', 'feedback-given', 'run-finished'])
      expect(types).toContain(type);
  });
});

describeWeb('planning that failed', () => {
  const stage = useStage(async () => {
    const bad = planning(['RUN_COMMAND echo <your-name>']);
    failing = await openOffice({
      big: bad,
      small: bad,
      quick: [restating, { text: '- Write the real name.' }],
    });
    return { ...failing.env, PLANWRIGHT_LIMITS_DRAFTS: '1' };
  });

  test('is mended on the page: the best draft is there as a plan file, and the button within reach', async () => {
    const page = await stage.open('/new');
    await page.getByLabel('Goal').fill('Greet the world in a way that no template knows');
    await page.getByLabel('Workspace: the folder that the run may touch').fill(stage.folder);
    await page.getByRole('button', { name: 'Make a plan' }).click();
    await page.getByRole('heading', { name: 'No plan came of it' }).waitFor();
    const editor = page.getByLabel('Your plan');
    await editor.getByText('goal').first().waitFor();
    expect(await editor.innerText()).not.toContain('<json>');
    const button = await page.getByRole('button', { name: 'Use my plan' }).boundingBox();
    expect(button!.x + button!.width).toBeLessThanOrEqual(1280);
    await editor.fill('goal: Greet\nplan:\n  - step: Say it\n    action: RUN_COMMAND echo hello\n');
    await page.getByRole('button', { name: 'Use my plan' }).click();
    await page
      .getByRole('list', { name: 'Steps of the plan' })
      .getByText('echo hello', { exact: true })
      .waitFor();
  });
});
