import { expect, it } from 'vitest';
import { NotFired, ScheduleFactEvent, VoidReason } from '../../src/core/contract/schedules/index.ts';
import { howMany } from '../support/scale.ts';
import { type ScheduleMutant, simulateSchedule } from './schedule-world.ts';

/** Schedules in random worlds, with the same drivers, journal, clock and faults as runs. */
const WORLDS = howMany(5000, 200);

/** Written by doors, and by parents who cancel what they began: a schedule lets it be. */
const elsewhere = ['refused-at-door', 'child-cancelled'];

it(`the promises hold in ${WORLDS} worlds of schedules, which reach every event and reason`, async () => {
  const [seen, whys] = [new Set<string>(), new Set<string>()];
  const total = { conflicts: 0, stale: 0, crashes: 0 };
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const report = await simulateSchedule(seed).catch((error: unknown) => {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
    });
    for (const type of report.seen) seen.add(type);
    for (const why of report.whys) whys.add(why);
    for (const of of Object.keys(total) as (keyof typeof total)[]) total[of] += report[of];
  }
  const types = ScheduleFactEvent.options.map(({ shape }) => shape.type.value as string);
  expect(types.filter((type) => !seen.has(type) && !elsewhere.includes(type))).toEqual([]);
  const reasons = [...NotFired.options, ...VoidReason.options].filter((why) => why !== 'unreadable');
  expect(reasons.filter((why) => !whys.has(why))).toEqual([]);
  expect(Math.min(...Object.values(total)), JSON.stringify(total)).toBeGreaterThan(WORLDS / 100);
});

const mutants: ScheduleMutant[] = [
  {
    name: 'a time is taken twice',
    machine: (machine) => ({
      ...machine,
      next: (state, now) => {
        const last = state.firings.at(-1);
        return machine.next(last === undefined ? state : { ...state, due: { at: last.due } }, now);
      },
    }),
  },
  {
    name: 'what is paused fires',
    machine: (machine) => ({
      ...machine,
      next: (state, now) => machine.next({ ...state, isPaused: false }, now),
    }),
  },
  {
    name: 'a file that has changed is run',
    ports: (ports) => ({
      ...ports,
      holds: async (state) => {
        await ports.holds(state);
        return { ok: true };
      },
    }),
  },
  {
    name: 'what waits to be agreed to fires',
    machine: (machine) => ({
      ...machine,
      next: (state, now) => machine.next({ ...state, broken: null }, now),
    }),
  },
  {
    name: 'a run is begun beside another',
    machine: (machine) => ({
      ...machine,
      perform: (work, context) =>
        machine.perform(
          work.kind === 'fire' ? { ...work, state: { ...work.state, children: [] } } : work,
          context,
        ),
    }),
  },
  {
    name: 'a run is begun before it is written down',
    machine: (machine, ports) => ({
      ...machine,
      async perform(work, context) {
        const facts = await machine.perform(work, context);
        const fired = facts.find(({ type }) => type === 'fired') as { run: string; due: number } | undefined;
        if (fired !== undefined) await ports.begin(work.state, { ...fired, at: fired.due });
        return facts;
      },
    }),
  },
  {
    name: 'what was missed is run though it was to be skipped',
    machine: (machine) => ({
      ...machine,
      perform: (work, context) => {
        const agreement = { ...work.state.agreement!, missed: 'once' as const };
        return machine.perform({ ...work, state: { ...work.state, agreement } }, context);
      },
    }),
  },
  { name: 'the end of a run is not told', isDeaf: true },
  {
    name: 'a driver that was overtaken writes',
    append: ({ epoch: _, expectedSeq: __, ...append }) => append,
    machine: (machine) => ({ ...machine, epochOf: () => 0 }),
  },
  {
    name: 'a run that was wanted is forgotten when its driver dies',
    machine: (machine) => ({
      ...machine,
      next: (state, now) =>
        machine.next({ ...state, children: state.children.filter(({ isBegun }) => isBegun) }, now),
    }),
  },
];

it.each(mutants.map((mutant) => [mutant.name, mutant] as const))('finds out: %s', async (_, mutant) => {
  let found: unknown = null;
  for (let seed = 1; seed <= 400 && found === null; seed += 1)
    found = await simulateSchedule(seed, mutant).then(
      () => null,
      (error: unknown) => error,
    );
  expect(found).not.toBeNull();
});
