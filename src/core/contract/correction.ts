import { z } from 'zod';

/** A step as a brain or a planner proposes it: no id yet, its action still one line. */
export const ProtoStep = z.strictObject({
  step: z.string().min(1),
  action: z.string().min(1),
  expects: z.string().optional(),
});
export type ProtoStep = z.infer<typeof ProtoStep>;

export const ModifiedStep = z.strictObject({
  action: z.string().min(1).optional(),
  expects: z.string().min(1).optional(),
  timeoutMs: z.int().positive().optional(),
  cwd: z.string().min(1).optional(),
});

/** What a brain answers to a failure. */
export const Correction = z.strictObject({
  action: z.enum(['retry', 'modify', 'insert_steps', 'skip', 'abort']),
  reasoning: z.string(),
  newSteps: z.array(ProtoStep).optional(),
  /** Another shell text for the step. */
  modifiedCommand: z.string().optional(),
  /** What else a modification changes of the step: its action as a line, what it expects, its time-out, its folder. */
  modifiedStep: ModifiedStep.optional(),
  /** How long to wait before the step is attempted again: for what passes by itself. */
  delayMs: z.int().min(0).optional(),
  confidence: z.number().min(0).max(1),
  /** Why it may be the wrong thing all the same: a person is asked, with this. */
  doubt: z.string().optional(),
  /** The remembered fix that it is. */
  fix: z.string().optional(),
  source: z.strictObject({
    brain: z.enum(['remembered', 'rule', 'program', 'model', 'person']),
    name: z.string(),
  }),
});
export type Correction = z.infer<typeof Correction>;
