import { planFileSchema, renderProblem } from '../../../core/plan/index.ts';
import { AppError, type ExitCode, exitCodes, findWorkspace, loadPlan } from '../../app/index.ts';
import { atMost, type Command, commonOptions, type Given } from '../command.ts';
import { type Context, note, print, printJson } from '../context.ts';
import { showPlan } from '../show-plan.ts';

export const command: Command = {
  usage: 'validate FILE | check [FILE | -] | schema',
  options: {
    workspace: commonOptions.workspace,
    json: { type: 'boolean', about: 'Print the problems as JSON' },
    batch: { type: 'boolean', about: 'Check one answer a line: {"raw": "…"}' },
  },
  async run(context, given) {
    const [verb, file] = atMost(given, 2, `plan ${command.usage}`);
    if (verb === 'schema') {
      printJson(context, planFileSchema());
      return exitCodes.done;
    }
    if (verb === 'validate' && file !== undefined) return validate(context, given, file);
    if (verb === 'check') {
      const { checkAnswers } = await import('./plan-check.ts');
      return checkAnswers(context, given, file);
    }
    throw new AppError('usage', `usage: planwright plan ${command.usage}`);
  },
};

async function validate(context: Context, given: Given, path: string): Promise<ExitCode> {
  const { cwd, env } = context;
  const workspace = findWorkspace(cwd, given.text('workspace'));
  const loaded = await loadPlan({ path, cwd, env, workspace });
  if (given.flag('json')) printJson(context, { ok: loaded.ok, problems: loaded.problems });
  else for (const problem of loaded.problems) print(context, renderProblem(problem));
  if (!loaded.ok) return exitCodes.usage;
  if (!given.flag('json')) {
    showPlan(context, loaded.plan, []);
    note(context, `${path} is a valid plan of ${loaded.plan.steps.length} steps.`);
  }
  return exitCodes.done;
}
