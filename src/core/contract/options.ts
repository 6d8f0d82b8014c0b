import { z } from 'zod';
import { ModelName } from './models.ts';
import { Mode } from './plan.ts';

export const OnFailure = z.enum(['stop', 'continue', 'rollback']);
export type OnFailure = z.infer<typeof OnFailure>;

/**
 * Whether the workspace is kept before each step that is not safe. `auto` does without where there is no git;
 * any other checkpoint that cannot be taken stops the run, and with `required` that one too.
 */
export const CheckpointPolicy = z.enum(['auto', 'required', 'off']);
export type CheckpointPolicy = z.infer<typeof CheckpointPolicy>;

/** What a run does where it needs a person: wait for one, stop, or take it as a no. */
export const OnAsk = z.enum(['wait', 'fail', 'deny']);
export type OnAsk = z.infer<typeof OnAsk>;

/** What a run does with a step of which nobody knows whether it was done. */
export const OnInterrupt = z.enum(['ask', 'rerun', 'skip', 'stop']);
export type OnInterrupt = z.infer<typeof OnInterrupt>;

/** Drafts that may be asked for where the run does not say. */
export const MAX_DRAFTS = 12;

export const Limits = z.strictObject({
  retriesPerStep: z.int().min(0),
  corrections: z.int().min(0),
  addedSteps: z.int().min(0),
  addedStepsPerCorrection: z.int().min(0),
  money: z.number().min(0),
  tokens: z.int().min(0),
  wallMs: z.int().positive().nullable(),
  /** Drafts of a plan that may be asked for; runs of earlier versions have no such limit written down. */
  drafts: z.int().min(1).optional(),
});
export type Limits = z.infer<typeof Limits>;

export const defaultLimits: Limits = {
  retriesPerStep: 3,
  corrections: 10,
  addedSteps: 10,
  addedStepsPerCorrection: 3,
  money: 2,
  tokens: 500_000,
  wallMs: null,
};

/** The limits of a run that is stuck, as wide as they have to be for a few more tries. */
export const moreAttempts = ({ retriesPerStep, corrections, addedSteps }: Limits): Partial<Limits> => ({
  retriesPerStep: retriesPerStep + 3,
  corrections: corrections + 5,
  addedSteps: addedSteps + 5,
});

export const RunOptions = z.strictObject({
  mode: Mode,
  onFailure: OnFailure,
  onAsk: OnAsk,
  onInterrupt: OnInterrupt,
  limits: Limits,
  /** For steps that set none of their own; null: no limit. */
  stepTimeoutMs: z.int().positive().nullable(),
  /** Steps that the person left out (`--from`, `--only`). Their dependents run as if they had succeeded. */
  excluded: z.array(z.string()),
  inputs: z.record(z.string(), z.string()),
  /** Left out: none are taken. */
  checkpoints: CheckpointPolicy.optional(),
  /** The model that a person would have asked first about whatever fails; left out, the chain is as it is set. */
  brain: ModelName.optional(),
});
export type RunOptions = z.infer<typeof RunOptions>;

export const defaultOptions: RunOptions = {
  mode: 'planner',
  onFailure: 'stop',
  onAsk: 'wait',
  onInterrupt: 'ask',
  limits: defaultLimits,
  stepTimeoutMs: null,
  excluded: [],
  inputs: {},
};
