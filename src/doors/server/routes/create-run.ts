import type { CreateRun, Routes, RunOptions } from '../../../core/contract/index.ts';
import {
  assertTemplatesFit,
  checkPlan,
  completeInputs,
  type LoadedPlan,
  loadConfig,
  loadPlan,
  plannerChain,
  readPlanText,
  runOptions,
  templateFile,
  templateFor,
  typedWorkspace,
} from '../../app/index.ts';
import { HttpError } from '../http/errors.ts';
import type { Call, Desk } from './handler.ts';

type Given = Call<Routes['createRun']>;

/** Makes a run and sees to it that it is driven. A goal is planned; without a model it is the template about it. */
export async function createRun(
  desk: Desk,
  call: Given,
): Promise<{ id: string; problems: LoadedPlan['problems'] }> {
  const { app, drivers } = desk;
  const { source, workspace: named } = call.body;
  const workspace = named === undefined ? app.workspace : typedWorkspace(app.workspace, named, desk.env);
  const made = (await planGoal(desk, call, workspace)) ?? (await runPlan(desk, call, workspace, source));
  drivers.dispatch(made.id);
  return made;
}

/** Null where it is no goal, or where there is nobody to plan it. */
async function planGoal({ app, env }: Desk, { body }: Given, workspace: string) {
  const { source, mode, options, agreed, key, shell } = body;
  if (!('goal' in source)) return null;
  if (agreed === true) {
    throw new HttpError(
      400,
      'not-agreed',
      'a plan that is still to be made cannot be agreed on: leave agreed out',
    );
  }
  const chain = await plannerChain(await app.models());
  const { values } = loadConfig({ places: app.places, env, workspace });
  if (chain.planner.length === 0) {
    assertTemplatesFit(shell ?? values.shell);
    return null;
  }
  const usual = runOptions(values, {}, { attended: true, ...(mode === undefined ? {} : { mode }) });
  const id = await app.runs.plan({
    goal: source.goal,
    workspace,
    options: chosen(usual, options),
    chain,
    shell: shell ?? values.shell,
    ...(key === undefined ? {} : { key }),
  });
  return { id, problems: [] };
}

async function runPlan(
  { app, env }: Desk,
  { body, asker }: Given,
  workspace: string,
  source: CreateRun['source'],
) {
  const { inputs = {}, excluded = [], mode, options, agreed, key } = body;
  const loaded = await load(source, { workspace, env });
  if (!loaded.ok) {
    const first = loaded.problems.find(({ severity }) => severity === 'error') ?? loaded.problems[0];
    throw new HttpError(422, 'plan-invalid', first?.message ?? 'this is no plan', loaded.problems);
  }
  const { plan, problems } = loaded;
  const { values } = loadConfig({ places: app.places, env, workspace });
  const usual = runOptions(values, plan, {
    attended: true,
    excluded,
    inputs: await completeInputs(plan, inputs, null),
    ...(mode === undefined ? {} : { mode }),
  });
  const id = await app.runs.create({
    plan,
    workspace,
    options: chosen(usual, options),
    ...(agreed === true ? { agreed: asker } : {}),
    ...(key === undefined ? {} : { key }),
  });
  return { id, problems };
}

type Place = { workspace: string; env: Desk['env'] };

function load(source: CreateRun['source'], place: Place): Promise<LoadedPlan> {
  if ('goal' in source) {
    return loadPlan({ path: templateFile(templateFor(source.goal)), cwd: place.workspace, ...place });
  }
  if ('plan' in source) return checkPlan(source.plan, place);
  const usualName = source.kind === 'plan' ? 'plan.yaml' : 'runbook.md';
  return readPlanText({ ...source, name: source.name ?? usualName }, place);
}

function chosen(
  usual: RunOptions,
  { limits, ...others }: NonNullable<Given['body']['options']> = {},
): RunOptions {
  return { ...usual, ...others, limits: { ...usual.limits, ...limits } } as RunOptions;
}
