import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { defaultOptions, hashPlan, type Plan, type RunEvent } from '../../src/core/contract/index.ts';
import { runKind } from '../../src/core/run/index.ts';
import { kindsOf } from '../../src/core/stream/index.ts';
import { openStore } from '../../src/world/store/index.ts';
import { describeWeb, useStage } from './support.ts';

/** Counts how often rows of steps are touched by the page. */
const watchRows = `
  window.__touched = new Set();
  new MutationObserver((records) => {
    for (const { target } of records) {
      const row = (target.nodeType === 1 ? target : target.parentElement)?.closest('nav[aria-label=Steps] li');
      const name = row?.textContent.match(/Step number (\\d+)/)?.[1];
      if (name) window.__touched.add(Number(name));
    }
  }).observe(document.querySelector('nav[aria-label=Steps]'), { subtree: true, childList: true, characterData: true, attributes: true });
`;

const result = {
  exitCode: 0,
  signal: null,
  durationMs: 5,
  expectation: null,
  stdoutTail: '',
  stderrTail: '',
  outputBytes: 0,
  outputTruncated: false,
};

describeWeb('a page with very much on it', () => {
  const stage = useStage();

  test('agreeing on 5,000 steps: only those in sight are there, to the last one', async () => {
    const steps = Array.from({ length: 5000 }, (_, n) => (n === 3000 ? 'rm -rf old' : `echo ${n}`));
    const id = await stage.begin(steps, { agreed: false, goal: 'Very long' });
    const page = await stage.open(`/runs/${id}`);
    const rows = page.getByRole('list', { name: 'Steps of the plan' }).getByRole('listitem');
    await rows.first().waitFor();
    expect(await rows.count()).toBeLessThan(60);
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(2000);
    await page.evaluate(
      `document.querySelector('ol[aria-label="Steps of the plan"]').parentElement.parentElement.scrollTo(0, 1e9)`,
    );
    await page.getByText('echo 4999', { exact: true }).waitFor();
    // However many there are, what is dangerous among them is said before anybody agrees.
    await page.getByRole('button', { name: 'Run 5,000 steps, 1 dangerous' }).waitFor();
  });

  test('5,000 steps: only those in sight are there, and only those that change are drawn again', async () => {
    const plan: Plan = {
      goal: 'Five thousand steps',
      shell: 'bash',
      revision: 0,
      steps: Array.from({ length: 5000 }, (_, n) => ({
        id: `s${n + 1}`,
        title: `Step number ${n + 1}`,
        action: {
          kind: 'run-command',
          command: n === 4 ? 'while [ ! -e go ]; do sleep 0.1; done' : `echo ${n}`,
        },
      })),
    };
    const { client } = stage.server;
    const { id } = await client.createRun({ source: { plan }, agreed: true, workspace: stage.folder });
    const page = await stage.open(`/runs/${id}`);
    const rows = page.getByRole('navigation', { name: 'Steps' }).getByRole('listitem');
    await page.getByText('Running step 5 of 5000').waitFor();
    // The past has been read, too: every step that ran shows how it was judged.
    await rows.nth(3).getByTitle(/^Risk/).waitFor();
    expect(await rows.count()).toBeLessThan(80);
    await page.evaluate(watchRows);
    await page.evaluate(
      `fetch('/api/runs/${id}/requests', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ request: { type: 'pause-requested' } }) })`,
    );
    writeFileSync(stage.path('go'), '');
    await page.getByText('Paused before step 6 of 5000').waitFor();
    const touched = (await page.evaluate('[...window.__touched]')) as number[];
    expect(touched).toContain(5);
    expect(touched.filter((number) => number < 4 || number > 7)).toEqual([]);
    await page.getByText('Step number 5', { exact: true }).waitFor();
    await client.request(id, { type: 'cancel-requested' });
  });

  test('200 events a second from another process: no row is touched but those that they are about', async () => {
    const plan: Plan = {
      goal: 'Written fast',
      shell: 'bash',
      revision: 0,
      steps: Array.from({ length: 5000 }, (_, n) => ({
        id: `s${n + 1}`,
        title: `Step number ${n + 1}`,
        action: { kind: 'run-command', command: `echo ${n}` },
      })),
    };
    const driver = { pid: process.pid, host: 'test', boot: 'test' };
    const store = await openStore<RunEvent>({
      kinds: kindsOf(runKind),
      dir: join(stage.bench.home, 'data'),
      driver,
    });
    const run = 'written-fast';
    const append = async (id: string, ...facts: object[]) => {
      const events = facts.map((fact) => ({ v: 1, at: Date.now(), ...fact }) as RunEvent);
      expect(await store.append(run, { id, events })).toMatchObject({ ok: true });
    };
    try {
      const options = { ...defaultOptions, mode: 'planner' };
      const made = {
        type: 'plan-created',
        plan,
        hash: hashPlan(plan),
        place: { host: 'h', boot: 'b', workspace: stage.folder },
        options,
      };
      const first = [{ v: 1, at: Date.now(), ...made } as RunEvent];
      await store.begin(run, { kind: 'run', id: 'made', events: first });
      // Whoever drives it is this process, so the server only tells.
      expect(await store.claim(run)).toMatchObject({ ok: true });
      await append('agreed', { type: 'plan-confirmed', revision: 0, answers: 1 });
      const page = await stage.open(`/runs/${run}?step=s1`);
      await page.getByText('Step number 5', { exact: true }).waitFor();
      await page.evaluate(watchRows);
      const touched = async () => (await page.evaluate('[...window.__touched]')) as number[];
      for (let n = 1; n <= 100; n++) {
        const which = { stepId: `s${n}`, attemptIndex: 0 };
        await append(`b${n}`, {
          type: 'step-started',
          ...which,
          revision: 0,
          fingerprint: 'f',
          cwd: '/',
          deadline: null,
        });
        if (n === 11) {
          await page.getByText('Running step 11 of 5000').waitFor();
          await page.getByText('Step number 20', { exact: true }).waitFor();
          expect(Math.max(...(await touched()))).toBeLessThanOrEqual(11);
        }
        await append(`e${n}`, { type: 'step-completed', ...which, result, by: 'driver' });
        await pause(10);
      }
      await append('last', {
        type: 'step-started',
        stepId: 's101',
        attemptIndex: 0,
        revision: 0,
        fingerprint: 'f',
        cwd: '/',
        deadline: null,
      });
      await page.getByText('Running step 101 of 5000').waitFor();
      expect(await touched()).toContain(1);
      expect(Math.max(...(await touched()))).toBeLessThanOrEqual(101);
    } finally {
      await store.close();
    }
  });

  test('70,000 lines of output: only those in sight are there, the last can be linked to, any can be found', async () => {
    const id = await stage.begin([
      "seq -f 'line %.0f of a log with some text in it, to make it long enough' 1 70000",
    ]);
    await stage.until(id, ({ ended }) => ended);
    const page = await stage.open(`/runs/${id}?tab=output`);
    const lines = page.getByRole('log').getByRole('link');
    await page.getByText('70,000 lines').waitFor();
    await page.getByRole('log').getByText('line 70000 of').waitFor();
    expect(await lines.count()).toBeLessThan(120);
    await page.keyboard.press('/');
    await page.getByLabel('Search in the output').fill('line 34567 ');
    await page.getByRole('log').getByText('line 34567 ').waitFor();
    await page.getByRole('link', { name: 'Line 34567' }).click();
    await page.waitForURL((url) => url.searchParams.get('line') === '34567');
    await page.reload();
    await page.getByRole('log').getByText('line 34567 of').waitFor();
  });
});
