import { existsSync, mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventually } from '../support/processes.ts';
import { describeWeb, useStage } from './support.ts';

describeWeb('several runs at once', () => {
  const stage = useStage();

  test('are denied, cancelled and deleted; what has not ended is never deleted', async () => {
    mkdirSync(stage.path('precious'));
    const deleting = [{ step: 'Delete', action: 'RUN_COMMAND rm -rf precious' }];
    const asks = await Promise.all(
      ['First', 'Second'].map((goal) => stage.begin(deleting, { goal: `${goal} that asks` })),
    );
    const over = await stage.begin(['echo over'], { goal: 'One that is over' });
    const open = await stage.begin(['echo open'], { goal: 'One to agree on', agreed: false });
    await stage.until(over, ({ ended }) => ended);
    for (const id of asks) await stage.until(id, ({ status }) => status === 'waiting');

    const page = await stage.open('/');
    const { client } = stage.server;
    const button = (name: string | RegExp) => page.getByRole('button', { name });
    await button('Choose…').click();
    for (const goal of ['First that asks', 'Second that asks', 'One that is over'])
      await page.getByRole('checkbox', { name: goal }).check();
    await page.getByText('3 chosen').waitFor();
    // On a phone a row has two lines, also one that stood elsewhere before.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await page.getByText('One that is over').waitFor();
    await button('Choose…').click();
    await eventually(async () => {
      const boxes = await Promise.all(
        (await page.locator('main li').all()).map((line) => line.boundingBox()),
      );
      const lines = boxes.map((box) => box!).toSorted((a, b) => a.y - b.y);
      return (
        lines.length === 4 &&
        lines.every((box, at) => at === 0 || box.y >= lines[at - 1]!.y + lines[at - 1]!.height - 1)
      );
    }, 'no row lies over another');
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const goal of ['First that asks', 'Second that asks', 'One that is over'])
      await page.getByRole('checkbox', { name: goal }).check();
    // What is chosen while that is being sent stays chosen.
    const held = Promise.withResolvers<void>();
    await page.route('**/requests', async (route) => {
      const response = await route.fetch();
      await held.promise;
      await route.fulfill({ response });
    });
    await button('Deny 2').click();
    for (const id of asks) await stage.until(id, ({ approvals }) => approvals[0]?.status === 'denied');
    expect(existsSync(stage.path('precious'))).toBe(true);

    await button('Choose all that are shown').click();
    const answers = asks.map((id) => page.waitForResponse(`**/${id}/requests`));
    held.resolve();
    for (const answer of answers) await (await answer).finished();
    await button('Delete 1…').click();
    await button('Delete them').click();
    await page.getByText('1 run deleted').waitFor();
    await expect(client.getRun(over)).rejects.toMatchObject({ code: 'no-such-run' });
    expect((await client.getRun(open)).state.status).toBe('agreeing');

    await page.getByRole('checkbox', { name: 'One to agree on' }).check();
    await button('Cancel 1…').click();
    await button('Cancel them').click();
    await stage.until(open, ({ status }) => status === 'cancelled');
    expect(await client.removeRuns({ ids: [asks[0]!, open] })).toEqual({ removed: [open], stays: [asks[0]] });
  });
});
