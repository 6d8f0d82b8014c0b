import { z } from 'zod';

/** A process that drives streams, as it says of itself. */
export const WorkerReport = z.strictObject({
  /** What it was started as. */
  as: z.enum(['server', 'worker']),
  version: z.string(),
  /** How many streams it drives at the same time, at most, and how many now. */
  concurrency: z.int(),
  active: z.int(),
  /** Of its machine: how many wanted to run, for each processor. */
  load: z.number(),
  startedAt: z.number(),
});
export type WorkerReport = z.infer<typeof WorkerReport>;

export const WorkerSeen = WorkerReport.extend({
  host: z.string(),
  pid: z.int(),
  /** By the store's clock, as is whether that was too long ago. */
  heardAt: z.number(),
  isSilent: z.boolean(),
  /** Streams that it holds now. */
  claims: z.int(),
});
export type WorkerSeen = z.infer<typeof WorkerSeen>;

/** A stream that somebody drives. */
export const ClaimSeen = z.strictObject({
  stream: z.string(),
  kind: z.string(),
  host: z.string(),
  pid: z.int(),
});
export type ClaimSeen = z.infer<typeof ClaimSeen>;

/** How much there is to do, and how much was done. */
export const Workload = z.strictObject({
  /** Due, and nobody drives it. */
  due: z.int(),
  claimed: z.int(),
  /** Runs that have ended since. */
  ended: z.int(),
});
export type Workload = z.infer<typeof Workload>;

export const Fleet = z.strictObject({
  /** Of one machine, where everything is in a folder, it is null; else where the journal is. */
  database: z.string().nullable(),
  workers: z.array(WorkerSeen),
  /** What is driven now, the newest first; of very much, the first part. */
  claims: z.array(ClaimSeen.extend({ title: z.string() })),
  due: z.int(),
  claimed: z.int(),
  /** Runs that have ended in the last five minutes, and in the last hour. */
  ended: z.strictObject({ fiveMinutes: z.int(), hour: z.int() }),
});
export type Fleet = z.infer<typeof Fleet>;
