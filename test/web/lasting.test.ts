import { existsSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sentence } from './page.ts';
import { describeWeb, useStage } from './support.ts';

const steps = (page: Page) => page.getByRole('navigation', { name: 'Steps' }).getByRole('button');

describeWeb('what the page shows outlasts', () => {
  const stage = useStage();

  test('a reload in the middle', async () => {
    const id = await stage.begin([
      'echo before',
      'while [ ! -e go ]; do sleep 0.05; done; echo after',
      'echo last',
    ]);
    const page = await stage.open(`/runs/${id}`);
    await sentence(page, 'Running step 2 of 3');
    await page.reload();
    await sentence(page, 'Running step 2 of 3');
    writeFileSync(stage.path('go'), '');
    await sentence(page, 'Done: all 3 steps');
    await steps(page).nth(1).click();
    await page.getByRole('log').getByText('after').waitFor();
  });

  test('the death of the server: it says that it is offline, and goes on when the server is back', async () => {
    const id = await stage.begin(['echo first', 'rm -f nothing-there', 'echo last']);
    const page = await stage.open(`/runs/${id}`);
    await page.getByTestId('dock').waitFor();
    await stage.kill();
    await page.getByText('offline, trying again').waitFor();
    await stage.restart();
    await page.getByText('live', { exact: true }).waitFor();
    await page
      .getByTestId('dock')
      .getByRole('button', { name: /^Delete/ })
      .click();
    await sentence(page, 'Done: all 3 steps');
    const { events } = await stage.server.client.getEvents(id);
    expect(events.filter(({ event }) => event.type === 'run-finished')).toHaveLength(1);
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByRole('tabpanel').getByText(String(events.length), { exact: true }).first().waitFor();
  });

  test('its own end: any moment can be looked at again, and the way back leads to now', async () => {
    const id = await stage.begin(['echo one', 'echo two', 'exit 3']);
    await stage.until(id, ({ status }) => status === 'failed');
    const page = await stage.open(`/runs/${id}?tab=story`);
    const slider = page.getByRole('slider', { name: 'Moment of the run' });
    await slider.waitFor();
    const { events } = await stage.server.client.getEvents(id);
    const firstDone = events.find(({ event }) => event.type === 'step-completed')!.seq;
    await slider.fill(String(firstDone));
    await page.getByText('The run as it was at').waitFor();
    await steps(page).filter({ hasText: 'Step 1' }).filter({ hasText: ', done' }).waitFor();
    await steps(page).filter({ hasText: 'Step 3' }).filter({ hasText: ', pending' }).waitFor();
    expect(await page.getByTestId('dock').count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('at')).toBe(String(firstDone));
    await page.getByRole('button', { name: 'Back to now' }).click();
    await steps(page).filter({ hasText: 'Step 3' }).filter({ hasText: 'exit 3' }).waitFor();
  });

  test('a step that failed: edited on the page, the run goes on to its end', async () => {
    const id = await stage.begin(['echo one', 'false', 'touch done']);
    const page = await stage.open(`/runs/${id}`);
    await page.getByTestId('dock').getByRole('button', { name: 'Edit the step…' }).click();
    await page.getByLabel('The action, to edit').fill('true');
    await page.getByRole('button', { name: 'Use this instead, and go on' }).click();
    await sentence(page, 'Done: all 3 steps');
    expect(existsSync(stage.path('done'))).toBe(true);
  });
});
