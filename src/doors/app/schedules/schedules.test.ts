import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { someone } from '../../../../test/support/someone.ts';
import type { ScheduleAgreement, ScheduleEvent } from '../../../core/contract/schedules/index.ts';
import { keptSchedules } from '../../../core/schedules/kept.ts';
import { kindsOf } from '../../../core/stream/index.ts';
import { thisDriver } from '../../../world/process/identity.ts';
import { openStore } from '../../../world/store/index.ts';
import { placeOf } from '../../../world/workspace/index.ts';
import { type App, openApp } from '../app.ts';
import { createSchedules } from './schedules.ts';

let folder: string;
let apps: App[];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pw-schedules-')));
  apps = [];
});
afterEach(async () => {
  for (const app of apps) await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = async (variables: Record<string, string> = {}): Promise<App> => {
  const env = { PATH: process.env['PATH'], HOME: folder, PLANWRIGHT_HOME: join(folder, 'home') };
  const app = await openApp({ cwd: folder, env: { ...env, ...variables } });
  apps.push(app);
  return app;
};
const write = (command: string, more: object = {}) =>
  writeFileSync(
    join(folder, 'plan.yaml'),
    JSON.stringify({ goal: 'Back up', ...more, plan: [{ step: 'One', run: command }] }),
  );
const by = { by: someone };
const wanted = { file: 'plan.yaml', cron: '0 3 * * *', tz: 'Europe/Berlin' };

async function agreementFor(app: App, more: object = {}): Promise<ScheduleAgreement> {
  const read = await app.schedules.read({ ...wanted, ...more }, folder);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.agreement;
}
const add = async (app: App, more: object = {}) =>
  app.schedules.add({ workspace: folder, agreement: await agreementFor(app, more), by: someone });
const runNow = async (app: App, id: string) => {
  const answer = await app.schedules.ask(id, { type: 'run-requested' }, by);
  return answer.ok ? answer.run! : null;
};

it('runs what was agreed to when it is asked for, is told of its end, and says when it is due', async () => {
  write('echo "$GREETING" > out', { inputs: [{ name: 'who' }] });
  const app = await open({ GREETING: 'hello' });
  const id = await add(app, { inputs: { who: 'ana' } });
  const run = (await runNow(app, id))!;
  await app.runs.drive(run);
  expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('hello\n');
  expect(await app.streams.row(run)).toMatchObject({ state: 'done', scheduled: { schedule: id } });
  expect(await app.runs.state(run)).toMatchObject({ options: { inputs: { who: 'ana' }, onAsk: 'wait' } });
  await app.streams.drive(id);
  const row = await app.schedules.find('Back up');
  expect(row).toMatchObject({ id, state: 'active', last: { run, state: 'done' }, goesOn: false });
  expect(row.wakeAt).toBe((await app.schedules.times(id, 1))[0]);
  expect(row.wakeAt).toBeGreaterThan(Date.now());
});

describe('what was agreed to is what runs, or nothing does', () => {
  it('waits where the file says something else, and is listed with what waits for a person', async () => {
    write('echo one > out');
    const app = await open();
    const id = await add(app);
    const { hash } = await agreementFor(app);
    write('echo two > out');
    await expect(runNow(app, id)).rejects.toThrow('is not what was agreed to any more');
    expect(await app.schedules.waiting(9)).toMatchObject([{ id, state: 'changed', wakeAt: null }]);
    await expect(app.schedules.agree(id, hash, by)).rejects.toThrow('look at it again');
    const read = await app.schedules.readAgain(id);
    await app.schedules.agree(id, read.ok ? read.agreement.hash : '', by);
    await app.runs.drive((await runNow(app, id))!);
    expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('two\n');
    expect(await app.schedules.waiting(9)).toEqual([]);
  });

  it('waits where the file is gone, and where a variable that the plan names is not set', async () => {
    write('echo "$TARGET" > out');
    const id = await add(await open({ TARGET: 'here' }));
    const bare = await open();
    await expect(runNow(bare, id)).rejects.toThrow('TARGET: not set where it would run');
    const full = apps[0]!;
    await full.schedules.agree(id, (await agreementFor(full)).hash, by);
    rmSync(join(folder, 'plan.yaml'));
    await expect(runNow(full, id)).rejects.toThrow('there is no file plan.yaml');
  });

  it('does not begin beside a run that is not over, nor what is removed', async () => {
    write('true');
    const app = await open();
    const id = await add(app);
    const run = await runNow(app, id);
    await expect(runNow(app, id)).rejects.toThrow(`its run ${run} is not over`);
    await app.schedules.ask(id, { type: 'remove-requested' }, by);
    await expect(runNow(app, id)).rejects.toThrow('it has been removed');
    expect(await app.schedules.list()).toEqual([]);
  });

  it('asks a person about what is dangerous, whatever was agreed to', async () => {
    write('rm -rf out');
    const app = await open();
    const run = (await runNow(app, await add(app, { choices: { onAsk: 'fail' } })))!;
    const { state } = await app.runs.drive(run);
    expect(state).toMatchObject({ stopReason: 'approval-needed' });
  });

  it('takes no plan that needs somebody at a terminal, and no times that cannot be', async () => {
    writeFileSync(
      join(folder, 'plan.yaml'),
      JSON.stringify({ goal: 'g', plan: [{ step: 'Sign in', run: 'true', interactive: true }] }),
    );
    const app = await open();
    await expect(agreementFor(app)).rejects.toThrow('has to be answered at a terminal');
    write('true');
    await expect(agreementFor(app, { cron: '0 3 * *' })).rejects.toThrow('says no times');
    await expect(agreementFor(app, { tz: 'Mars/North' })).rejects.toThrow('no time zone');
  });
});

/** Once a year, and about half a year ago: no test runs at its time. */
const halfYearAgo = `0 0 1 ${((new Date().getUTCMonth() + 6) % 12) + 1} *`;

/** One whose time has come, as a store holds it. */
async function overdue(
  app: App,
  due: number,
  missed: 'once' | 'skip' = 'once',
  id = 'overdue',
): Promise<string> {
  const agreement = await agreementFor(app, { missed, cron: halfYearAgo, tz: 'UTC' });
  const place = await placeOf(folder);
  const at = { v: 1 as const, at: due - 1000 };
  const events: ScheduleEvent[] = [
    {
      ...at,
      type: 'schedule-added',
      schedule: id,
      name: 'n',
      place,
      agreement,
      sealed: [],
      by: someone.actor,
    },
    { ...at, type: 'due-set', due },
  ];
  const kinds = kindsOf(keptSchedules);
  const store = await openStore<ScheduleEvent>({ dir: app.places.data, driver: thisDriver(), kinds });
  await store.begin(id, { kind: 'schedule', id: 'begin', events });
  await store.close();
  return id;
}

describe('a time that has come', () => {
  it('is taken once by however many drive it', async () => {
    write('echo x >> out');
    const all = [await open(), await open(), await open()];
    const due = Date.now() - 1000;
    const id = await overdue(all[0]!, due);
    expect((await all[0]!.streams.due(Date.now(), 9)).map((row) => row.id)).toEqual([id]);
    await Promise.all(all.map((app) => app.streams.drive(id)));
    for (const app of all) await app.streams.drive(id);
    const events = (await all[1]!.streams.read(id, 0)).map(({ event }) => event as unknown as ScheduleEvent);
    const fired = events.filter(({ type }) => type === 'fired');
    expect(fired).toMatchObject([{ how: 'time', due }]);
    expect(await all[2]!.runs.list()).toHaveLength(1);
  });

  it('was missed: it is left out where that was said, and otherwise one run stands for all', async () => {
    write('true');
    const app = await open();
    const long = Date.now() - 3 * 366 * 24 * 3_600_000;
    await app.streams.drive(await overdue(app, long, 'skip'));
    expect(await app.schedules.find('overdue')).toMatchObject({
      last: null,
      leftOut: { why: 'missed', count: 3 },
    });
    expect(await app.runs.list()).toEqual([]);
    await app.schedules.ask('overdue', { type: 'remove-requested' }, by);
    const id = await overdue(app, long, 'once', 'again');
    await app.streams.drive(id);
    expect((await app.schedules.state(id)).firings).toMatchObject([{ why: null, count: 3 }]);
    expect(await app.runs.list()).toHaveLength(1);
  });
});

describe('who asked where the store fails', () => {
  const failing = (tail: () => AsyncIterable<never>, drive: () => Promise<unknown>) => {
    const seen: AbortSignal[] = [];
    const streams = {
      state: async () => ({ place: { host: 'h' } }),
      request: async () => 7,
      drive,
      tail(_id: string, _after: number, signal: AbortSignal) {
        seen.push(signal);
        return tail();
      },
    };
    const given = { store: { kindOf: async () => 'schedule' }, streams } as unknown;
    const { ask } = createSchedules(given as Parameters<typeof createSchedules>[0]);
    return { asked: ask('s', { type: 'pause-requested' }, by), seen };
  };

  it('is told, and nobody waits for an answer any more', async () => {
    const forEver = async function* () {
      await new Promise(() => {});
    };
    const { asked, seen } = failing(forEver, () => Promise.reject(new Error('planted')));
    await expect(asked).rejects.toThrow('planted');
    expect(seen.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('is told where it cannot be waited for, and nothing is left unheard', async () => {
    // biome-ignore lint/correctness/useYield: it fails before it has anything.
    const fails = async function* () {
      throw new Error('planted');
    };
    const { asked } = failing(fails, async () => ({ why: 'claimed' }));
    await expect(asked).rejects.toThrow('planted');
  });
});
