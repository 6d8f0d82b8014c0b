import { createInterface } from 'node:readline';
import type { Correction, Plan } from '../../../core/contract/index.ts';
import { parseAction } from '../../../core/plan/index.ts';
import { diagnoseBatch } from '../../../mind/brain/index.ts';
import type { App } from '../../app/app.ts';
import { batchBrain, diagnoseRun, offlineBrain } from '../../app/diagnose.ts';
import { AppError, type ExitCode, exitCodes } from '../../app/errors.ts';
import type { CommandCode, Given } from '../command.ts';
import { type Context, isAttended, note, printJson } from '../context.ts';
import { withApp } from '../with-app.ts';
import { startAndAttend } from './run.ts';

export const command: CommandCode = {
  async run(context, given) {
    if (given.flag('batch')) return batch(context);
    if (given.positionals.length === 0) throw new AppError('usage', `usage: planwright ${given.usage}`);
    return withApp(context, given, (app) =>
      diagnose(app, context, given, given.positionals.map(quote).join(' ')),
    );
  },
};

/** An argument as the person's shell handed it over; a single one is taken as a whole command line. */
const quote = (word: string, _at: number, all: string[]): string =>
  all.length === 1 || /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

async function diagnose(app: App, context: Context, given: Given, text: string): Promise<ExitCode> {
  const code = await runSteps(app, context, given, [text], text);
  const [latest] = await app.runs.list({ workspace: app.workspace, limit: 1 });
  if (code === exitCodes.done || latest === undefined) return code;
  const correction = await diagnoseRun(offlineBrain(context.env), await app.runs.state(latest.id));
  if (given.flag('json')) printJson(context, correction);
  else note(context, describe(correction));
  if (correction === null || !given.flag('apply')) return code;
  const steps = [
    ...(correction.newSteps ?? []).map(({ action }) => action.replace(/^RUN_COMMAND /, '')),
    ...(correction.action === 'skip' || correction.action === 'abort'
      ? []
      : [correction.modifiedCommand ?? text]),
  ];
  return steps.length === 0 ? code : runSteps(app, context, given, steps, text);
}

function describe(correction: Correction | null): string {
  if (correction === null) return '\n No brain is sure what went wrong.';
  const { reasoning, newSteps = [], modifiedCommand, confidence, source } = correction;
  return [
    '',
    ` ${reasoning}`,
    ...newSteps.map(({ action }) => `   first  ${action.replace(/^RUN_COMMAND /, '')}`),
    ...(modifiedCommand === undefined ? [] : [`   then   ${modifiedCommand}`]),
    ` (${source.brain} ${source.name}, confidence ${confidence.toFixed(2)}; --apply runs it)`,
  ].join('\n');
}

/** As a run like any other: journaled, judged, and asked about where it is dangerous. */
function runSteps(
  app: App,
  context: Context,
  given: Given,
  commands: string[],
  goal: string,
): Promise<ExitCode> {
  const steps = commands.map((text, index) => {
    const parsed = parseAction(`RUN_COMMAND ${text}`);
    const action = parsed.ok ? parsed.action : ({ kind: 'run-script', script: text } as const);
    return { id: `s${index + 1}`, title: text, action };
  });
  const plan: Plan = { goal, shell: 'bash', steps, revision: 0 };
  const choice = { attended: isAttended(context), excluded: [], inputs: {} };
  return startAndAttend(app, context, plan, choice, given, { leaves: true });
}

async function batch({ stdin, stdout }: Context): Promise<ExitCode> {
  const lines = createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY });
  for await (const diagnosed of diagnoseBatch(lines, batchBrain())) {
    const answer = diagnosed.ok ? diagnosed.correction : { error: diagnosed.message };
    if (!stdout.write(`${JSON.stringify(answer)}\n`))
      await new Promise((resolve) => stdout.once('drain', resolve));
  }
  return exitCodes.done;
}
