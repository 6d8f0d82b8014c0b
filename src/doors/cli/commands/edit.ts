import type { RequestBody, RunState } from '../../../core/contract/index.ts';
import { planStep } from '../../../core/contract/index.ts';
import { editedPatch, parseAction } from '../../../core/plan/index.ts';
import type { App } from '../../app/app.ts';
import { ownerAt } from '../../app/asker.ts';
import { AppError, type ExitCode, exitCodes } from '../../app/errors.ts';
import { asking } from '../../app/options.ts';
import { loadPlan } from '../../app/plans.ts';
import { attend } from '../attend.ts';
import { atMost, type CommandCode, type Given } from '../command.ts';
import { type Context, isAttended, note } from '../context.ts';
import { meantRun } from '../meant-run.ts';
import { noteProblems } from '../problems.ts';
import { answerTo, stepIdOf } from '../request.ts';
import { chooseView } from '../screens/index.ts';
import { withApp } from '../with-app.ts';

/** Changes a step, or the whole plan, of a run that is not over; one that a failure stopped then goes on. */
export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      const [named] = atMost(given, 1);
      const { id } = await meantRun(app, context, given, named, 'mend');
      const state = await app.runs.state(id);
      if (state.plan === null) throw new AppError('no-plan', `run ${id} has no plan yet`);
      const body = await changeOf(context, given, state);
      if (body === null) {
        note(context, 'Nothing was changed.');
        return exitCodes.done;
      }
      return change(app, context, given, { id, state, body });
    }),
};

async function changeOf(context: Context, given: Given, state: RunState): Promise<RequestBody | null> {
  const file = given.text('plan');
  if (file !== undefined) return fromFile(context, state, file);
  const action = given.text('action');
  const named = given.text('step');
  if (action !== undefined) return fromAction(state, stepIdOf(state, named), action);
  if (!isAttended(context))
    throw new AppError('usage', 'there is no terminal for an editor: give --action or --plan');
  const hasOne = named !== undefined || state.steps.some(({ status }) => status === 'failed');
  const { edited } = await import('../put-question.ts');
  if (hasOne) return edited(context, state, stepIdOf(state, named));
  const { editWholePlan } = await import('../edit.ts');
  return editWholePlan(context, state);
}

const reason = 'edited by a person';

function fromAction(state: RunState, stepId: string, text: string): RequestBody | null {
  const parsed = parseAction(text);
  if (!parsed.ok) throw new AppError('plan-invalid', `--action: ${parsed.error.message}`);
  const step = { ...planStep(state, stepId)!, action: parsed.action };
  const patch = [{ op: 'replace' as const, stepId, step }];
  return { type: 'edit-requested', baseRevision: state.plan!.revision, patch, reason };
}

async function fromFile(context: Context, state: RunState, path: string): Promise<RequestBody | null> {
  const { cwd, env } = context;
  const loaded = await loadPlan({ path, cwd, env, workspace: state.workspace });
  noteProblems(context, loaded.problems);
  if (!loaded.ok) throw new AppError('plan-invalid', `${path} is no valid plan: nothing was changed`);
  const { revision } = state.plan!;
  const patch = editedPatch(state.plan!, loaded.plan);
  return patch.length === 0 ? null : { type: 'edit-requested', baseRevision: revision, patch, reason };
}

async function change(
  app: App,
  context: Context,
  given: Given,
  { id, state, body }: { id: string; state: RunState; body: RequestBody },
): Promise<ExitCode> {
  const by = ownerAt('terminal');
  const asked = await app.runs.request(id, body, { by });
  const refusal = await answerTo(app, id, asked);
  if (refusal !== null) {
    note(context, `Refused: ${refusal}.`);
    return exitCodes.failed;
  }
  note(context, `Edited: run ${id}`);
  if (given.flag('stay') || (state.status !== 'failed' && state.status !== 'paused')) return exitCodes.done;
  const attended = isAttended(context);
  const more = asking(app.config.values, { attended });
  const resumed = await app.runs.request(id, { type: 'resume-requested', ...more }, { by });
  const view = chooseView(context, { id, json: given.flag('json') });
  const agreement = attended ? 'ask' : undefined;
  return attend({ app, id, context, view, attended, after: resumed - 1, asked: resumed, agreement });
}
