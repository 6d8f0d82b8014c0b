import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Step } from '../../src/core/contract/index.ts';
import { openSite, type Site } from '../crash/site.ts';
import { hasPostgres } from '../support/postgres.ts';
import { openProxy, type PostgresProxy } from '../support/postgres-proxy.ts';
import { eventually, processesOf } from '../support/processes.ts';

/** Leaves a line as often as it can, until somebody lets it end. */
const busy: Step = {
  id: 's1',
  title: 'Work on',
  action: {
    kind: 'run-command',
    command: 'while [ ! -e go ]; do echo on >> effects.txt; sleep 0.05; done',
  },
};

describe.skipIf(!hasPostgres)('a driver whose PostgreSQL cannot be reached', () => {
  let site: Site;
  let proxy: PostgresProxy;
  beforeEach(async () => {
    site = await openSite({}, 'PostgreSQL');
    proxy = await openProxy(site.database!);
  });
  afterEach(async () => {
    await proxy.close();
    await site.close();
  });

  const begin = async (ttl: number) => {
    const run = await site.runOf([busy]);
    const env = { PLANWRIGHT_DATABASE_URL: proxy.url, CLAIM_TTL: String(ttl) };
    let driver = site.driver(run, undefined, env);
    await eventually(() => {
      if (site.effects().length > 0) return true;
      // Where the machine is busy, so short a claim may be given up before the first step: then another begins.
      if (driver.child.exitCode !== null) driver = site.driver(run, undefined, env);
      return false;
    }, 'it works');
    return { run, driver };
  };
  const working = async (lines: number) => {
    const until = site.effects().length + lines;
    await eventually(() => site.effects().length >= until, 'it goes on');
  };
  const types = async (run: string) => (await site.journal(run)).map(({ event }) => event.type);

  test('for less than half its time-to-live goes on, and writes what came of it when it can', async () => {
    const { run, driver } = await begin(3_600_000);
    proxy.cut();
    await working(20);
    writeFileSync(join(site.workspace, 'go'), '');
    await eventually(() => processesOf(run).length === 0, 'the step has ended');
    expect(await types(run)).not.toContain('step-completed');
    proxy.heal();
    const ended = await driver.ended;
    expect(ended.stdout, ended.stderr).toContain('"done"');
    expect((await types(run)).filter((type) => type === 'step-started')).toHaveLength(1);
  });

  test('for half its time-to-live ends what it started while nobody else may begin', async () => {
    const { run, driver } = await begin(16_000);
    const before = await site.journal(run);
    proxy.cut();
    // Nobody else is there to end it.
    await eventually(async () => {
      const isFree = (await site.app.streams.row(run))?.undrivenSince !== undefined;
      const isOver = processesOf(run).length === 0;
      expect(isFree && !isOver, 'another may begin, and it still works').toBe(false);
      return isOver;
    }, 'it is ended by its own driver');
    const lines = site.effects().length;
    expect(await site.journal(run)).toEqual(before);
    proxy.heal();
    expect((await driver.ended).stdout).toContain('"lost"');
    expect(await site.journal(run), 'nor does it write later').toEqual(before);

    await site.goOn(run);
    expect(await site.app.runs.state(run)).toMatchObject({
      status: 'waiting',
      interrupted: { stepId: 's1' },
    });
    expect(site.effects()).toHaveLength(lines);
  });

  test('because it sleeps past its time-to-live writes nothing more, and what it started is ended', async () => {
    const { run, driver } = await begin(6000);
    await site.putToSleep(driver);
    const isTaken = async () => (await site.app.runs.drive(run)).why !== 'claimed';
    await eventually(isTaken, 'another has taken it');
    const after = await site.journal(run);
    expect(await site.app.runs.state(run)).toMatchObject({ status: 'waiting' });
    expect(processesOf(run), 'by whoever took it').toEqual([]);
    driver.child.kill('SIGCONT');
    expect((await driver.ended).stdout).toContain('"lost"');
    expect(await site.journal(run)).toEqual(after);
    expect(processesOf(run)).toEqual([]);
  });
});
