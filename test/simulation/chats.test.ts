import { expect, it } from 'vitest';
import { type ChatEvent, callOf, chatEventTypes, TurnOutcome } from '../../src/core/contract/index.ts';
import { howMany, lengthy } from '../support/scale.ts';
import { type ChatMutant, simulateChat } from './chat-world.ts';

/** Conversations in random worlds, with the same drivers, journal, clock and faults as runs. */
const WORLDS = howMany(10_000, 200);

/** Written by doors, and where an environment differs: no door is in these worlds. */
const elsewhere: ChatEvent['type'][] = ['environment-differs', 'refused-at-door'];

it(
  `the promises hold in ${WORLDS} worlds of conversations, which reach every event and every end`,
  lengthy,
  async () => {
    const seen = new Set<string>();
    const outcomes = new Set<string>();
    const total = { conflicts: 0, stale: 0, crashes: 0 };
    for (let seed = 1; seed <= WORLDS; seed += 1) {
      const report = await simulateChat(seed).catch((error: unknown) => {
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
      });
      for (const type of report.seen) seen.add(type);
      for (const outcome of report.outcomes) outcomes.add(outcome);
      for (const of of Object.keys(total) as (keyof typeof total)[]) total[of] += report[of];
    }
    expect(chatEventTypes.filter((type) => !seen.has(type) && !elsewhere.includes(type))).toEqual([]);
    expect(TurnOutcome.options.filter((outcome) => !outcomes.has(outcome))).toEqual([]);
    expect(Math.min(...Object.values(total)), JSON.stringify(total)).toBeGreaterThan(WORLDS / 100);
  },
);

const mutants: ChatMutant[] = [
  {
    name: 'what a dead driver was at is begun again without a word',
    machine: (machine) => ({
      ...machine,
      next: (state, now) => {
        const { turn } = state;
        if (turn === null) return machine.next(state, now);
        const rounds = turn.rounds.map((round) => ({
          ...round,
          calls: round.calls.map((call) =>
            call.status === 'running' ? { ...call, status: 'judged' as const } : call,
          ),
        }));
        return machine.next({ ...state, turn: { ...turn, rounds } }, now);
      },
    }),
  },
  {
    name: 'what may have been done is said not to have been begun',
    machine: (machine) => ({
      ...machine,
      perform: async (work, context) =>
        (await machine.perform(work, context)).map((fact) =>
          fact.type === 'call-interrupted' ? { ...fact, finding: 'not-started' as const } : fact,
        ),
    }),
  },
  {
    name: 'whatever is asked counts as granted',
    machine: (machine) => ({
      ...machine,
      next: (state, now) =>
        machine.next(
          { ...state, approvals: state.approvals.map((one) => ({ ...one, status: 'granted' as const })) },
          now,
        ),
    }),
  },
  {
    name: 'calls that change something are begun together',
    machine: (machine) => ({
      ...machine,
      next: (state, now) => {
        const effect = machine.next(state, now);
        if (effect.kind !== 'perform' || effect.work.kind !== 'calls') return effect;
        const calls = state.turn!.rounds.at(-1)!.calls.filter(({ status }) => status !== 'done');
        const callIds = calls.map(({ id }) => id);
        return { ...effect, intent: [{ type: 'calls-started', callIds }], work: { ...effect.work, calls } };
      },
    }),
  },
  {
    name: 'corrections are not counted',
    machine: (machine) => ({
      ...machine,
      next: (state, now) => {
        const options = state.options && {
          ...state.options,
          limits: { ...state.options.limits, corrections: 99 },
        };
        return machine.next({ ...state, options }, now);
      },
    }),
  },
  {
    name: 'rounds are not counted',
    machine: (machine) => ({
      ...machine,
      next: (state, now) => {
        const options = state.options && {
          ...state.options,
          limits: { ...state.options.limits, toolRounds: 99 },
        };
        return machine.next({ ...state, options }, now);
      },
    }),
  },
  {
    name: 'an overtaken driver writes',
    append: ({ epoch: _, ...append }) => append,
    machine: (machine) => ({ ...machine, epochOf: () => 0 }),
  },
  {
    name: 'what was edited counts as judged',
    machine: (machine) => ({
      ...machine,
      evolve: (state, stored) => {
        const { event } = stored;
        const after = machine.evolve(state, stored);
        if (event.type !== 'call-edited' || after.turn === null) return after;
        const rounds = after.turn.rounds.map((round) => ({
          ...round,
          calls: round.calls.map((call) =>
            call.id === event.callId
              ? { ...call, status: 'judged' as const, judged: callOf(state, call.id)!.judged }
              : call,
          ),
        }));
        return { ...after, approvals: state.approvals, turn: { ...after.turn, rounds } };
      },
    }),
  },
  { name: 'nobody is told that the plan has ended', isDeaf: true },
  {
    name: 'a plan may spend what it likes',
    ports: (ports) => ({
      ...ports,
      children: {
        ...ports.children,
        begin: (child, kind, events) =>
          ports.children.begin(
            child,
            kind,
            events.map((event) => {
              const { options } = event as unknown as { options: { limits: object } };
              return { ...event, options: { ...options, limits: { ...options.limits, money: 1000 } } };
            }),
          ),
      },
    }),
  },
  {
    name: 'work under way is deaf',
    machine: (machine) => ({ ...machine, attend: () => ({ kind: 'await', until: null }) }),
  },
  {
    name: 'a turn that was undone is remembered',
    machine: (machine) => ({
      ...machine,
      perform: async (work, context) =>
        (await machine.perform(work, context)).map((fact) =>
          fact.type === 'turn-undone' ? { ...fact, turn: fact.turn + 1 } : fact,
        ),
    }),
  },
];
it.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
  'a planted bug is found: %s',
  async (_, mutant) => {
    let found: string | null = null;
    for (let seed = 1; found === null && seed <= 1500; seed += 1)
      found = await simulateChat(seed, mutant).then(
        () => null,
        (error: unknown) => String(error),
      );
    expect(found).not.toBeNull();
  },
);
