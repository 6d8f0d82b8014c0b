import type { App } from '../../app/app.ts';
import { runOptions } from '../../app/options.ts';
import { plannerChain } from '../../app/planning.ts';
import { assertTemplatesFit } from '../../app/templates.ts';
import type { Given } from '../command.ts';
import type { Context } from '../context.ts';
import { runChoices, shellIn } from './run-choices.ts';

/** Makes the run that a goal is planned in, and answers its id; null where there is nobody to plan it, and a template may do. */
export async function beginGoal(
  app: App,
  context: Context,
  given: Given,
  goal: string,
  { attended }: { attended: boolean },
): Promise<string | null> {
  const chain = await plannerChain(await app.models());
  if (chain.planner.length === 0) {
    assertTemplatesFit(shellIn(app, given));
    return null;
  }
  const options = runOptions(app.config.values, {}, runChoices(context, given));
  const { workspace } = app;
  return app.runs.plan({ goal, workspace, options, chain, shell: shellIn(app, given), attended });
}
