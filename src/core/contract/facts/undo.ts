import { z } from 'zod';
import { attempt, fact } from '../stream/fact.ts';

/** What a checkpoint does not hold: how many paths, and the first of them with why. */
export const UncoveredSummary = z.strictObject({
  count: z.int().min(0),
  shown: z.array(z.strictObject({ path: z.string(), why: z.string() })),
});
export type UncoveredSummary = z.infer<typeof UncoveredSummary>;

/** A path that was left as it is, and why: a conflict, or what went wrong. */
export const LeftPath = z.strictObject({ path: z.string(), why: z.string() });
export type LeftPath = z.infer<typeof LeftPath>;

export const undoFacts = [
  fact('checkpoint-taken', {
    ...attempt,
    /** Of the workspace before the attempt, or as it left it. */
    when: z.enum(['before', 'after']),
    checkpoint: z.string(),
    /** Taken by a later driver than the one that began: what others did meanwhile is in it as well. */
    late: z.literal(true).optional(),
    /** Where it is not as the last checkpoint said. */
    uncovered: UncoveredSummary.optional(),
  }),
  fact('checkpoint-failed', {
    ...attempt,
    when: z.enum(['before', 'after']),
    code: z.string(),
    message: z.string(),
  }),
  /** What the failed step changed is about to be put back, and what went into its repair. */
  fact('rollback-started', { stepId: z.string() }),
  fact('rolled-back', {
    stepId: z.string(),
    restored: z.int().min(0),
    left: z.array(LeftPath),
    leftCount: z.int().min(0),
    /** Why nothing could be put back at all. */
    message: z.string().optional(),
  }),
] as const;
