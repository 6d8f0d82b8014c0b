import { z } from 'zod';
import { CheckpointPolicy, defaultLimits, MAX_DRAFTS, OnFailure } from './options.ts';
import { Mode, Shell } from './plan.ts';

/** What `--on-ask` takes. `park` leaves the run waiting; `fail` stops it; `deny` takes silence for a no. */
export const OnAskPolicy = z.enum(['fail', 'deny', 'park']);
export type OnAskPolicy = z.infer<typeof OnAskPolicy>;

/** What it is where nobody says, and what it means. */
const setting = <T extends z.ZodType>(schema: T, usual: z.util.NoUndefined<z.output<T>>, about: string) =>
  schema.default(usual).describe(about);
const nullable = <T extends z.ZodType>(schema: T, about: string) =>
  schema.nullable().default(null).describe(about);

const names = z
  .string()
  .regex(/^\s*[\w.-]+\/[^\s,]+(\s*,\s*[\w.-]+\/[^\s,]+)*\s*$/, 'takes PROVIDER/MODEL, and more after commas');
const chain = (does: string) =>
  nullable(
    names,
    `PROVIDER/MODEL that ${does}, and those to fall back on, after commas; unset: what is found here`,
  );
const positive = z.int().positive();
const whole = z.int().min(0);

/**
 * Every setting there is, for every source of settings: flags, environment, workspace file, user file. Keys are
 * flat so that `planwright config set limits.corrections 5` and PLANWRIGHT_LIMITS_CORRECTIONS=5 name the same.
 */
export const Config = z.strictObject({
  mode: setting(Mode, 'planner', 'How a run goes when neither the plan nor a flag says so'),
  shell: setting(Shell, 'bash', 'The shell that plans are made for when a goal is planned'),
  'on-failure': setting(OnFailure, 'stop', 'What a run does when a step fails'),
  checkpoints: setting(
    CheckpointPolicy,
    'auto',
    'Whether the folder is kept before each step that is not safe, so that a run can be undone',
  ),
  'on-ask': setting(OnAskPolicy, 'fail', 'What a run does where it needs a person and has no terminal'),
  'on-interrupt': setting(
    z.enum(['rerun', 'skip', 'stop']),
    'stop',
    'What becomes of a step of which nobody knows whether it was done, without a terminal',
  ),
  'step-timeout': nullable(positive, 'Seconds that a step may take; unset: no limit'),
  'limits.wall-time': nullable(positive, 'Seconds that a run may work, waiting left out; unset: no limit'),
  'limits.retries': setting(
    whole,
    defaultLimits.retriesPerStep,
    'Attempts of a step after its first, in agentic mode',
  ),
  'limits.corrections': setting(
    whole,
    defaultLimits.corrections,
    'Corrections that a run may be given by brains',
  ),
  'limits.added-steps': setting(whole, defaultLimits.addedSteps, 'Steps that corrections may add to a plan'),
  'limits.money': setting(z.number().min(0), defaultLimits.money, 'Dollars that a run may spend on models'),
  'limits.tokens': setting(
    whole,
    defaultLimits.tokens,
    'Tokens that a run may use of models whose price is not known',
  ),
  'limits.drafts': setting(
    z.int().min(1),
    MAX_DRAFTS,
    'Drafts of a plan that may be asked for before planning is given up',
  ),
  'models.planner': chain('writes plans'),
  'models.brain': chain('mends failed steps'),
  'models.fast': chain('summarises and explains'),
  'models.chat': chain('talks'),
  'models.url': nullable(
    z.url({ protocol: /^https?$/ }),
    'Where a server that speaks the OpenAI protocol answers, for compatible/MODEL',
  ),
  'models.timeout': setting(positive, 120, 'Seconds that one call of a model may take'),
  'models.prices': nullable(z.string(), 'A JSON file with prices that are not in the table, or are others'),
  'models.explain': setting(
    z.boolean(),
    true,
    'Whether the fast model adds its words to what teacher mode and `why` explain',
  ),
  'models.recording': setting(
    z.enum(['off', 'record', 'replay']),
    'off',
    'Whether calls of models are recorded, or answered from what was recorded',
  ),
  sandbox: setting(
    z.enum(['off', 'corrections', 'all']),
    'corrections',
    'Which steps run in a sandbox: none, those that no person has seen, or all',
  ),
  'brain-program': nullable(
    z.string().min(1),
    'A program that is asked first how to mend a failed step; unset: none',
  ),
  'brain-timeout': setting(z.number().positive(), 30, 'Seconds that brain-program may take to answer'),
  'planner.name': setting(z.string().min(1), 'Planwright', 'Who plans: the name that the planner is given'),
  'planner.backstory': setting(
    z.string(),
    'A careful engineer who plans work in small steps that can be checked.',
    'What the planner is told about itself',
  ),
  'runs.most': nullable(
    z.int().min(1).max(10_000),
    'How many runs servers and workers drive at the same time, over all machines; unset: no limit',
  ),
  lease: nullable(
    z.number().min(1).max(3600),
    'Seconds after which others may take what a process drives that is not heard of; unset: 30, in a fleet 60',
  ),
  'source.protocols': setting(
    z
      .string()
      .regex(
        /^(?:https|ssh|http|file)(?:,(?:https|ssh|http|file))*$/,
        'takes https, ssh, http and file, with commas',
      ),
    'https,ssh',
    'How git sources of runs may be reached: https, ssh, http and file, with commas between them',
  ),
  concurrency: setting(z.int().min(1).max(64), 4, 'How many runs one process drives at a time'),
  'agents.most': setting(z.int().min(1).max(64), 8, 'How many coding agents may be at work at the same time'),
  'clients.decide': nullable(
    z.string().regex(/^\s*[^\s,]+(\s*,\s*[^\s,]+)*\s*$/, 'takes names of clients, after commas'),
    'Clients through which you may decide, by the names that they give, after commas; unset: none. Your own file alone says so',
  ),
  'kill-grace': setting(z.number().min(0), 5, 'Seconds between asking a process to end and making it'),
  'keep.days': setting(whole.max(36_500), 30, 'Days that a finished run is kept'),
  'keep.runs': setting(whole, 20, 'How many finished runs are kept however old they are'),
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
