import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Step } from '../../src/core/contract/index.ts';
import { crashPoints } from '../../src/core/stream/index.ts';
import { createRandom } from '../simulation/random.ts';
import { eventually, processesOf } from '../support/processes.ts';
import { howMany, someOf } from '../support/scale.ts';
import { someone } from '../support/someone.ts';
import { openSite, resumeAndCheck, type Site } from './site.ts';

let site: Site;
beforeEach(async () => {
  site = await openSite();
});
afterEach(() => site.close());

const loop: Step = {
  id: 's1',
  title: 'Go round',
  action: {
    kind: 'repeat',
    times: 4,
    do: { kind: 'run-command', command: 'echo s1-{index} >> effects.txt; sleep 0.03' },
  },
};
const lines = ['s1-0', 's1-1', 's1-2', 's1-3'];

const files: Step[] = ['s1', 's2', 's3'].map((id) => ({
  id,
  title: `Append ${id}`,
  action: { kind: 'append-file', path: 'effects.txt', content: `${id}\n` },
}));
files.unshift({ id: 's0', title: 'Begin', action: { kind: 'write-file', path: 'effects.txt', content: '' } });

const deaths = crashPoints.flatMap((point) => [2, 3].map((nth) => `${point}:${nth}`));
/** At a desk each kind dies at other ones of the points. */
const deathsOf = (kind: number) => someOf([...deaths.slice(kind), ...deaths.slice(0, kind)], 3);

describe('a loop killed between and in its items goes on at the right one', () => {
  it.each(deathsOf(0))('%s', async (death) => {
    const run = await site.runOf([loop]);
    expect((await site.driver(run, death).ended).signal).toBe('SIGKILL');
    await resumeAndCheck(site, run, lines);
  });

  const random = createRandom(7);
  it.each(Array.from({ length: howMany(8, 2) }, () => random.int(300)))(
    'at a random moment, %i ms',
    async (delay) => {
      const run = await site.runOf([loop]);
      const driver = site.driver(run);
      await driver.says('ready');
      const timer = setTimeout(() => driver.child.kill('SIGKILL'), delay);
      const { signal } = await driver.ended;
      clearTimeout(timer);
      if (signal !== null) await resumeAndCheck(site, run, lines);
    },
  );
});

describe('a file action killed at any point is done once, and nobody is asked', () => {
  it.each(deathsOf(1))('%s', async (death) => {
    const run = await site.runOf(files);
    expect((await site.driver(run, death).ended).signal).toBe('SIGKILL');
    const { asked } = await resumeAndCheck(site, run, ['s1', 's2', 's3']);
    expect(asked, 'one look tells whether a file action was done').toBe(false);
  });
});

describe('a service', () => {
  const serve = (extra: Step[]): Step[] => [
    {
      id: 's1',
      title: 'Serve',
      action: { kind: 'start', name: 'web', command: 'touch up; exec sleep 300', keep: false },
      expects: 'file exists up',
    },
    ...extra,
  ];

  it('survives its driver, is found again, and ends with its run', async () => {
    const wait = 'echo s2 >> effects.txt; until test -f go; do sleep 0.02; done';
    const run = await site.runOf(
      serve([{ id: 's2', title: 'Wait', action: { kind: 'run-command', command: wait } }]),
    );
    const driver = site.driver(run);
    await eventually(() => site.effects().length > 0, 'the second step runs');
    driver.child.kill('SIGKILL');
    await driver.ended;
    const before = await site.app.runs.state(run);
    expect(before.services).toMatchObject([{ name: 'web', status: 'running' }]);
    await site.driver(run).ended;
    const waiting = await site.app.runs.state(run);
    expect(waiting.status).toBe('waiting');
    const { stepId, attemptIndex } = waiting.interrupted!;
    const decision = { type: 'interrupt-decided', stepId, attemptIndex, decision: 'done' } as const;
    await site.app.runs.request(run, decision, { by: someone });
    expect((await site.driver(run).ended).code).toBe(0);
    const after = await site.app.runs.state(run);
    expect(after).toMatchObject({ status: 'done', services: [{ name: 'web', status: 'stopped' }] });
    expect((await site.journal(run)).map(({ event }) => event.type)).toContain('services-surveyed');
    expect(processesOf(run)).toEqual([]);
  });

  it('that died while nobody drove is reported gone', async () => {
    const ask: Step = { id: 's2', title: 'Ask', action: { kind: 'ask', question: 'Which?', as: 'which' } };
    const run = await site.runOf(serve([ask]));
    await site.driver(run).ended;
    const { services } = await site.app.runs.state(run);
    process.kill(-services[0]!.group.pgid, 'SIGKILL');
    await eventually(() => processesOf(run).length === 0, 'it is dead');
    await site.app.runs.request(run, { type: 'answer-given', stepId: 's2', value: 'x' }, { by: someone });
    await site.driver(run).ended;
    expect(await site.app.runs.state(run)).toMatchObject({ status: 'done', services: [{ status: 'gone' }] });
  });

  it.each(deathsOf(2))('killed while it starts: one is running afterwards, or none (%s)', async (death) => {
    const run = await site.runOf(
      serve([{ id: 's2', title: 'Use', action: { kind: 'run-command', command: 'true' } }]),
    );
    await site.driver(run, death).ended;
    for (let round = 0; round < 4 && !(await site.app.runs.state(run)).ended; round += 1) {
      const { interrupted } = await site.app.runs.state(run);
      if (interrupted !== null) {
        const { stepId, attemptIndex } = interrupted;
        const decision = { type: 'interrupt-decided', stepId, attemptIndex, decision: 'rerun' } as const;
        await site.app.runs.request(run, decision, { by: someone });
      }
      expect((await site.driver(run).ended).code).toBe(0);
    }
    expect(await site.app.runs.state(run)).toMatchObject({ status: 'done' });
    expect(existsSync(join(site.workspace, 'up'))).toBe(true);
    expect(processesOf(run)).toEqual([]);
  });
});
