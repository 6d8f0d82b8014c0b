import { childEnded } from '../contract/index.ts';
import {
  evolveSchedule,
  initialScheduleState,
  isScheduleRequest,
  projectSchedule,
  type ScheduleEvent,
  type ScheduleRow,
  type ScheduleState,
  scheduleScopeOf,
} from '../contract/schedules/index.ts';
import type { KeptKind } from '../stream/index.ts';

export const keptSchedules: KeptKind<ScheduleState, ScheduleEvent, ScheduleRow> = {
  name: 'schedule',
  initial: initialScheduleState,
  evolve: evolveSchedule,
  epochOf: ({ epoch }) => epoch,
  project: projectSchedule,
  titleOf: ({ name }) => name,
  textOf: (event) => (event.type === 'schedule-added' ? `${event.name}\n${event.agreement.source.file}` : ''),
  isRequest: isScheduleRequest,
  cancel: { type: 'remove-requested' },
  scopeOf: (event) => (isScheduleRequest(event) ? scheduleScopeOf(event) : 'decide'),
  childEnded,
  turnedAway: (refusal, at) => ({ v: 1, type: 'refused-at-door', at, ...refusal }),
  noteOf: () => null,
  hides: { sealedIn: ({ sealed }) => sealed, secretsIn: () => [] },
};
