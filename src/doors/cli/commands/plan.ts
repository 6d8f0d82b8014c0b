import { planFileSchema, renderProblem } from '../../../core/plan/index.ts';
import { AppError, type ExitCode, exitCodes, loadPlan } from '../../app/index.ts';
import { atMost, type Command, type Given } from '../command.ts';
import { type Context, note, print, printJson } from '../context.ts';
import { showPlan } from '../show-plan.ts';

export const command: Command = {
  usage: 'validate FILE | schema',
  options: { json: { type: 'boolean', about: 'Print the problems as JSON' } },
  async run(context, given) {
    const [verb, file] = atMost(given, 2, `plan ${command.usage}`);
    if (verb === 'schema') {
      printJson(context, planFileSchema());
      return exitCodes.done;
    }
    if (verb === 'validate' && file !== undefined) return validate(context, given, file);
    throw new AppError('usage', `usage: planwright plan ${command.usage}`);
  },
};

function validate(context: Context, given: Given, file: string): ExitCode {
  const loaded = loadPlan(file, context.cwd);
  const problems = loaded.ok ? [] : loaded.problems;
  if (given.flag('json')) printJson(context, { ok: loaded.ok, problems });
  else if (loaded.ok) {
    showPlan(context, loaded.plan, []);
    note(context, `${file} is a valid plan of ${loaded.plan.steps.length} steps.`);
  } else for (const problem of problems) print(context, renderProblem(problem));
  return loaded.ok ? exitCodes.done : exitCodes.usage;
}
