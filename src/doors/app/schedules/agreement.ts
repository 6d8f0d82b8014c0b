import { isAbsolute, relative, resolve } from 'node:path';
import { type Config, hashPlan, type Plan } from '../../../core/contract/index.ts';
import type { ScheduleAgreement, ScheduleState } from '../../../core/contract/schedules/index.ts';
import { voidWords } from '../../../core/contract/told/index.ts';
import { type Problem, renderProblem } from '../../../core/plan/index.ts';
import type { Held } from '../../../core/schedules/index.ts';
import { readTimes } from '../../../world/calendar/index.ts';
import { variablesNamed } from '../environment.ts';
import { AppError, exitCodes } from '../errors.ts';
import { completeInputs } from '../inputs.ts';
import { type RunChoices, runOptions } from '../options.ts';
import type { Env } from '../places.ts';
import { type LoadedPlan, loadPlan } from '../plans.ts';

/** What a person would have done, and when. */
export interface WantedSchedule extends Pick<ScheduleAgreement, 'cron'> {
  /** As typed: a relative path begins in the folder that it runs in. */
  file: string;
  only?: string | undefined;
  tz?: string | undefined;
  missed?: ScheduleAgreement['missed'] | undefined;
  inputs?: Record<string, string>;
  choices?: Pick<RunChoices, 'mode' | 'onAsk' | 'onFailure' | 'onInterrupt' | 'limits'>;
}

export type Agreeable =
  | { ok: true; agreement: ScheduleAgreement; problems: Problem[] }
  | { ok: false; problems: Problem[] };

/** The zone of this machine. */
const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * What there is to be agreed to, as the file says it now. Throws an AppError where the times cannot be read, an input is
 * missing, or somebody would have to be there.
 */
export async function agreementOf(
  wanted: WantedSchedule,
  { workspace, config, env }: { workspace: string; config: Config; env: Env },
): Promise<Agreeable> {
  const { cron, tz = zoneHere(), missed = 'once', only, choices = {} } = wanted;
  const problem = readTimes({ cron, tz });
  if (problem !== null) throw new AppError('usage', problem);
  const file = resolve(workspace, wanted.file);
  const source = { file, ...(only === undefined ? {} : { only }) };
  const loaded = await readSource(source, workspace, env);
  if (!loaded.ok) return loaded;
  const { plan, problems } = loaded;
  mustRunAlone(plan);
  const onAsk = choices.onAsk ?? 'park';
  const inputs = await completeInputs(plan, wanted.inputs ?? {}, null);
  const options = runOptions(config, plan, { ...choices, onAsk, attended: onAsk === 'park', inputs });
  const environment = variablesNamed(env, plan);
  return {
    ok: true,
    problems,
    agreement: { cron, tz, missed, source, plan, hash: hashPlan(plan), options, environment },
  };
}

/** The same again of what the file says now. */
export const agreementAgain = (
  { agreement, place }: ScheduleState,
  given: { config: Config; env: Env },
): Promise<Agreeable> => {
  const { cron, tz, missed, source, options } = agreement!;
  const { mode, onAsk, onFailure, limits, inputs } = options;
  const declared = { mode, onFailure, limits, onAsk: onAsk === 'wait' ? ('park' as const) : onAsk };
  return agreementOf(
    { ...{ cron, tz, missed, inputs, choices: declared }, ...source },
    { ...given, workspace: place.workspace },
  );
};

function mustRunAlone(plan: Plan): void {
  const alone = plan.steps.find(({ interactive }) => interactive === true);
  if (alone === undefined) return;
  const why = `step ${JSON.stringify(alone.title)} has to be answered at a terminal, and a schedule has none`;
  throw new AppError('usage', why, { exitCode: exitCodes.needsPerson });
}

/** Whatever reads it, and whenever: the same text in the same folder is the same plan. */
function readSource(
  { file, only }: ScheduleAgreement['source'],
  workspace: string,
  env: Env,
): Promise<LoadedPlan> {
  const within = relative(workspace, file);
  const path = within.startsWith('..') || isAbsolute(within) ? file : within;
  return loadPlan({ path, cwd: workspace, workspace, env, only });
}

/** Whether what was agreed to is what the file says, and what the plan names is set here. */
export async function stillHolds({ agreement, place }: ScheduleState, env: Env): Promise<Held> {
  const { source, hash, plan, environment } = agreement!;
  const loaded = await readSource(source, place.workspace, env);
  const not = (why: keyof typeof voidWords, what: string): Held => ({
    ok: false,
    why,
    message: voidWords[why](what),
  });
  if (!loaded.ok) return not('unreadable', loaded.problems.map(renderProblem).join('\n'));
  if (hashPlan(loaded.plan) !== hash) return not('changed', source.file);
  const set = new Set(variablesNamed(env, plan));
  const missing = environment.filter((name) => !set.has(name));
  return missing.length === 0 ? { ok: true } : not('environment', missing.join(', '));
}
