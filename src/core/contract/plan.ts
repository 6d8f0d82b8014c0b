import { z } from 'zod';
import { Action, WrittenAction } from './action.ts';

export const Mode = z.enum(['teacher', 'planner', 'agentic']);
export type Mode = z.infer<typeof Mode>;

export const Shell = z.enum(['bash', 'pwsh']);
export type Shell = z.infer<typeof Shell>;

/** How often a step may be attempted again by its own plan, and what it may wait in between. */
export const MAX_RETRIES = 10;
export const MAX_RETRY_DELAY_MS = 3_600_000;
/** What is judged with a step stays something that can be read. */
export const MAX_VARIABLE = 16 * 1024;

/** Where a step was written, for messages that point at a line. Lines count from 1. */
export const Source = z.strictObject({ file: z.string(), line: z.int().min(1), endLine: z.int().min(1) });
export type Source = z.infer<typeof Source>;

/** One thing to do. Its position in the plan is its index: it is not stored, so it cannot be wrong. */
export const Step = z.strictObject({
  id: z.string().min(1),
  title: z.string().min(1),
  action: Action,
  /** What should hold afterwards. Checked where it reads as a checkable form, shown otherwise. */
  expects: z.string().optional(),
  /** Ids of steps that must have succeeded. List order alone is never a dependency. */
  after: z.array(z.string()).optional(),
  /** An action that reverses this one. */
  undo: WrittenAction.optional(),
  why: z.string().optional(),
  source: Source.optional(),
  /** The id of the step that this one was inserted to mend. */
  repairs: z.string().optional(),
  interactive: z.boolean().optional(),
  timeoutMs: z.int().positive().optional(),
  /** Where it is done, from the session's folder. The session stays where it is. */
  cwd: z.string().min(1).optional(),
  /** Variables of this step alone. Values may hold placeholders. */
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string().max(MAX_VARIABLE)).optional(),
  /** So many times more where an attempt failed, each after a while. */
  retry: z
    .strictObject({
      times: z.int().min(1).max(MAX_RETRIES),
      delayMs: z.int().min(0).max(MAX_RETRY_DELAY_MS).optional(),
    })
    .optional(),
});
export type Step = z.infer<typeof Step>;

/** A value that a plan asks its person for. */
export const Input = z.strictObject({
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/),
  description: z.string().optional(),
  default: z.string().optional(),
  secret: z.boolean().optional(),
});
export type Input = z.infer<typeof Input>;

/** An ordered list of steps. Immutable: a change makes the next revision. */
export const Plan = z.strictObject({
  goal: z.string().min(1),
  mode: Mode.optional(),
  shell: Shell,
  inputs: z.array(Input).optional(),
  steps: z.array(Step).min(1),
  revision: z.int().min(0),
});
export type Plan = z.infer<typeof Plan>;

/** The text that a plan was made of, as it was at an address. */
export const Fetched = z.strictObject({
  address: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().min(0),
});
export type Fetched = z.infer<typeof Fetched>;

/** Values of the inputs that a plan calls secret. */
export const secretInputs = (
  plan: Plan | null | undefined,
  values: Readonly<Record<string, unknown>>,
): string[] =>
  (plan?.inputs ?? []).flatMap(({ name, secret }) => {
    const value = secret === true ? values[name] : undefined;
    return typeof value === 'string' && value !== '' ? [value] : [];
  });

/** One change to a plan. A patch is a list of them, applied in order. */
export const PlanChange = z.discriminatedUnion('op', [
  /** `before: null` appends at the end. */
  z.strictObject({ op: z.literal('insert'), before: z.string().nullable(), steps: z.array(Step).min(1) }),
  z.strictObject({ op: z.literal('replace'), stepId: z.string(), step: Step }),
  z.strictObject({ op: z.literal('remove'), stepId: z.string() }),
]);
export type PlanChange = z.infer<typeof PlanChange>;
export type PlanPatch = PlanChange[];
