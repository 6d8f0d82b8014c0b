import type { Routes } from '../../../core/contract/index.ts';
import { beginRun } from '../../app/begin-run.ts';
import type { LoadedPlan } from '../../app/plans.ts';
import { typedWorkspace } from '../../app/typed-folder.ts';
import { HttpError } from '../http/errors.ts';
import type { Call, Desk } from './handler.ts';

/** Makes a run and sees to it that it is driven. */
export async function createRun(
  { app, env, drivers }: Desk,
  { body, asker }: Call<Routes['createRun']>,
): Promise<{ id: string; problems: LoadedPlan['problems'] }> {
  const { workspace: named, agreed, ...wanted } = body;
  const workspace = named === undefined ? app.workspace : typedWorkspace(app.workspace, named, env);
  if ('goal' in wanted.source && wanted.gitSource !== undefined)
    throw new HttpError(400, 'invalid', 'a goal is planned in a folder that is there: leave gitSource out');
  if ('goal' in wanted.source && agreed === true) {
    throw new HttpError(
      400,
      'not-agreed',
      'a plan that is still to be made cannot be agreed on: leave agreed out',
    );
  }
  const begun = await beginRun(app, env, {
    ...wanted,
    workspace,
    ...(agreed === true ? { agreed: asker } : {}),
  });
  const { problems } = begun;
  if (!begun.ok) {
    const first = problems.find(({ severity }) => severity === 'error') ?? problems[0];
    throw new HttpError(422, 'plan-invalid', first?.message ?? 'this is no plan', problems);
  }
  drivers.dispatch(begun.id);
  return { id: begun.id, problems };
}
