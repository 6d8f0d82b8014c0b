import type { ScheduleAgreement, ScheduleState, VoidReason } from '../contract/schedules/index.ts';

/** When the times of a schedule are: what it is written in, and zones with their summer times, are the world's to know. */
export interface Calendar {
  /** The first time after `after`; null where there is none any more. */
  next(times: Pick<ScheduleAgreement, 'cron' | 'tz'>, after: number): number | null;
  /** Of the times from `from` on, the last one up to `now`, and how many there were; many are not counted further. */
  passed(
    times: Pick<ScheduleAgreement, 'cron' | 'tz'>,
    from: number,
    now: number,
  ): { latest: number; count: number };
}

/** Whether what was agreed to is still there. */
export type Held = { ok: true } | { ok: false; why: VoidReason; message: string };

/** A run that is to be begun: the same one however often it is asked for. */
export interface BeginRun {
  run: string;
  due: number;
  at: number;
}

/** What a schedule needs of the world. Nothing here throws but what the store does. */
export interface SchedulePorts {
  calendar: Calendar;
  /** The id of the run for one time, or for one request, by its number: always the same. */
  runFor(schedule: string, how: 'time' | 'asked', number: number): string;
  /** Reads the file and looks at the environment, here and now. */
  holds(state: ScheduleState): Promise<Held>;
  /** Begins what was agreed to, not what the file says. Done twice it is done once. */
  begin(state: ScheduleState, run: BeginRun): Promise<void>;
}
