import { expect, it } from 'vitest';
import {
  AgentFactEvent,
  defaultPipeline,
  knownOutcomes,
  TaskFactEvent,
} from '../../src/core/contract/tasks/index.ts';
import { howMany, lengthy } from '../support/scale.ts';
import { simulateTask, type TaskMutant } from './task-world.ts';

/** Tasks and their agents in random worlds, with the same drivers, journal, clock and faults as runs. */
const WORLDS = howMany(3000, 150);

/** Written by doors and by what agents of flesh do: no door, process or model is in these worlds. */
const elsewhere = [
  'refused-at-door',
  'process-spawned',
  'agent-noted',
  'model-call-started',
  'model-call-finished',
  'model-fell-back',
];

it(
  `the promises hold in ${WORLDS} worlds of tasks, which reach every event, status and outcome`,
  lengthy,
  async () => {
    const [seen, statuses, outcomes] = [new Set<string>(), new Set<string>(), new Set<string>()];
    const total = { conflicts: 0, stale: 0, crashes: 0 };
    for (let seed = 1; seed <= WORLDS; seed += 1) {
      const report = await simulateTask(seed).catch((error: unknown) => {
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
      });
      for (const type of report.seen) seen.add(type);
      for (const status of report.statuses) statuses.add(status);
      for (const outcome of report.outcomes) outcomes.add(outcome);
      for (const of of Object.keys(total) as (keyof typeof total)[]) total[of] += report[of];
    }
    const types = [...TaskFactEvent.options, ...AgentFactEvent.options].map(
      ({ shape }) => shape.type.value as string,
    );
    expect(types.filter((type) => !seen.has(type) && !elsewhere.includes(type))).toEqual([]);
    expect(
      defaultPipeline.statuses
        .map(({ name }) => name)
        .filter((name) => name !== 'open' && !statuses.has(name)),
    ).toEqual([]);
    expect(knownOutcomes.filter((outcome) => !outcomes.has(outcome))).toEqual([]);
    expect(Math.min(...Object.values(total)), JSON.stringify(total)).toBeGreaterThan(WORLDS / 100);
  },
);

const mutants: TaskMutant[] = [
  {
    name: 'what a dead driver was at is performed again without a word',
    agent: (machine) => ({
      ...machine,
      next: (state, now) =>
        machine.next(
          { ...state, attempts: state.attempts.filter(({ status }) => status !== 'running') },
          now,
        ),
    }),
  },
  {
    name: 'a phase is begun though one is active',
    task: (machine) => ({
      ...machine,
      next: (state, now) => {
        const [active, ...more] = state.phases.filter(({ status }) => status === 'active');
        const says = machine.next(state, now);
        // One too many is enough: others without end would only take their time.
        if (active === undefined || more.length > 0 || says.kind !== 'rest') return says;
        return { kind: 'perform', intent: [], work: { kind: 'begin', state, mode: active.mode } };
      },
    }),
  },
  {
    name: 'the end of an agent is not told',
    isDeaf: true,
  },
  {
    name: 'whatever is asked counts as granted',
    agent: (machine) => ({
      ...machine,
      attend: (state, work, now) => {
        const says = machine.attend(state, work, now);
        if (says.kind !== 'record') return says;
        return {
          ...says,
          facts: says.facts.map((fact) =>
            fact.type === 'approval-denied'
              ? { type: 'approval-granted' as const, approvalId: fact.approvalId, answers: fact.answers! }
              : fact,
          ),
        };
      },
    }),
  },
  {
    name: 'what does not pass is called ready',
    agent: (machine) => ({
      ...machine,
      next: (state, now) => {
        const says = machine.next(state, now);
        if (says.kind !== 'record') return says;
        const facts = says.facts.map((fact) =>
          fact.type === 'agent-run-ended' && fact.outcome === 'validation_failed'
            ? { ...fact, outcome: 'pr_ready', status: 'done' as const }
            : fact,
        );
        return { ...says, facts };
      },
    }),
  },
  {
    name: 'a worktree is kept for ever',
    agentPorts: (ports) => ({ ...ports, release: async () => ({}) }),
  },
  {
    name: 'a person moves a task anywhere',
    task: (machine) => ({
      ...machine,
      next: (state, now) => {
        const says = machine.next(state, now);
        const pending = state.inbox[0];
        if (says.kind !== 'record' || pending?.request.type !== 'move-requested') return says;
        const { to, by } = pending.request;
        return {
          kind: 'record',
          facts: [
            { type: 'moved', from: state.status, to, why: { type: 'manual', by }, answers: pending.seq },
          ],
        };
      },
    }),
  },
  {
    name: 'merged is said before it is',
    taskPorts: (ports) => ({
      ...ports,
      merge: async () => ({ ok: true, commit: 'c', code: null, message: 'merged', conflicts: [] }),
    }),
  },
  {
    name: 'a driver that was overtaken writes',
    append: ({ epoch: _, expectedSeq: __, ...append }) => append,
  },
];

it.each(mutants.map((mutant) => [mutant.name, mutant] as const))('finds out: %s', async (_, mutant) => {
  let found: unknown = null;
  for (let seed = 1; seed <= 400 && found === null; seed += 1)
    found = await simulateTask(seed, mutant).then(
      () => null,
      (error: unknown) => error,
    );
  expect(found).not.toBeNull();
});
