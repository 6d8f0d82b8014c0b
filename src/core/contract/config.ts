import { z } from 'zod';
import { CheckpointPolicy, defaultLimits, MAX_DRAFTS, OnFailure } from './options.ts';
import { Mode } from './plan.ts';

/** What `--on-ask` takes. `park` leaves the run waiting; `fail` stops it; `deny` takes silence for a no. */
export const OnAskPolicy = z.enum(['fail', 'deny', 'park']);
export type OnAskPolicy = z.infer<typeof OnAskPolicy>;

const chain = (does: string) =>
  z
    .string()
    .regex(
      /^\s*[\w.-]+\/[^\s,]+(\s*,\s*[\w.-]+\/[^\s,]+)*\s*$/,
      'takes PROVIDER/MODEL, and more after commas',
    )
    .nullable()
    .default(null)
    .describe(
      `PROVIDER/MODEL that ${does}, and those to fall back on, after commas; null: what is found here`,
    );

/**
 * Every setting there is, for every source of settings: flags, environment, workspace file, user file. Keys are
 * flat so that `planwright config set limits.corrections 5` and PLANWRIGHT_LIMITS_CORRECTIONS=5 name the same.
 */
export const Config = z.strictObject({
  mode: Mode.default('planner').describe('How a run goes when neither the plan nor a flag says so'),
  'on-failure': OnFailure.default('stop').describe('What a run does when a step fails'),
  checkpoints: CheckpointPolicy.default('auto').describe(
    'Whether the folder is kept before each step that is not safe, so that a run can be undone',
  ),
  'on-ask': OnAskPolicy.default('fail').describe(
    'What a run does where it needs a person and has no terminal',
  ),
  'on-interrupt': z
    .enum(['rerun', 'skip', 'stop'])
    .default('stop')
    .describe('What becomes of a step of which nobody knows whether it was done, without a terminal'),
  'step-timeout': z
    .int()
    .positive()
    .nullable()
    .default(null)
    .describe('Seconds that a step may take; null: no limit'),
  'limits.wall-time': z
    .int()
    .positive()
    .nullable()
    .default(null)
    .describe('Seconds that a run may work, waiting left out; null: no limit'),
  'limits.retries': z
    .int()
    .min(0)
    .default(defaultLimits.retriesPerStep)
    .describe('Attempts of a step after its first, in agentic mode'),
  'limits.corrections': z
    .int()
    .min(0)
    .default(defaultLimits.corrections)
    .describe('Corrections that a run may be given by brains'),
  'limits.added-steps': z
    .int()
    .min(0)
    .default(defaultLimits.addedSteps)
    .describe('Steps that corrections may add to a plan'),
  'limits.money': z
    .number()
    .min(0)
    .default(defaultLimits.money)
    .describe('Dollars that a run may spend on models'),
  'limits.tokens': z
    .int()
    .min(0)
    .default(defaultLimits.tokens)
    .describe('Tokens that a run may use of models whose price is not known'),
  'limits.drafts': z
    .int()
    .min(1)
    .default(MAX_DRAFTS)
    .describe('Drafts of a plan that may be asked for before planning is given up'),
  'models.planner': chain('writes plans'),
  'models.brain': chain('mends failed steps'),
  'models.fast': chain('summarises and explains'),
  'models.chat': chain('talks'),
  'models.url': z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null)
    .describe('Where a server that speaks the OpenAI protocol answers, for compatible/MODEL'),
  'models.timeout': z.int().positive().default(120).describe('Seconds that one call of a model may take'),
  'models.prices': z
    .string()
    .nullable()
    .default(null)
    .describe('A JSON file with prices that are not in the table, or are others'),
  'models.explain': z
    .boolean()
    .default(true)
    .describe('Whether the fast model adds its words to what teacher mode and `why` explain'),
  'models.recording': z
    .enum(['off', 'record', 'replay'])
    .default('off')
    .describe('Whether calls of models are recorded, or answered from what was recorded'),
  sandbox: z
    .enum(['off', 'corrections', 'all'])
    .default('corrections')
    .describe('Which steps run in a sandbox: none, those that no person has seen, or all'),
  'brain-program': z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe('A program that is asked first how to mend a failed step; null: none'),
  'brain-timeout': z
    .number()
    .positive()
    .default(30)
    .describe('Seconds that brain-program may take to answer'),
  'planner.name': z
    .string()
    .min(1)
    .default('Planwright')
    .describe('Who plans: the name that the planner is given'),
  'planner.backstory': z
    .string()
    .default('A careful engineer who plans work in small steps that can be checked.')
    .describe('What the planner is told about itself'),
  concurrency: z.int().min(1).max(64).default(4).describe('How many runs one process drives at a time'),
  'kill-grace': z
    .number()
    .min(0)
    .default(5)
    .describe('Seconds between asking a process to end and making it'),
  'keep.days': z.int().min(0).default(30).describe('Days that a finished run is kept'),
  'keep.runs': z.int().min(0).default(20).describe('How many finished runs are kept however old they are'),
});
export type Config = z.infer<typeof Config>;
export type ConfigKey = keyof Config;

export const configKeys = Object.keys(Config.shape) as ConfigKey[];

/** A few settings, as one source gives them: what it leaves out stays out, so that weaker sources can speak. */
export const PartialConfig = z.strictObject(
  Object.fromEntries(
    Object.entries(Config.shape).map(([key, field]) => [key, field.removeDefault().optional()]),
  ),
) as unknown as z.ZodType<PartialConfig>;
export type PartialConfig = { [K in ConfigKey]?: Config[K] };
