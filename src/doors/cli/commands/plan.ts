import { count } from '../../../core/contract/index.ts';
import { planFileSchema } from '../../../core/plan/file/index.ts';
import { AppError, type ExitCode, exitCodes } from '../../app/errors.ts';
import { findWorkspace } from '../../app/places.ts';
import { isGoal, isPlanName, loadPlan } from '../../app/plans.ts';
import { atMost, type CommandCode, type Given } from '../command.ts';
import { type Context, note, print, printJson } from '../context.ts';
import { problemLines } from '../problems.ts';

export const command: CommandCode = {
  async run(context, given) {
    const [verb, file, last] = atMost(given, 3);
    if (verb === 'give' && file !== undefined && last !== undefined) {
      const { givePlan } = await import('./plan-draft.ts');
      return givePlan(context, given, file, last);
    }
    if (last !== undefined) throw new AppError('usage', `usage: planwright ${given.usage}`);
    if (verb === 'schema') {
      printJson(context, planFileSchema());
      return exitCodes.done;
    }
    if (verb === 'validate' && file !== undefined) return validate(context, given, file);
    if (verb === 'check') {
      const { checkAnswers } = await import('./plan-check.ts');
      return checkAnswers(context, given, file);
    }
    if (verb === 'draft') {
      const { printDraft } = await import('./plan-draft.ts');
      return printDraft(context, given, file);
    }
    if (verb !== undefined && file === undefined && isGoal(verb)) {
      const { planGoal } = await import('./plan-goal.ts');
      return planGoal(context, given, verb);
    }
    // A file that is a plan already is looked at.
    if (verb !== undefined && file === undefined && isPlanName(verb)) return validate(context, given, verb);
    throw new AppError('usage', `usage: planwright ${given.usage}`);
  },
};

async function validate(context: Context, given: Given, path: string): Promise<ExitCode> {
  const { cwd, env } = context;
  const workspace = findWorkspace(cwd, given.text('workspace'));
  const loaded = await loadPlan({ path, cwd, env, workspace });
  if (given.flag('json')) printJson(context, { ok: loaded.ok, problems: loaded.problems });
  else for (const line of problemLines(context, loaded.problems, 'stdout')) print(context, line);
  if (!loaded.ok) return exitCodes.usage;
  if (!given.flag('json')) {
    note(context, `${path} is a valid plan of ${count(loaded.plan.steps.length, 'step')}.`);
  }
  return exitCodes.done;
}
