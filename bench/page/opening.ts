import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { defaultOptions, hashPlan, type RunEvent } from '../../src/core/contract/index.ts';
import { median, type Row } from '../row.ts';
import { memoryOf, type Serving } from '../server/serving.ts';
import { longPlan, writeLongRun } from './long-run.ts';
import { type BenchStage, onStage } from './stage.ts';

const STEPS = 5000;
const EVENTS = 50_000;
const TIMES = 3;

/** Bytes on the wire of all that the page has asked for since it was opened, streams left out, as the browser counts them. */
const wire = (page: Page): Promise<number> =>
  page.evaluate(`[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(({ name }) => !name.includes('/stream'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);

async function openPage({ browser }: BenchStage, { address }: Serving): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto(address);
  await page.getByRole('banner').waitFor();
  return page;
}

/** From the address to the first of these, in a page whose files are there. */
async function shownAfter(page: Page, url: string, what: string): Promise<number> {
  const began = performance.now();
  await page.goto(url);
  await page.locator(what).first().waitFor();
  return performance.now() - began;
}

/** The bare limit of any page: a document of the same server that is shown at once. */
async function bare(page: Page, url: string): Promise<number> {
  const times = [];
  for (let n = 0; n < TIMES; n++) times.push(await shownAfter(page, `${url}/healthz`, 'body'));
  return median(times);
}

async function firstLoad(stage: BenchStage): Promise<Row[]> {
  const page = await openPage(stage, stage.serving());
  await page.getByRole('heading', { name: /Runs|No runs yet/ }).waitFor();
  await page.evaluate('document.fonts.ready.then(() => null)');
  const kB = (await wire(page)) / 1000;
  await page.context().close();
  return [{ name: 'first load, on the wire, with fonts', value: kB, unit: 'kB', target: '<= 260' }];
}

async function agreeing(stage: BenchStage): Promise<Row[]> {
  const plan = longPlan(STEPS);
  const place = { host: 'bench', boot: 'bench', workspace: '/workspace' };
  const created = { type: 'plan-created', plan, hash: hashPlan(plan), place, options: defaultOptions };
  const events = [{ v: 1, at: Date.now(), ...created } as RunEvent];
  await stage.store.begin('agreeing', { kind: 'run', id: 'begin', events });
  const serving = await stage.anew();
  const page = await openPage(stage, serving);
  const limit = await bare(page, serving.url);
  const url = `${serving.url}/runs/agreeing`;
  const rows = 'ol[aria-label="Steps of the plan"] li';
  const times = [];
  for (let n = 0; n < TIMES; n++) times.push(await shownAfter(page, url, rows));
  const kB = (await wire(page)) / 1000;
  const nodes = (await page.evaluate('document.querySelectorAll("*").length')) as number;
  await page.context().close();
  const of = `agreeing on ${STEPS} steps`;
  const note = `a bare page of this server: ${Math.round(limit)} ms; the first time: ${Math.round(times[0]!)} ms`;
  return [
    { name: `${of}, to the first rows`, value: median(times), unit: 'ms', target: '< 1000', note },
    { name: `${of}, on the wire`, value: kB, unit: 'kB' },
    { name: `${of}, elements`, value: nodes, unit: 'nodes', target: '< 2000' },
  ];
}

/** What the page asks for first. */
const look = async ({ url, token }: Serving) =>
  (await fetch(`${url}/api/runs/long/look`, { headers: { authorization: `Bearer ${token}` } })).text();

async function opening(stage: BenchStage): Promise<Row[]> {
  await writeLongRun(stage.store, 'long', EVENTS);
  const unknown = await stage.anew();
  const began = performance.now();
  await look(unknown);
  const folded = performance.now() - began;
  // From here on there is a snapshot, as the driver of a run leaves one.
  const serving = await stage.anew();
  const page = await openPage(stage, serving);
  const resting = memoryOf(serving);
  const limit = await bare(page, serving.url);
  const rows = 'nav[aria-label=Steps] li [title^=Risk]';
  const url = `${serving.url}/runs/long`;
  const first = await shownAfter(page, url, rows);
  const kB = (await wire(page)) / 1000;
  const again = await shownAfter(page, url, rows);
  const { events } = (await (
    await fetch(`${url.replace('/runs', '/api/runs')}/events?limit=5000`, {
      headers: { authorization: `Bearer ${serving.token}`, 'accept-encoding': 'identity' },
    })
  ).json()) as { events: unknown[] };
  const whole = ((JSON.stringify(events).length / events.length) * EVENTS) / 1e6;
  const peak = memoryOf(serving);
  await page.context().close();
  await sleep(30_000);
  const later = memoryOf(serving);
  const of = `opening a run of ${EVENTS} events`;
  const note = `a bare page of this server: ${Math.round(limit)} ms; again: ${Math.round(again)} ms; folding all of it: ${Math.round(folded)} ms`;
  return [
    { name: `${of}, to the first rows`, value: first, unit: 'ms', target: '< 2000', note },
    {
      name: `${of}, on the wire`,
      value: kB,
      unit: 'kB',
      target: '<= 1000',
      note: `its journal: ${whole.toFixed(1)} MB`,
    },
    {
      name: 'memory of the server, 30 s after that',
      value: later,
      unit: 'MB',
      target: '< 250',
      note: `before: ${Math.round(resting)} MB, right after: ${Math.round(peak)} MB`,
    },
  ];
}

/** What people wait for, from the address to what they came for; and what it costs the server. */
export const benchOpening = (): Promise<Row[]> =>
  onStage(async (stage) => [
    ...(await firstLoad(stage)),
    ...(await agreeing(stage)),
    ...(await opening(stage)),
  ]);
