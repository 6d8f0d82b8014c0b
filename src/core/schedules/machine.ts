import type { Driver } from '../contract/index.ts';
import type { ScheduleEvent, ScheduleFact, ScheduleState } from '../contract/schedules/index.ts';
import type { Machine } from '../stream/index.ts';
import { scheduleKind } from './kind.ts';
import { fire, type ScheduleWork } from './next.ts';
import type { SchedulePorts } from './ports.ts';

/** The machine of schedules, over the ports that touch the world. */
export const createScheduleMachine = (
  driver: Driver,
  ports: SchedulePorts,
): Machine<ScheduleState, ScheduleEvent, ScheduleFact, ScheduleWork> => ({
  ...scheduleKind,
  // Whoever waits has a place among those who work: it is woken when it is due.
  residentMs: 0,
  // Its runs work in the folder; it only looks.
  holds: () => 'as-is',
  perform: (work) => perform(work, ports),
  crashed(_work, error) {
    throw error;
  },
  claimed: (epoch) => [{ type: 'driver-claimed', epoch, driver }],
  stamp: (body, at) => ({ ...body, v: 1, at }) as ScheduleEvent,
});

async function perform(work: ScheduleWork, ports: SchedulePorts): Promise<ScheduleFact[]> {
  const { state } = work;
  switch (work.kind) {
    case 'time':
      return [{ type: 'due-set', due: ports.calendar.next(state.agreement!, work.after) }];
    case 'fire':
      return fire(
        work,
        ports.calendar,
        () => ports.holds(state),
        (how, number) => ports.runFor(state.schedule, how, number),
      );
    case 'begin': {
      const { due, at } = state.firings.findLast(({ run, why }) => run === work.run && why === null)!;
      await ports.begin(state, { run: work.run, due, at });
      return [{ type: 'child-begun', child: work.run }];
    }
  }
}
