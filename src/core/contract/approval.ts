import { z } from 'zod';
import { Action } from './action.ts';
import { Grants } from './result.ts';
import { Verdict } from './verdict.ts';

/**
 * What an approval is bound to: exactly what the person was shown. Change one part and the approval is void.
 * `revision` is the plan revision that last touched this step, so that an edit elsewhere does not void it.
 */
export const Subject = z.strictObject({
  run: z.string(),
  stepId: z.string(),
  revision: z.int().min(0),
  action: Action,
  cwd: z.string(),
  /** The variables that its plan gives it, values in place; of a loop, all but those of its items. */
  env: z.record(z.string(), z.string()).optional(),
  paths: z.array(z.string()),
  /** Why they are not all that it touches, as it was shown. */
  unknownPaths: z.string().optional(),
  /** What it may do beyond its sandbox. */
  grants: Grants.optional(),
  /** For a loop: a hash over its frozen items. */
  items: z.string().optional(),
  /** What earlier steps defined and this one uses: a hash over it. */
  definitions: z.string().optional(),
});
export type Subject = z.infer<typeof Subject>;

/** A dangerous step that a person was shown with the plan, and agreed to as it was shown. */
export const ShownStep = z.strictObject({ subject: Subject, verdict: Verdict });
export type ShownStep = z.infer<typeof ShownStep>;

export const ApprovalDecision = z.enum(['approve', 'deny', 'abort']);
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;
