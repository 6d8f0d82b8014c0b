import { z } from 'zod';
import { Spending } from './spending.ts';

/** A request that no fact has answered yet. */
const Unanswered = z.strictObject({ seq: z.int(), at: z.number() });

/**
 * What the listing row of every kind has. Stores, pickers and retention look at nothing else of it. A kind's own
 * `project` makes all of it but `unanswered`, which is kept for every kind alike.
 */
export const StreamRow = z.strictObject({
  id: z.string(),
  /** Which kind of stream it is. */
  kind: z.string(),
  state: z.string(),
  /** The folder that it works in, where it has one. */
  workspace: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** When it came to an end for good; what has not ended is never removed. */
  endedAt: z.number().nullable(),
  /** When it is due again by itself. */
  wakeAt: z.number().nullable(),
  /** It goes on by itself: where nobody drives it, its driver is gone. */
  goesOn: z.boolean(),
  /** It goes on by itself and nobody drives it: when somebody was last heard of. Found out when it is read, never kept. */
  undrivenSince: z.number().optional(),
  /** The stream whose end it waits for. */
  awaits: z.string().nullable(),
  /** What its model calls cost; left out by kinds that make none. */
  spending: Spending.optional(),
  unanswered: z.array(Unanswered),
});
export type StreamRow = z.infer<typeof StreamRow>;

/**
 * When a driver has something to do for it; null where it rests until somebody asks something. What goes on by itself has
 * been due since it began: that does not change with every event.
 */
export function dueAt({ unanswered, goesOn, wakeAt, endedAt, createdAt }: StreamRow): number | null {
  const first = unanswered[0]?.at;
  if (first !== undefined) return first;
  if (endedAt !== null) return null;
  return wakeAt ?? (goesOn ? createdAt : null);
}
