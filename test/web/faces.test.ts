import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answerHook } from '../../src/doors/app/guard/hook.ts';
import { guardStream } from '../../src/doors/app/guard/journal.ts';
import { eventually } from '../support/processes.ts';
import { barriers, sizesOf } from './barriers.ts';
import { goTo } from './page.ts';
import { describeWeb, useStage } from './support.ts';

const evil = '<img src=x onerror="window.__ran=1"><script>window.__ran=1</script>';

describeWeb('every screen', () => {
  const stage = useStage();

  /** Looked at from all sides, and made once. */
  const seed = async () => {
    const waiting = await stage.begin(['echo one', 'rm -f gone.txt'], { goal: 'Wait for an approval' });
    const agreeing = await stage.begin(['rm -rf build', 'echo two'], {
      goal: 'Agree on this',
      agreed: false,
    });
    await stage.until(waiting, ({ status }) => status === 'waiting');
    writeFileSync(stage.path('kept.txt'), 'before');
    const changed = await stage.begin(
      [
        { step: 'Write', action: 'WRITE_FILE kept.txt "after"' },
        { step: 'Repeat', action: 'REPEAT 3 DO RUN_COMMAND echo {index}' },
        String.raw`printf '\033[97;44mon blue\033[0m \033[38;5;208morange\033[0m \033[2mdim\033[0m\n'`,
        'exit 3',
      ],
      { goal: 'Change and fail' },
    );
    await stage.until(changed, ({ status }) => status === 'failed');
    const ended = await stage.begin(['sleep 0.2', 'echo two > made.txt'], { goal: 'Come to an end' });
    await stage.until(ended, (state) => state.ended);
    writeFileSync(
      stage.path('nightly.json'),
      JSON.stringify({ goal: 'Nightly', plan: [{ step: 's', run: 'true' }] }),
    );
    await stage.server.client.createSchedule({
      ...{ file: 'nightly.json', workspace: stage.folder, cron: '0 3 * * *' },
    });
    const guarded = await called('seeded', 'npm test', { doIt: () => writeFileSync(stage.path('a'), 'x') });
    await called('seeded', 'rm -rf ../elsewhere');
    return { waiting, agreeing, changed, ended, guarded };
  };
  /** A call of another agent under the guard, as its hook tells of it; answers with the stream of the session. */
  const called = async (session: string, command: string, { doIt }: { doIt?: () => void } = {}) => {
    const input = { session_id: session, cwd: stage.folder, tool_name: 'Bash', tool_input: { command } };
    const tell = async (hook_event_name: string) => {
      const text = JSON.stringify({ ...input, hook_event_name });
      const env = { ...process.env, HOME: stage.bench.home, PLANWRIGHT_HOME: stage.bench.home };
      await answerHook({ agent: 'claude-code', text, env, checkpoints: 'on' });
    };
    await tell('PreToolUse');
    doIt?.();
    if (doIt !== undefined) await tell('PostToolUse');
    return guardStream('claude-code', session);
  };
  let seeded: ReturnType<typeof seed> | undefined;

  test.each(['dark', 'light'] as const)('is open to everybody, large and small (%s)', async (colorScheme) => {
    seeded ??= seed();
    const { waiting, agreeing, changed, ended, guarded } = await seeded;
    const page = await stage.open('/', { colorScheme });
    const found: Record<string, string[]> = {};
    let n = 0;
    const look = async (name: string, path: string, ready: string, isWayOn = false) => {
      const sizes = sizesOf(colorScheme, n);
      n += 1;
      if (sizes.length === 0 && path !== '' && !isWayOn) return;
      if (path !== '') await goTo(page, path);
      await page.locator(ready).first().waitFor();
      for (const size of sizes) {
        await page.setViewportSize(size);
        found[`${name}, ${size.width}`] = await barriers(page);
      }
    };
    await look('home', '/', 'main li a');
    await look('fleet', '/fleet', 'section[aria-label=Schedules] li', true);
    await page.getByRole('button', { name: 'New schedule' }).click();
    await look('new schedule', '', '[role=dialog] input', true);
    await page.keyboard.press('Escape');
    await page.locator('[role=dialog]').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^More about/ }).click();
    await page.getByRole('menuitem', { name: 'What it runs, and when' }).click();
    await look('schedule', '', '[role=dialog] ol li');
    await look('new', '/new', 'section[aria-label=Templates] li');
    for (const [name, text] of [
      [
        'plan.yaml',
        '# about\ngoal: x\ninputs:\n  - name: who\nplan:\n  - step: a\n    action: RUN_COMMAND true\n  - bad',
      ],
      ['page.md', '# Deploy\n\nRun `make`:\n\n```sh\nmake all\n```\n'],
    ] as const) {
      await goTo(page, '/new');
      await page
        .getByLabel('Runbook or plan file', { exact: true })
        .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
      await look(`editor of ${name}`, '', '.cm-content');
    }
    await look('agree', `/runs/${agreeing}`, 'ol[aria-label="Steps of the plan"] li');
    for (const tab of ['output', 'result', 'changes', 'attempts', 'story', 'events'])
      await look(tab, `/runs/${waiting}?tab=${tab}`, '[data-testid=dock]');
    for (const tab of ['changes', 'attempts', 'result'])
      await look(`${tab} of a failure`, `/runs/${changed}?tab=${tab}&step=s1`, '[data-testid=dock]');
    await look('summary', `/runs/${ended}?tab=summary`, 'ul[aria-label=Changed] li.mono');
    await look('items', `/runs/${changed}?tab=attempts&step=s2`, 'ol[aria-label=Items] li');
    await look('colours', `/runs/${changed}?tab=output&step=s3`, '[role=log] span', true);
    await page.getByRole('button', { name: 'More about this run' }).click();
    await page.getByRole('menuitem', { name: 'Undo…' }).click();
    await look('undo', '', '[role=dialog] h3');
    await page.keyboard.press('Escape');
    await look('guard', '/guard', 'ul[aria-label=Sessions] li');
    await look('guarded session', `/guard/${guarded}`, 'ol[aria-label=Calls] li', true);
    await page.getByRole('button', { name: /rm -rf \.\.\/elsewhere/ }).click();
    await look('verdict', '', 'ol[aria-label=Calls] li ul li');
    await look('no such run', '/runs/nothing-such', 'h1');
    await look('the past', `/runs/${waiting}?tab=story&at=6`, 'text=The run as it was at', true);
    await page.keyboard.press('Control+k');
    await look('palette', '', '[role=dialog] [role=option]');
    await page.keyboard.press('Escape');
    await page.locator('[role=dialog]').waitFor({ state: 'detached' });
    await page.keyboard.press(',');
    await look('settings', '', '[role=dialog] [role=radio]');
    for (const name of ['Models', 'Limits', 'Safety', 'Rules', 'Memory', 'Trust', 'Look']) {
      await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
      await look(name, '', `[role=dialog] nav [aria-current=page]:text-is("${name}")`);
    }
    await page.keyboard.press('Escape');
    await page.locator('[role=dialog]').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await look('keys', '', '[role=dialog] kbd');
    await page.keyboard.press('Escape');
    await page.locator('[role=dialog]').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'Services' }).click();
    await look('services', '', '[role=dialog] p');
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
  });

  test('a schedule says at its form what is wrong, takes inputs, and shows what was agreed to', async () => {
    const plan = 'goal: Back up\ninputs: [where]\nplan:\n  - step: Say it\n    run: echo {where}\n';
    writeFileSync(stage.path('plan.yaml'), plan);
    const page = await stage.open('/fleet');
    await page.getByRole('button', { name: 'New schedule' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Workspace: the folder that its runs may touch').fill(stage.folder);
    await form.getByLabel('Plan file or runbook').fill('none.yaml');
    await form.getByRole('button', { name: 'Agree and add' }).click();
    await form.getByRole('list', { name: 'Problems' }).getByText('there is no file').waitFor();
    await form.getByLabel('Plan file or runbook').fill('plan.yaml');
    await form.getByLabel('Inputs').fill('where=/mnt');
    await form.getByRole('button', { name: 'Agree and add' }).click();
    await form.getByRole('list', { name: 'What it would run' }).getByText('echo').waitFor();
    await form.getByText(/^You agreed to 1 step\. Next: \d{4}-/).waitFor();
    await form.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'More about Back up' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'More about Back up' }).waitFor({ state: 'detached' });
  });

  test('shows what another agent does as it does it, allows exactly what was denied, and takes it back', async () => {
    const page = await stage.open('/guard');
    const id = await called('live', 'make a', { doIt: () => writeFileSync(stage.path('made.txt'), 'x') });
    await page.getByRole('link', { name: /Claude Code.*1 call$/ }).click();
    const calls = page.getByRole('list', { name: 'Calls' }).getByRole('listitem');
    await calls.filter({ hasText: 'make a' }).waitFor();
    await called('live', 'rm -rf ../elsewhere');
    await calls.filter({ hasText: 'rm -rf ../elsewhere' }).getByRole('button').click();
    await page.getByText('Outside the workspace', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Always allow exactly this here' }).click();
    const rules = () => stage.server.client.getRules({ workspace: stage.folder });
    await eventually(async () => JSON.stringify(await rules()).includes('elsewhere'), 'the rule');
    await page.getByRole('button', { name: 'Undo…' }).click();
    await page.getByRole('dialog').getByText('made.txt').waitFor();
    await page.getByRole('button', { name: 'Delete 1 path' }).click();
    await page.getByText('1 path deleted').waitFor();
    expect(existsSync(stage.path('made.txt'))).toBe(false);
    const { state } = await stage.server.client.getStream(id);
    expect(state).toMatchObject({ marks: [] });
  });

  test('with a barrier planted on it is found out', async () => {
    const page = await stage.open('/new');
    await page.getByLabel('Goal').waitFor();
    await page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend',
      '<p style="position:fixed;top:60px;left:9px;z-index:99;color:#777;background:#888">hard to read</p><button></button>')`);
    const found = await barriers(page);
    expect(found.map((line) => line.split(':')[0]).toSorted()).toEqual(['button-name', 'color-contrast']);
  });

  test('fits a phone: nothing is wider than the screen, and a step can be decided on', async () => {
    const id = await stage.begin(['echo one', 'rm -f gone.txt'], {
      goal: 'A goal that is rather long for a phone, as goals often are',
    });
    const page = await stage.open('/', {
      own: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    });
    const overflow = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(await overflow()).toBe(0);
    await page.goto(`${stage.server.url}/runs/${id}`);
    await page.getByTestId('dock').waitFor();
    expect(await overflow()).toBe(0);
    await page
      .getByTestId('dock')
      .getByRole('button', { name: /^Delete/ })
      .tap();
    await page.getByText('Done: all 2 steps').waitFor();
    await page.getByRole('button', { name: /^1 Step 1/ }).tap();
    await page.getByRole('log').getByText('one').waitFor();
    expect(await overflow()).toBe(0);
    await page.getByRole('button', { name: 'All steps' }).tap();
    await page.getByRole('navigation', { name: 'Steps' }).waitFor();
  });

  test('fits a tablet and a phone: no line, no button and no field leads out of the screen', async () => {
    const [waiting] = await Promise.all([
      stage.begin(['echo one', `rm -rf ${'a-folder-with-a-rather-long-name '.repeat(12)}`], {
        goal: 'Wait for an approval of much',
      }),
      stage.begin(['rm -rf build'], { goal: 'Wait, too' }),
    ]);
    await stage.until(waiting, ({ status }) => status === 'waiting');
    const page = await stage.open('/');
    const out = () =>
      page.evaluate(`[...document.querySelectorAll('header > *, header a, header button, main button, main input, main .cm-editor')]
        .filter((it) => it.checkVisibility() && it.closest('.sr-only, .overflow-x-auto') === null)
        .filter((it) => it.getBoundingClientRect().right > innerWidth + 0.5)
        .map((it) => it.outerHTML.slice(0, 120))`);
    const plan = `goal: x\nplan:\n  - step: a\n    action: RUN_COMMAND echo ${'long '.repeat(60)}\n`;
    for (const [width, height] of [
      [1440, 900],
      [820, 1100],
      [768, 1024],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const path of ['/', '/new', '/fleet', '/tasks', '/guard', '/chats', `/runs/${waiting}`]) {
        await goTo(page, path);
        await page.getByRole('banner').waitFor();
        if (path === '/') await page.getByText('Wait, too').first().waitFor();
        if (path === '/new')
          await page
            .getByLabel('Runbook or plan file', { exact: true })
            .setInputFiles({ name: 'plan.yaml', mimeType: 'text/plain', buffer: Buffer.from(plan) });
        if (path === '/new') await page.locator('.cm-content').waitFor();
        if (path.startsWith('/runs/')) await page.getByTestId('dock').waitFor();
        expect(await out(), `${path} at ${width}`).toEqual([]);
      }
      // However much would be touched, what can be done about it is in sight.
      const dock = (await page.getByTestId('dock').boundingBox())!;
      const deny = (await page.getByRole('button', { name: 'Deny', exact: true }).boundingBox())!;
      expect(deny.y + deny.height, `Deny at ${width}`).toBeLessThanOrEqual(dock.y + dock.height);
    }
  });

  test('shows script in goals, titles, output and file names as text', async () => {
    const id = await stage.begin(
      [
        { step: `Title ${evil}`, action: `RUN_COMMAND printf '%s\\n' '${evil}'` },
        { step: 'Name', action: `RUN_COMMAND touch '<img src=x onerror=window.__ran=1>'` },
        {
          step: `Fails ${evil}`,
          action: `RUN_COMMAND printf '%s\\n' '${evil}' >&2; exit 1`,
          expects: `stdout contains ${evil}`,
        },
      ],
      { goal: `Goal ${evil}` },
    );
    await stage.until(id, ({ status }) => status === 'failed');
    const page = await stage.open('/');
    await page.getByText(`Goal ${evil}`).first().waitFor();
    for (const tab of ['output', 'result', 'changes', 'attempts', 'story', 'events']) {
      await goTo(page, `/runs/${id}?tab=${tab}&step=s1`);
      await page.getByText(`Title ${evil}`).first().waitFor();
    }
    await goTo(page, `/runs/${id}?step=s1`);
    await page.getByRole('log').getByText(evil).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('img');
    await page.getByRole('option').first().waitFor();
    expect(await page.evaluate('window.__ran')).toBeUndefined();
    expect(await page.locator('img').count()).toBe(0);
  });

  test('can be reached by keys alone', async () => {
    const page = await stage.open('/');
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'What should be done?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Goal').blur();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('h');
    await page.getByText('Runs', { exact: true }).or(page.getByText('No runs yet')).first().waitFor();
  });
});
