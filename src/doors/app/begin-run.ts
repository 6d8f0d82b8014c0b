import type { CreateRun, RunOptions } from '../../core/contract/index.ts';
import { withSaid } from '../../core/plan/templates/index.ts';
import type { App } from './app.ts';
import type { Asker } from './asker.ts';
import { loadConfig } from './config.ts';
import { runOptions } from './options.ts';
import type { Env } from './places.ts';
import { plannerChain } from './planning.ts';
import { checkPlan, type LoadedPlan, loadPlan, readPlanText } from './plans.ts';
import { assertTemplatesFit, templateFile, templateFor } from './templates.ts';

/** A run that somebody asks for from afar, in a folder that is known already (a real path). */
export interface RunWanted extends Omit<CreateRun, 'workspace' | 'agreed'> {
  workspace: string;
  /** Who agrees on the plan at once. Never of a goal: its plan is still to be made. */
  agreed?: Asker;
}

/** The run, or what is wrong with its plan. `problems` of a run are warnings. */
export type BegunRun = ({ ok: true; id: string } | { ok: false }) & Pick<LoadedPlan, 'problems'>;

/**
 * Makes a run; it is the caller's to drive. A goal is planned; without a model it is the template about it. Throws an
 * AppError where nothing fits the goal, or an input is missing.
 */
export async function beginRun(app: App, env: Env, wanted: RunWanted): Promise<BegunRun> {
  const id = await planGoal(app, env, wanted);
  return id === null ? runPlan(app, env, wanted) : { ok: true, id, problems: [] };
}

/** Null where it is no goal, or where there is nobody to plan it. */
async function planGoal(app: App, env: Env, wanted: RunWanted): Promise<string | null> {
  const { source, workspace, mode, options, key, shell } = wanted;
  if (!('goal' in source)) return null;
  const chain = await plannerChain(await app.models());
  const { values } = loadConfig({ places: app.places, env, workspace });
  if (chain.planner.length === 0) {
    assertTemplatesFit(shell ?? values.shell);
    return null;
  }
  const usual = runOptions(values, {}, { attended: true, ...(mode === undefined ? {} : { mode }) });
  return app.runs.plan({
    goal: source.goal,
    workspace,
    options: chosen(usual, options),
    chain,
    shell: shell ?? values.shell,
    ...(key === undefined ? {} : { key }),
  });
}

async function runPlan(app: App, env: Env, wanted: RunWanted): Promise<BegunRun> {
  const { source, workspace, inputs = {}, excluded = [], mode, options, agreed, key, gitSource } = wanted;
  const loaded = await load(source, { workspace, env });
  if (!loaded.ok) return loaded;
  const { plan, problems } = loaded;
  const { values } = loadConfig({ places: app.places, env, workspace });
  const usual = runOptions(values, plan, {
    attended: true,
    excluded,
    inputs,
    ...(mode === undefined ? {} : { mode }),
  });
  const id = await app.runs.create({
    plan,
    workspace,
    options: chosen(usual, options),
    ...(gitSource === undefined ? {} : { gitSource: await app.sources.resolve(gitSource) }),
    ...(agreed === undefined ? {} : { agreed }),
    ...(key === undefined ? {} : { key }),
  });
  return { ok: true, id, problems };
}

async function load(
  source: CreateRun['source'],
  place: { workspace: string; env: Env },
): Promise<LoadedPlan> {
  if ('goal' in source) {
    const path = templateFile(templateFor(source.goal));
    const loaded = await loadPlan({ path, cwd: place.workspace, ...place });
    return loaded.ok ? { ...loaded, plan: withSaid(loaded.plan, source.goal).plan } : loaded;
  }
  if ('plan' in source) return checkPlan(source.plan, place);
  const usualName = source.kind === 'plan' ? 'plan.yaml' : 'runbook.md';
  return readPlanText({ ...source, name: source.name ?? usualName }, place);
}

function chosen(
  usual: RunOptions,
  { limits, ...others }: NonNullable<CreateRun['options']> = {},
): RunOptions {
  return { ...usual, ...others, limits: { ...usual.limits, ...limits } } as RunOptions;
}
