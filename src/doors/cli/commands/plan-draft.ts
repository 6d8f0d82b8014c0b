import { planFileOf } from '../../app/drafts.ts';
import { AppError, type ExitCode, exitCodes } from '../../app/errors.ts';
import { loadPlan } from '../../app/plans.ts';
import { attend } from '../attend.ts';
import type { Given } from '../command.ts';
import { type Context, isAttended, note } from '../context.ts';
import { meantRun } from '../meant-run.ts';
import { noteProblems } from '../problems.ts';
import { askOfRun } from '../request.ts';
import { chooseView } from '../screens/index.ts';
import { withApp } from '../with-app.ts';
import { keeper } from './plan-goal.ts';

/** Prints the plan of a run; where planning was given up, its best draft with the problems marked. */
export function printDraft(context: Context, given: Given, prefix: string | undefined): Promise<ExitCode> {
  const keep = keeper(context, given);
  return withApp(context, given, async (app) => {
    const { id } = await meantRun(app, context, given, prefix);
    const exact = await app.runs.state(id);
    const text = await planFileOf(app.redactorFor(exact).value(exact));
    if (text === null) throw new AppError('no-plan', `run ${id} has neither a plan nor a draft`);
    keep(text);
    if (exact.plan === null) note(context, `When it is mended: planwright plan give ${id} FILE`);
    return exitCodes.done;
  });
}

/** Gives a plan to a run whose planner made none: then it is agreed on as any other. */
export async function givePlan(
  context: Context,
  given: Given,
  prefix: string,
  path: string,
): Promise<ExitCode> {
  const { cwd, env } = context;
  const { id, loaded } = await withApp(context, given, async (app) => {
    const row = await meantRun(app, context, given, prefix, 'mend');
    return { id: row.id, loaded: await loadPlan({ path, cwd, env, workspace: row.workspace }) };
  });
  noteProblems(context, loaded.problems);
  if (!loaded.ok) return exitCodes.usage;
  const { plan } = loaded;
  const code = await askOfRun(context, given, id, 'mend', { type: 'plan-given', plan }, 'Given');
  if (code !== exitCodes.done) return code;
  if (!isAttended(context)) {
    note(context, 'It waits to be agreed on: planwright resume, with --yes where nobody is there.');
    return code;
  }
  return withApp(context, given, async (app) => {
    const { seq } = await app.runs.state(id);
    const view = chooseView(context, { id, json: false });
    return attend({ app, id, context, view, attended: true, agreement: 'ask', after: seq });
  });
}
