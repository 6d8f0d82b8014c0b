import { expect, test } from 'vitest';
import { useStage } from './support.ts';

const stage = useStage();

test('who comes in by a token sees who they are, uses what they may, and is told why not the rest', async () => {
  const { stdout } = await stage.bench.run(['token', 'add', 'ana', '--role', 'viewer']);
  const id = await stage.begin(['rm -rf old']);
  const page = await stage.open('/', { own: {} });
  await page.context().clearCookies();
  await page.goto(`${stage.server.url}/runs/${id}`);
  await page.getByLabel('Token').fill('a guess');
  await page.getByRole('button', { name: 'Come in' }).click();
  await page.getByRole('alert').getByText('send a token').waitFor();
  await page.getByLabel('Token').fill(stdout.trim());
  await page.getByRole('button', { name: 'Come in' }).click();

  await page
    .getByRole('note')
    .getByText('You may only look here, as ana (viewer): an admin decides.')
    .waitFor();
  expect(new URL(page.url()).search).not.toContain('token');
  const decide = page.getByRole('region', { name: 'Decide' }).getByRole('button');
  await decide.first().waitFor();
  for (const button of await decide.all()) expect(await button.isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByText('ana, viewer').waitFor();
  await page.keyboard.press('Escape');

  // Whoever may decides, and everybody sees who it was.
  const { waiting } = await stage.server.client.waiting();
  const { approval } = waiting.find(({ row }) => row.id === id)!;
  await stage.server.client.request(id, {
    type: 'approval-decided',
    approvalId: approval!.id,
    decision: 'approve',
  });
  await page.goto(`${stage.server.url}/runs/${id}?tab=story`);
  const { person } = await stage.server.client.whoAmI();
  await page.getByText(`by ${person} over the API`).first().waitFor();
});
