import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunOptions } from '../../src/core/contract/index.ts';
import { crashPoints } from '../../src/core/stream/index.ts';
import { createRandom } from '../simulation/random.ts';
import { eventually, processesOf } from '../support/processes.ts';
import { howMany, isFullLength } from '../support/scale.ts';
import { openSite, resumeAndCheck, type Site, stores } from './site.ts';

let site: Site;
beforeEach(async () => {
  site = await openSite();
});
afterEach(() => site.close());

describe('killed at a named point', () => {
  const deaths = crashPoints.flatMap((point, at) =>
    (isFullLength ? [1, 2, 3] : [1 + (at % 3)]).map((nth) => `${point}:${nth}`),
  );
  it.each(deaths)('%s', async (death) => {
    const run = await site.newRun();
    const ended = await site.driver(run, death).ended;
    expect(ended.signal, 'it died there').toBe('SIGKILL');
    await resumeAndCheck(site, run);
  });

  it('twice in a row, the second time while recovering', async () => {
    const run = await site.newRun();
    expect((await site.driver(run, 'after-record:2').ended).signal).toBe('SIGKILL');
    expect((await site.driver(run, 'after-work:1').ended).signal).toBe('SIGKILL');
    await resumeAndCheck(site, run);
  });
});

describe('killed at a random moment', () => {
  const random = createRandom(20261115);
  const delays = Array.from({ length: howMany(52, 3) }, () => random.int(420));
  it.each(delays.map((delay, index) => [index, delay] as const))('%i: after %i ms', async (_index, delay) => {
    const run = await site.newRun();
    const driver = site.driver(run);
    await driver.says('ready');
    const timer = setTimeout(() => driver.child.kill('SIGKILL'), delay);
    const { signal } = await driver.ended;
    clearTimeout(timer);
    if (signal === null) expect((await site.app.runs.state(run)).status).toBe('done');
    else await resumeAndCheck(site, run);
  });
});

describe('two at once', () => {
  /** A run whose first step has left its line and goes on until it is let go: however late that is noticed. */
  const heldRun = (options: Partial<RunOptions> = {}) => {
    const commands = [`${leave('s1')}; until test -f go; do sleep 0.02; done`, leave('s2'), leave('s3')];
    const steps = commands.map((command, index) => ({
      id: `s${index + 1}`,
      title: `Effect s${index + 1}`,
      action: { kind: 'run-command' as const, command },
    }));
    return site.runOf(steps, options);
  };
  const leave = (line: string) => `echo ${line} >> effects.txt`;
  const letGo = () => writeFileSync(join(site.workspace, 'go'), '');
  const effects = ['s1', 's2', 's3'];

  it('two drivers on one run: the second cannot claim, and takes over when the first is killed', async () => {
    const run = await heldRun();
    const first = site.driver(run);
    await eventually(() => site.effects().length > 0, 'the first works');
    const rested = await site.app.runs.drive(run);
    expect(rested.why).toBe('claimed');
    expect(rested.by?.pid).toBe(first.child.pid);
    first.child.kill('SIGKILL');
    await first.ended;
    letGo();
    await resumeAndCheck(site, run, effects);
  });

  it('two runs on one workspace: the second begins no work', async () => {
    const first = await heldRun();
    const second = await site.newRun(6);
    const driver = site.driver(first);
    await eventually(() => site.effects().length > 0, 'the first works');
    const rested = await site.app.runs.drive(second);
    expect(rested).toMatchObject({ why: 'workspace-busy', busyWith: first });
    // What was asked of it is answered all the same; a folder is needed for work alone.
    expect((await site.journal(second)).map(({ event }) => event.type)).toEqual([
      'plan-created',
      'plan-decided',
      'driver-claimed',
      'plan-confirmed',
    ]);
    letGo();
    expect((await driver.ended).code).toBe(0);
    expect(site.effects()).toEqual(effects);
  });

  it.each(stores)('a driver that was asleep while another took over writes nothing more: %s', async (on) => {
    if (on !== 'SQLite') {
      await site.close();
      site = await openSite({}, on);
    }
    const run = await heldRun({ onInterrupt: 'rerun' });
    // So short a claim may be given up before the first step where the machine is busy: then another begins.
    let sleeper = site.driver(run, undefined, { CLAIM_TTL: '3000' });
    await eventually(() => {
      if (site.effects().length > 0) return true;
      if (sleeper.child.exitCode !== null) sleeper = site.driver(run, undefined, { CLAIM_TTL: '3000' });
      return false;
    }, 'it works');
    await site.putToSleep(sleeper);
    letGo();
    const atSleep = (await site.journal(run)).length;
    await eventually(async () => (await site.app.runs.drive(run)).why === 'finished', 'another took over');
    const finished = await site.journal(run);
    expect(finished.length).toBeGreaterThan(atSleep);
    sleeper.child.kill('SIGCONT');
    const ended = await sleeper.ended;
    expect(ended.stdout).toContain('"lost"');
    expect(await site.journal(run)).toEqual(finished);
    expect(processesOf(run)).toEqual([]);
  });
});
