import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { probeSandbox } from '../../src/world/process/index.ts';
import { insert, modify, NEED, openBrain, type ScriptedBrain } from '../agent/stage.ts';
import { dock, sentence, step } from './page.ts';
import { describeWeb, useStage } from './support.ts';

const sandbox = await probeSandbox();
const hasSandbox = sandbox.works || process.env['CI'] === 'true';
const dangerous = insert('rm -r old', 'touch ready');
const needy = ['echo before', 'sh need ready', 'echo after >> log'];

describeWeb('a correction on the page', () => {
  let brain: ScriptedBrain;
  const stage = useStage(async () => {
    brain = openBrain(join(stage.bench.home, 'brain'));
    return { PLANWRIGHT_BRAIN_PROGRAM: brain.program, PLANWRIGHT_LIMITS_RETRIES: '2' };
  });
  beforeEach(() => {
    writeFileSync(stage.path('need'), NEED);
    mkdirSync(stage.path('old/deep'), { recursive: true });
  });

  test('that is dangerous says who proposed it and why; approved, it is done and the run goes on', async () => {
    brain.answers(dangerous);
    const id = await stage.begin(needy, { mode: 'agentic' });
    const page = await stage.open(`/runs/${id}`);
    await dock(page).getByText('rm -r old').first().waitFor();
    await dock(page).getByText('This first.').first().waitFor();
    await dock(page)
      .getByText(/^proposed by brain program .* to mend step 2/)
      .waitFor();
    expect(existsSync(stage.path('old/deep'))).toBe(true);
    await dock(page)
      .getByRole('button', { name: /^Delete/ })
      .click();
    await sentence(page, 'Done:');
    expect(existsSync(stage.path('old'))).toBe(false);
    expect(existsSync(stage.path('log'))).toBe(true);
  });

  test('of several steps is asked about as a whole, and the label says who is asked', async () => {
    brain.answers(insert('echo prep > prep', 'rm -r old', 'touch ready'));
    const id = await stage.begin(needy, { mode: 'agentic' });
    const page = await stage.open(`/runs/${id}`);
    const whole = dock(page).getByLabel('The whole correction');
    await whole.waitFor();
    expect(await whole.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringContaining('echo prep > prep'),
      expect.stringContaining('rm -r old'),
      expect.stringContaining('touch ready'),
    ]);
    expect(await whole.locator('[aria-current=step]').innerText()).toContain('rm -r old');
    expect(existsSync(stage.path('prep')), 'none of it runs before').toBe(false);
    await page.getByRole('contentinfo').getByText('brain: program → memory → rules').waitFor();
    await dock(page)
      .getByRole('button', { name: /^Delete/ })
      .click();
    await sentence(page, 'Done:');
  });

  test('that is denied is refused with the reason, and the brain’s safe way is taken', async () => {
    brain.answers(dangerous, insert('touch ready'));
    const id = await stage.begin(needy, { mode: 'agentic' });
    const page = await stage.open(`/runs/${id}`);
    await dock(page)
      .getByText(/the brain is told why/)
      .waitFor();
    await dock(page).getByRole('button', { name: 'Deny, say why…' }).click();
    await dock(page).getByLabel('Why not').fill('I need old');
    await dock(page).getByRole('button', { name: 'Deny', exact: true }).click();
    await sentence(page, 'Done:');
    expect(existsSync(stage.path('old/deep'))).toBe(true);
    expect(brain.asked()[1]!.context.refused).toMatchObject([{ reason: 'I need old' }]);
    await page.getByRole('tab', { name: /Story/ }).click();
    const story = page.getByRole('list', { name: 'Story' });
    await story.getByText('I need old').first().waitFor();
    await story.getByText('Step 2 is mended').waitFor();
  });

  test('that is edited runs as it was edited', async () => {
    brain.answers(dangerous);
    const id = await stage.begin(needy, { mode: 'agentic' });
    const page = await stage.open(`/runs/${id}`);
    await dock(page).getByRole('button', { name: 'Edit…' }).click();
    await dock(page).getByLabel('The action, to edit').fill('mv old kept');
    await dock(page).getByRole('button', { name: 'Judge it again' }).click();
    const state = await stage.until(
      id,
      ({ ended, approvals }) =>
        ended ||
        approvals.some(
          (one) => one.status === 'needed' && JSON.stringify(one.subject.action).includes('mv old kept'),
        ),
    );
    if (!state.ended) await dock(page).getByRole('button', { name: /once$/ }).click();
    await sentence(page, 'Done:');
    expect([existsSync(stage.path('old')), existsSync(stage.path('kept/deep'))]).toEqual([false, true]);
  });

  test('that does not help leaves the run stuck, and a hint sets it going', async () => {
    brain.answers(modify('sh need ready one'), modify('sh need ready two'), insert('touch ready'));
    const id = await stage.begin(needy, { mode: 'agentic' });
    const page = await stage.open(`/runs/${id}`);
    await dock(page).getByText('could not be mended').waitFor();
    await dock(page).getByLabel('A hint for the brain').fill('touch the file');
    await dock(page).getByRole('button', { name: 'Give the hint, go on' }).click();
    await sentence(page, 'Done:');
    expect(brain.asked().at(-1)!.context.hint).toBe('touch the file');
    await step(page, /First touch ready/).waitFor();
  });

  test.skipIf(!hasSandbox)(
    'that wants more than its sandbox asks for just that',
    async ({ onTestFinished }) => {
      const outside = mkdtempSync(join(homedir(), '.planwright-outside-'));
      onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
      writeFileSync(stage.path('reach.sh'), `touch ${outside}/made\n`);
      brain.answers(insert('sh reach.sh', 'touch ready'));
      const id = await stage.begin(needy, { mode: 'agentic' });
      const page = await stage.open(`/runs/${id}`);
      await dock(page).getByText(`It wants to write ${outside} beyond its sandbox.`).waitFor();
      expect(existsSync(join(outside, 'made'))).toBe(false);
      await dock(page)
        .getByRole('button', { name: /beyond its sandbox$|once$/ })
        .click();
      await sentence(page, 'Done:');
      expect(existsSync(join(outside, 'made'))).toBe(true);
    },
  );
});
