import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longPlan, writeLongRun } from '../../bench/page/long-run.ts';
import { defaultOptions, hashPlan, type RunEvent } from '../../src/core/contract/index.ts';
import { runKind } from '../../src/core/run/index.ts';
import { kindsOf } from '../../src/core/stream/index.ts';
import { openStore } from '../../src/world/store/index.ts';
import { eventually } from '../support/processes.ts';
import { howMany } from '../support/scale.ts';
import { sentence } from './page.ts';
import { describeWeb, useStage } from './support.ts';

const EVENTS = howMany(50_000, 10_000);

describeWeb('a run with a long past', () => {
  const stage = useStage();

  test('that nobody drives is said to have no driver, and for how long', async () => {
    const driver = { pid: process.pid, host: 'elsewhere', boot: 'test' };
    const dir = join(stage.bench.home, 'data');
    const store = await openStore<RunEvent>({ kinds: kindsOf(runKind), dir, driver });
    const plan = longPlan(3);
    const place = { host: 'elsewhere', boot: 'b', workspace: stage.folder };
    const common = { v: 1, at: Date.now() - 90_000 } as const;
    const events: RunEvent[] = [
      { ...common, type: 'plan-created', plan, hash: hashPlan(plan), place, options: defaultOptions },
      { ...common, type: 'plan-confirmed', revision: 0, answers: 1 },
    ];
    await store.begin('left', { kind: 'run', id: 'begin', events });
    await store.close();
    const page = await stage.open('/runs/left');
    await sentence(page, /^Preparing step 1 of 3: no driver for \d/);
  });

  test('is opened with what is in sight; older events are read where they are scrolled to or looked for', async () => {
    const driver = { pid: process.pid, host: 'test', boot: 'test' };
    const dir = join(stage.bench.home, 'data');
    const store = await openStore<RunEvent>({ kinds: kindsOf(runKind), dir, driver });
    await writeLongRun(store, 'long', EVENTS);
    await store.close();
    const page = await stage.open('/');
    const read: number[] = [];
    page.on('response', async (answer) => {
      if (!/\/runs\/long\/events\?/.test(answer.url())) return;
      read.push(((await answer.json()) as { events: unknown[] }).events.length);
    });
    await page.goto(`${stage.server.url}/runs/long`);
    const steps = page.getByRole('navigation', { name: 'Steps' });
    const last = EVENTS / 5;
    await steps.getByText(`Step number ${last}`, { exact: true }).waitFor();
    const risks = steps.getByTitle(/^Risk/);
    await risks.first().waitFor();
    await page.getByRole('tab', { name: 'Result' }).click();
    await page.getByText('known-safe').waitFor();
    expect(read).toEqual([1000]);
    // What was not read is read when it comes into sight.
    await page.evaluate("document.querySelector('nav[aria-label=Steps] ol').parentElement.scrollTo(0, 0)");
    const first = steps.getByRole('listitem').filter({ hasText: /Step number 1\b/ });
    await first.getByTitle(/^Risk/).waitFor();
    await eventually(() => read.reduce((sum, n) => sum + n, 0) >= EVENTS, 'the whole past');
    expect(read.length).toBeLessThan(20);

    // Another page, which knows nothing yet, looks at the journal's beginning only.
    read.length = 0;
    await page.goto(`${stage.server.url}/runs/long?tab=events`);
    const events = page.getByRole('list', { name: 'Events' });
    await events.getByText('plan-confirmed').waitFor();
    await events.getByText('step-judged').first().waitFor();
    expect(read.reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(1400);
    await page.getByLabel('Filter events').fill('run-finished');
    await events.getByText('run-finished').waitFor();
    await page.getByRole('tab', { name: 'Story' }).click();
    const story = page.getByRole('list', { name: 'Story' });
    await story.getByText('Plan agreed').waitFor();
    expect(await story.getByRole('listitem').count()).toBeLessThan(100);
  });
});
