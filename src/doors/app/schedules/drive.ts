import { type Driver, hashPlan, type RunEvent } from '../../../core/contract/index.ts';
import type { ScheduleState } from '../../../core/contract/schedules/index.ts';
import type { BeginRun, SchedulePorts } from '../../../core/schedules/index.ts';
import { keptSchedules } from '../../../core/schedules/kept.ts';
import type { Children } from '../../../core/stream/index.ts';
import { foldVersion } from '../../../world/store/index.ts';
import type { GivenHere } from '../environment.ts';
import { runIdFor } from '../ids.ts';
import type { Env } from '../places.ts';
import type { Drivable } from '../streams.ts';

export interface ScheduleDriving {
  driver: Driver;
  env: Env;
  givenHere: GivenHere;
}

/** Schedules, as this program drives them. */
export const drivableSchedules = (given: ScheduleDriving): Drivable => ({
  kind: keptSchedules,
  foldVersion,
  async open(_id, _state, children) {
    const [{ createScheduleMachine }, { createCalendar }] = await Promise.all([
      import('../../../core/schedules/index.ts'),
      import('../../../world/calendar/index.ts'),
    ]);
    const ports: SchedulePorts = {
      calendar: createCalendar(),
      runFor: (schedule, how, number) => runIdFor(`schedule:${schedule}:${how}:${number}`),
      holds: async (state) => (await import('./agreement.ts')).stillHolds(state, given.env),
      begin: (state, run) => begin(state, run, given, children),
    };
    return { machine: createScheduleMachine(given.driver, ports), close: async () => {} };
  },
});

/** A run like any other, agreed to by whoever agreed to the schedule. What is dangerous in it is asked about. */
async function begin(
  { schedule, agreement, agreedBy, sealed, place }: ScheduleState,
  { run, due, at }: BeginRun,
  { givenHere }: ScheduleDriving,
  children: Children,
): Promise<void> {
  const { plan, options } = agreement!;
  const { placeOf } = await import('../../../world/workspace/index.ts');
  const events: RunEvent[] = [
    {
      ...{ v: 1, at, type: 'plan-created', plan, hash: hashPlan(plan), options },
      place: await placeOf(place.workspace),
      ...givenHere.given({ plan, inputs: options.inputs }, sealed),
      scheduled: { schedule, due },
    },
    {
      ...{ v: 1, at, type: 'plan-decided', key: `agreed:${run}`, by: agreedBy! },
      ...{ revision: plan.revision, decision: 'all' },
    },
  ];
  await children.begin(run, 'run', events);
}
