import { Mode, OnAskPolicy, type Plan } from '../../../core/contract/index.ts';
import { renderProblem } from '../../../core/plan/index.ts';
import {
  type App,
  AppError,
  type ExitCode,
  excludedSteps,
  exitCodes,
  findWorkspace,
  loadPlan,
  runOptions,
} from '../../app/index.ts';
import { askKey } from '../ask.ts';
import { attend } from '../attend.ts';
import { atMost, type Command, commonOptions, type Given, oneOf } from '../command.ts';
import { type Context, isAttended, note } from '../context.ts';
import { lookOf } from '../look.ts';
import { showPlan } from '../show-plan.ts';
import { agreementChoices, renderAgreement } from '../view/index.ts';
import { chooseView } from '../views/index.ts';
import { withApp } from '../with-app.ts';

export const command: Command = {
  usage: 'FILE [options]',
  options: {
    mode: { type: 'string', value: 'MODE', about: 'teacher, planner or agentic' },
    workspace: commonOptions.workspace,
    'dry-run': { type: 'boolean', about: 'Show the steps and stop' },
    from: { type: 'string', value: 'STEP', about: 'Begin at this step (number, id or title)' },
    only: { type: 'string', multiple: true, value: 'STEP', about: 'Run only this step; may be given again' },
    set: { type: 'string', multiple: true, value: 'KEY=VALUE', about: 'Give the plan an input' },
    'on-ask': { type: 'string', value: 'POLICY', about: 'With nobody to ask: fail, deny or park' },
    'on-interrupt': { type: 'string', value: 'POLICY', about: 'With an unknown step: rerun, skip or stop' },
    yes: { type: 'boolean', short: 'y', about: 'Do not ask before starting' },
    json: { type: 'boolean', about: 'Print every event as a line of JSON' },
  },
  async run(context, given) {
    const [file] = atMost(given, 1, `run ${command.usage}`);
    if (file === undefined)
      throw new AppError('usage', `a plan file is missing; usage: planwright run ${command.usage}`);
    const plan = readPlan(context, file);
    if (plan === null) return exitCodes.usage;
    return runPlan(context, given, plan);
  },
};

/** The plan in a file, or null after its problems have been said. */
export function readPlan(context: Context, file: string): Plan | null {
  const loaded = loadPlan(file, context.cwd);
  if (loaded.ok) return loaded.plan;
  for (const problem of loaded.problems) note(context, renderProblem(problem));
  return null;
}

async function runPlan(context: Context, given: Given, plan: Plan): Promise<ExitCode> {
  const choice = choices(context, given, plan);
  if (given.flag('dry-run')) {
    showPlan(context, plan, choice.excluded);
    return exitCodes.done;
  }
  if (choice.attended && !given.flag('yes') && !given.flag('json')) {
    showPlan(context, plan, choice.excluded);
    const workspace = findWorkspace(context.cwd, given.text('workspace'));
    const decision = await agree(context, plan.steps.length - choice.excluded.length, workspace);
    if (decision === 'cancel') return exitCodes.done;
    if (decision === 'interrupted') return exitCodes.interrupted;
    if (decision === 'step-by-step') choice.mode = 'teacher';
  }
  return withApp(context, given, (app) => startAndAttend(app, context, plan, choice, given.flag('json')));
}

type Choices = Parameters<typeof runOptions>[2] & { excluded: string[] };

/** Makes the run and stays with it. */
export async function startAndAttend(
  app: App,
  context: Context,
  plan: Plan,
  choice: Choices,
  json: boolean,
): Promise<ExitCode> {
  if (app.config.untrusted !== null) {
    note(context, `${app.config.untrusted} is not used until you trust this folder: planwright trust`);
  }
  const options = runOptions(app.config.values, plan, choice);
  const id = await app.runs.create({ plan, workspace: app.workspace, options, agreed: { by: 'terminal' } });
  const view = chooseView(context, { id, json });
  return attend({ app, id, context, view, attended: choice.attended && !json });
}

function choices(context: Context, given: Given, plan: Plan): Choices {
  const mode = oneOf(given, 'mode', Mode.options);
  const onAsk = oneOf(given, 'on-ask', OnAskPolicy.options);
  const onInterrupt = oneOf(given, 'on-interrupt', ['rerun', 'skip', 'stop'] as const);
  const from = given.text('from');
  const only = given.list('only');
  return {
    attended: isAttended(context),
    excluded: excludedSteps(plan, { only, ...(from === undefined ? {} : { from }) }),
    inputs: inputs(given.list('set')),
    ...(mode === undefined ? {} : { mode }),
    ...(onAsk === undefined ? {} : { onAsk }),
    ...(onInterrupt === undefined ? {} : { onInterrupt }),
  };
}

function inputs(pairs: string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new AppError('usage', `--set takes KEY=VALUE, not ${JSON.stringify(pair)}`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

async function agree(context: Context, steps: number, workspace: string) {
  note(context, renderAgreement(steps, workspace, lookOf(context, 'stderr')).join('\n'));
  const answer = await askKey(context, agreementChoices, new AbortController().signal);
  return typeof answer === 'string' ? 'interrupted' : answer.decision;
}
