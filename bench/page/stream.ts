import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { defaultOptions, hashPlan, type RunEvent } from '../../src/core/contract/index.ts';
import type { Store } from '../../src/core/stream/index.ts';
import type { Row } from '../row.ts';
import type { Serving } from '../server/serving.ts';
import { longPlan, result } from './long-run.ts';
import { onStage } from './stage.ts';

const STEPS = 5000;
const PER_SECOND = 200;
const SECONDS = 10;
const run = 'long';

const plan = longPlan(STEPS);

async function begin(store: Store<RunEvent>): Promise<void> {
  const common = { v: 1, at: Date.now() } as const;
  const events: RunEvent[] = [
    {
      ...common,
      type: 'plan-created',
      plan,
      hash: hashPlan(plan),
      place: { host: 'bench', boot: 'bench', workspace: '/workspace' },
      options: defaultOptions,
    },
    { ...common, type: 'plan-confirmed', revision: 0, answers: 1 },
  ];
  await store.begin(run, { kind: 'run', id: 'begin', events });
}

/** Begins and ends of steps, at an even pace, from this process. */
async function write(store: Store<RunEvent>): Promise<void> {
  const began = performance.now();
  for (let n = 0; n < PER_SECOND * SECONDS; n++) {
    const common = { v: 1, at: Date.now(), stepId: `s${(n >> 1) + 1}`, attemptIndex: 0 } as const;
    const event =
      n % 2 === 0
        ? { ...common, type: 'step-started', revision: 0, fingerprint: 'f', cwd: '/', deadline: null }
        : { ...common, type: 'step-completed', result, by: 'driver' };
    await store.append(run, { id: `n${n}`, events: [event as RunEvent] });
    await sleep(Math.max(0, began + ((n + 1) * 1000) / PER_SECOND - performance.now()));
  }
}

/** Tasks of 50 ms and more, as the browser reports them, kept by the page itself. */
const watchTasks = `
  window.__tasks = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.__tasks.push(entry.duration);
  }).observe({ type: 'longtask' });
`;

async function watch(page: Page, { url, address }: Serving, store: Store<RunEvent>): Promise<Row[]> {
  await page.goto(address);
  await page.getByRole('banner').waitFor();
  const opened = performance.now();
  await page.goto(`${url}/runs/${run}`);
  const rows = page.getByRole('navigation', { name: 'Steps' }).getByRole('listitem');
  await rows.first().waitFor();
  const shown = performance.now() - opened;
  await page.evaluate(watchTasks);
  const began = performance.now();
  await write(store);
  const rate = (PER_SECOND * SECONDS * 1000) / (performance.now() - began);
  await page
    .getByText(`${(PER_SECOND * SECONDS) / 2}/${STEPS}`)
    .or(rows.first())
    .first()
    .waitFor();
  const tasks = (await page.evaluate('window.__tasks')) as number[];
  const of = `${STEPS} steps, ${Math.round(rate)} events/s`;
  return [
    { name: `first view of a run, ${STEPS} steps`, value: shown, unit: 'ms', target: '< 1500' },
    { name: `longest task, ${of}`, value: Math.max(0, ...tasks), unit: 'ms', target: '< 200' },
    { name: `tasks over 50 ms in ${SECONDS} s, ${of}`, value: tasks.length, unit: 'tasks' },
  ];
}

/** A page on a long run to which another process writes fast. Nothing where there is no Chromium. */
export const benchWatching = (): Promise<Row[]> =>
  onStage(async ({ browser, serving, store }) => {
    await begin(store);
    // Whoever drives the run is this process, so the server only tells.
    await store.claim(run);
    return watch(await browser.newPage(), serving(), store);
  });
