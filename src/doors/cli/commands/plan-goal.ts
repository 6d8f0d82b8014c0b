import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { toPlanFile } from '../../../core/plan/file/index.ts';
import { withSaid } from '../../../core/plan/templates/index.ts';
import type { App } from '../../app/app.ts';
import { ownerAt } from '../../app/asker.ts';
import { AppError, type ExitCode, exitCodes } from '../../app/errors.ts';
import { templateFor } from '../../app/templates.ts';
import { attend } from '../attend.ts';
import type { Given } from '../command.ts';
import { type Context, isAttended, note } from '../context.ts';
import { chooseView, type RunScreen } from '../screens/index.ts';
import { withApp } from '../with-app.ts';
import { beginGoal } from './begin-goal.ts';

/** Makes a plan from a goal, agrees on it where somebody is there, and keeps it: nothing is run. */
export async function planGoal(context: Context, given: Given, goal: string): Promise<ExitCode> {
  const keep = keeper(context, given);
  const code = await withApp(context, given, async (app) => {
    const id = await beginGoal(app, context, given, goal, { attended: true });
    return id === null ? null : planAndKeep(app, context, given, id, keep);
  });
  if (code !== null) return code;
  const template = templateFor(goal);
  note(context, `Using the template ${template.name}: ${template.about}.`);
  keep(toPlanFile(withSaid(template.plan, goal).plan));
  return exitCodes.done;
}

async function planAndKeep(
  app: App,
  context: Context,
  given: Given,
  id: string,
  keep: Keep,
): Promise<ExitCode> {
  const attended = isAttended(context);
  const view = quietWhenPlanned(chooseView(context, { id, json: false, verbose: given.flag('verbose') }));
  const agreement = attended && !given.flag('yes') ? 'keep' : 'show';
  const code = await attend({ app, id, context, view, attended, agreement });
  const { plan, status } = await app.runs.state(id);
  if (status !== 'agreeing' || code === exitCodes.interrupted) return code;
  keep(toPlanFile(plan!));
  // The plan lives on in its file; a run that nobody will start would wait for ever.
  await app.runs.request(
    id,
    { type: 'cancel-requested', reason: 'kept as a plan' },
    { by: ownerAt('terminal') },
  );
  await app.runs.drive(id);
  return exitCodes.done;
}

/** That a plan waits to be agreed on is no news to whoever is about to be given it. */
const quietWhenPlanned = (view: RunScreen): RunScreen => ({
  ...view,
  finish(state, changes) {
    if (state.status === 'agreeing') view.suspend();
    else view.finish(state, changes);
  },
});

export type Keep = (text: string) => void;

/** Where a plan goes: the file that `--output` names, or stdout. Throws at once where the file is there already. */
export function keeper(context: Context, given: Given): Keep {
  const file = given.text('output');
  if (file === undefined) return (text) => void context.stdout.write(text);
  const path = resolve(context.cwd, file);
  if (existsSync(path)) throw new AppError('usage', `${file} is there already: name another file`);
  return (text) => {
    try {
      writeFileSync(path, text, { flag: 'wx' });
    } catch (cause) {
      // It has cost something: it is not lost with the file.
      context.stdout.write(text);
      throw new AppError('usage', `${file} cannot be written; the plan is on stdout`, { cause });
    }
    note(context, `The plan is in ${file}: planwright run ${file}`);
  };
}
