import { z } from 'zod';
import { OnFailure } from '../options.ts';
import { Mode } from '../plan.ts';
import { MissedTimes, ScheduleAgreement } from '../schedules/facts.ts';
import { ScheduleRow } from '../schedules/row.ts';
import type { ScheduleState } from '../schedules/state.ts';
import { Problem } from './plans.ts';

export const CreateSchedule = z.strictObject({
  /** A plan file or a runbook; a relative path begins in the workspace. */
  file: z.string().min(1).max(4096),
  /** As a person types it; left out, the folder that the server was started in. */
  workspace: z.string().max(4096).optional(),
  /** Of a runbook: the heading or block to take. */
  only: z.string().max(500).optional(),
  cron: ScheduleAgreement.shape.cron,
  /** Left out: that of the machine. */
  tz: ScheduleAgreement.shape.tz.optional(),
  missed: MissedTimes.optional(),
  inputs: z.record(z.string(), z.string()).optional(),
  mode: Mode.optional(),
  onAsk: z.enum(['fail', 'deny', 'park']).optional(),
  onFailure: OnFailure.optional(),
  name: z.string().min(1).max(300).optional(),
  /** The same key twice makes one schedule. */
  key: z.string().min(8).max(200).optional(),
});
/** The id is null where the plan does not hold, and the problems say why. */
export const CreatedSchedule = z.strictObject({ id: z.string().nullable(), problems: z.array(Problem) });
export const ScheduleList = z.strictObject({ schedules: z.array(ScheduleRow) });

/** What the file says now, where it is not what was agreed to: to be looked at, and agreed to by its hash. */
const Proposed = z.union([
  z.strictObject({ ok: z.literal(true), hash: z.string(), plan: ScheduleAgreement.shape.plan }),
  z.strictObject({ ok: z.literal(false), message: z.string() }),
]);

export const ScheduleView = z.strictObject({
  id: z.string(),
  seq: z.int().min(0),
  row: ScheduleRow,
  state: z.looseObject({ schedule: z.string() }) as unknown as z.ZodType<ScheduleState>,
  /** The next few. */
  times: z.array(z.number()),
  proposed: Proposed.nullable(),
});
export type ScheduleView = z.infer<typeof ScheduleView>;

export const AgreeToSchedule = z.strictObject({ hash: z.string().min(1) });
