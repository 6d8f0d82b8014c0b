import { expect, it } from 'vitest';
import { howMany, lengthy } from '../support/scale.ts';
import { toyEvents } from '../support/toy-kind.ts';
import { simulateToys, type ToyMutant } from './toy-world.ts';

/** A kind that is no plan run, in random worlds of its own, with the same drivers, journal, clock and faults. */
const WORLDS = howMany(20_000, 500);

it(`the promises hold in ${WORLDS} worlds of toys, which reach every event`, lengthy, async () => {
  const seen = new Set<string>();
  const total = { conflicts: 0, stale: 0, repeated: 0, crashes: 0 };
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const report = await simulateToys(seed).catch((error: unknown) => {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
    });
    for (const type of report.seen) seen.add(type);
    for (const of of Object.keys(total) as (keyof typeof total)[]) total[of] += report[of];
  }
  // Nobody asks a model of a toy.
  expect([...seen].sort()).toEqual(toyEvents.filter((type) => type !== 'toy-noted'));
  expect(Math.min(...Object.values(total)), JSON.stringify(total)).toBeGreaterThan(WORLDS / 100);
});

const mutants: ToyMutant[] = [
  {
    name: 'what a dead driver was at is begun again without a word',
    machine: (machine) => ({
      ...machine,
      next: (state, now) => machine.next({ ...state, inFlight: null }, now),
    }),
  },
  {
    name: 'an overtaken driver writes',
    append: ({ epoch: _, ...append }) => append,
    machine: (machine) => ({ ...machine, epochOf: () => 0 }),
  },
  { name: 'nobody is told that its child has ended', isDeaf: true },
  {
    name: 'a stop is passed on in nobody’s name',
    ports: (ports) => ({
      ...ports,
      children: {
        ...ports.children,
        cancel: (child) => ports.children.cancel(child, { person: 'nobody', door: 'worker' }),
      },
    }),
  },
  {
    name: 'a child may spend what it likes',
    ports: (ports) => ({
      ...ports,
      children: {
        ...ports.children,
        begin: (child, kind, events) =>
          ports.children.begin(
            child,
            kind,
            events.map((event) => ({ ...event, money: 1000 })),
          ),
      },
    }),
  },
  { name: 'a stale snapshot is taken for good', trustsStale: true },
  {
    name: 'work under way is deaf',
    machine: (machine) => ({ ...machine, attend: () => ({ kind: 'await', until: null }) }),
  },
];

it.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
  'a planted bug is found: %s',
  async (_, mutant) => {
    let found: string | null = null;
    for (let seed = 1; found === null && seed <= 2000; seed += 1)
      found = await simulateToys(seed, mutant).then(
        () => null,
        (error: unknown) => String(error),
      );
    expect(found).not.toBeNull();
  },
);
