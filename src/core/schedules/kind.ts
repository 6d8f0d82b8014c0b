import type { ScheduleEvent, ScheduleFact, ScheduleRow, ScheduleState } from '../contract/schedules/index.ts';
import type { Kind } from '../stream/index.ts';
import { keptSchedules } from './kept.ts';
import { type ScheduleWork, scheduleNext } from './next.ts';

/** Schedules, a kind of stream: at each of its times one begins a run of what was agreed to, and waits for it. */
export const scheduleKind: Kind<ScheduleState, ScheduleEvent, ScheduleFact, ScheduleWork, ScheduleRow> = {
  ...keptSchedules,
  next: scheduleNext,
  // It is done in a moment: nothing of it is worth ending.
  attend: () => ({ kind: 'await', until: null }),
};
