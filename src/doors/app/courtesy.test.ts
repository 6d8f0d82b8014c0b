import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { someone } from '../../../test/support/someone.ts';
import { defaultOptions } from '../../core/contract/index.ts';
import type { Clock } from '../../core/stream/index.ts';
import { type App, openApp } from './app.ts';
import { startDrivers } from './drivers.ts';

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'pw-courtesy-')));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Time that stands still; who sleeps how long can be seen, and each is woken by hand. */
function standingClock() {
  const sleepers: { ms: number; wake(): void }[] = [];
  const clock: Clock = {
    now: () => 1000,
    sleepUntil: (until, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
        sleepers.push({ ms: until - 1000, wake: resolve });
      }),
  };
  const sleeperOf = (ms: number) =>
    vi.waitUntil(() => sleepers.find((s) => s.ms === ms), { timeout: 120_000 });
  return { clock, sleeperOf };
}

test('a request that another process wrote is theirs to see to first, and taken up when they have not', async () => {
  const home = folder();
  const workspace = folder();
  const open = async (): Promise<App> => {
    const app = await openApp({ env: { HOME: home, PLANWRIGHT_HOME: home }, cwd: workspace });
    onTestFinished(() => app.close());
    return app;
  };
  const [app, terminal] = [await open(), await open()];
  const { clock, sleeperOf } = standingClock();
  const drive = vi.spyOn(app.streams, 'drive');
  const due = vi.spyOn(app.streams, 'due');
  const drivers = startDrivers(app, { onError: () => {}, courtesyMs: 1500, lookMs: 5000, clock });
  onTestFinished(() => drivers.stop());
  // It has had its look at what was there before: from here on it only follows.
  const looks = await sleeperOf(5000);
  const plan = { goal: 'g', shell: 'bash', revision: 0, steps: [] } as const;
  const id = await terminal.runs.create({
    plan: { ...plan, steps: [{ id: 's1', title: 't', action: { kind: 'run-command', command: 'true' } }] },
    workspace,
    options: defaultOptions,
    agreed: someone,
  });
  const courtesy = await sleeperOf(1500);
  // To look again meanwhile is no way around it.
  looks.wake();
  await vi.waitUntil(() => due.mock.calls.length > 1, { timeout: 120_000 });
  expect(due.mock.calls.map(([before]) => before)).toEqual([1000, 1000 - 1500]);
  expect(drive).not.toHaveBeenCalled();
  courtesy.wake();
  await vi.waitUntil(() => drive.mock.calls.some(([run]) => run === id), { timeout: 120_000 });
});
