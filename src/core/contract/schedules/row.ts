import { z } from 'zod';
import { isChildFact } from '../stream/child.ts';
import { StreamRow } from '../stream/row.ts';
import type { Stored } from '../stream/state.ts';
import { isScheduleRequest, MissedTimes, type ScheduleEvent } from './facts.ts';

/** One line of a listing of schedules. */
export const ScheduleRow = StreamRow.extend({
  kind: z.literal('schedule'),
  state: z.enum(['active', 'paused', 'changed', 'removed']),
  name: z.string(),
  cron: z.string(),
  tz: z.string(),
  missed: MissedTimes,
  file: z.string(),
  /** The host that its folder is on. */
  host: z.string(),
  isPaused: z.boolean(),
  /** Why it begins nothing: what was agreed to is not there any more. */
  broken: z.string().nullable(),
  /** When its next run is due; null where that is not worked out, or never. */
  nextAt: z.number().nullable(),
  /** The newest run; `state` is null until it has ended. */
  last: z.strictObject({ run: z.string(), due: z.number(), state: z.string().nullable() }).nullable(),
  /** What was last left out, in one word, and when; null since the last run that was begun. */
  leftOut: z.strictObject({ due: z.number(), why: z.string(), count: z.int() }).nullable(),
  /** Its next time has to be worked out. */
  needsTime: z.boolean(),
  /** A run is to be begun. */
  begins: z.boolean(),
});
export type ScheduleRow = z.infer<typeof ScheduleRow>;

/** The row after one more event; null until it is there. Total. */
export function projectSchedule(
  row: ScheduleRow | null,
  { stream, event }: Stored<ScheduleEvent>,
): ScheduleRow | null {
  const { at } = event;
  if (event.type === 'schedule-added') {
    const { name, place, agreement } = event;
    const { cron, tz, missed, source } = agreement;
    return settled({
      ...{ id: stream, kind: 'schedule', state: 'active', name, cron, tz, missed, file: source.file },
      ...{ workspace: place.workspace, host: place.host, createdAt: at, updatedAt: at, endedAt: null },
      ...{ wakeAt: null, goesOn: true, awaits: null, unanswered: [] },
      ...{
        isPaused: false,
        broken: null,
        nextAt: null,
        last: null,
        leftOut: null,
        needsTime: true,
        begins: false,
      },
    });
  }
  return row === null ? null : settled({ ...row, ...changes(row, event), updatedAt: at });
}

/** What follows of the rest: where it stands, and when it is due. */
function settled(row: ScheduleRow): ScheduleRow {
  const { endedAt, broken, isPaused, needsTime, begins, nextAt } = row;
  const state = endedAt !== null ? 'removed' : broken !== null ? 'changed' : isPaused ? 'paused' : 'active';
  const goesOn = state !== 'removed' && (begins || (state === 'active' && needsTime));
  return { ...row, state, goesOn, wakeAt: state === 'active' && !goesOn ? nextAt : null };
}

function changes(row: ScheduleRow, event: ScheduleEvent): Partial<ScheduleRow> {
  if (isScheduleRequest(event)) return {};
  if (isChildFact(event)) {
    switch (event.type) {
      case 'child-started':
        return { awaits: event.child, begins: true };
      case 'child-begun':
        return { begins: false };
      case 'child-cancelled':
        return {};
      case 'child-ended':
        // Its driver may have died before it could say that it had begun it.
        return { awaits: null, begins: false, last: row.last && { ...row.last, state: event.state } };
    }
  }
  switch (event.type) {
    case 'due-set':
      return { nextAt: event.due, needsTime: false };
    case 'fired':
      return { last: { run: event.run, due: event.due, state: null }, leftOut: null };
    case 'not-fired':
      return { leftOut: { due: event.due, why: event.why, count: event.count } };
    case 'agreement-void':
      return { broken: event.message, nextAt: null };
    case 'agreed-again': {
      const { cron, tz, missed, source } = event.agreement;
      return { cron, tz, missed, file: source.file, broken: null, nextAt: null, needsTime: true };
    }
    case 'schedule-paused':
      return { isPaused: true, nextAt: null };
    case 'schedule-resumed':
      return { isPaused: false, nextAt: null, needsTime: true };
    case 'schedule-removed':
      return { endedAt: event.at, nextAt: null, awaits: null };
    default:
      return {};
  }
}
