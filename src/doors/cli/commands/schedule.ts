import { resolve } from 'node:path';
import { count, initialRunState, type Plan } from '../../../core/contract/index.ts';
import {
  MissedTimes,
  type ScheduleRequestBody,
  type ScheduleRow,
} from '../../../core/contract/schedules/index.ts';
import { keptSchedules } from '../../../core/schedules/kept.ts';
import type { App } from '../../app/app.ts';
import { ownerAt } from '../../app/asker.ts';
import { AppError, type ExitCode, exitCodes } from '../../app/errors.ts';
import { readInputs } from '../../app/inputs.ts';
import { isRunbook, loadPlan } from '../../app/plans.ts';
import type { Agreeable } from '../../app/schedules/index.ts';
import { rowWithout } from '../../app/secrets.ts';
import { askYes } from '../ask.ts';
import { type CommandCode, type Given, oneOf } from '../command.ts';
import { type Context, isAttended, note, print, printJson } from '../context.ts';
import { noteProblems } from '../problems.ts';
import { scheduleLine, scheduleLines } from '../render/schedules.ts';
import { withApp } from '../with-app.ts';
import { runChoices } from './run-choices.ts';

const BY = ownerAt('terminal');

type Verb = (app: App, context: Context, given: Given, named: string | undefined) => Promise<ExitCode>;

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      const [verb = 'list', named, ...more] = given.positionals;
      const does = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
      if (does === undefined || more.length > 0)
        throw new AppError('usage', `usage: planwright ${given.usage}`);
      return does(app, context, given, named);
    }),
};

const asks =
  (type: ScheduleRequestBody['type'], done: (row: ScheduleRow) => string): Verb =>
  async (app, context, given, named) => {
    const row = await meant(app, given, named);
    const answer = await app.schedules.ask(row.id, { type }, { by: BY });
    if (given.flag('json')) printJson(context, await app.schedules.find(row.id));
    else if (!answer.ok) note(context, leftTo(answer.left));
    else note(context, done(row));
    return exitCodes.done;
  };

const leftTo = (host: string): string => `It is asked; a worker on ${host} sees to it.`;

const verbs: Record<string, Verb> = {
  list,
  add,
  agree,
  show: async (app, context, given, named) => {
    const { id } = await meant(app, given, named);
    const state = await app.schedules.state(id);
    const redactor = app.redactorFor(state, keptSchedules);
    const times = await app.schedules.times(id, 3);
    const row = await app.schedules.find(id);
    const look = redactor.value({ row, state, times });
    if (given.flag('json')) printJson(context, look);
    else print(context, scheduleLines(look).join('\n'));
    return exitCodes.done;
  },
  pause: asks('pause-requested', ({ name }) => `${name} is paused. What it has begun goes on.`),
  resume: asks('resume-requested', ({ name }) => `${name} goes on with its next time.`),
  remove: asks('remove-requested', ({ name }) => `${name} is removed. What it has begun stays as it is.`),
  run: async (app, context, given, named) => {
    const row = await meant(app, given, named);
    const answer = await app.schedules.ask(row.id, { type: 'run-requested' }, { by: BY });
    if (!answer.ok) note(context, leftTo(answer.left));
    else if (given.flag('json')) printJson(context, { run: answer.run });
    else {
      print(context, answer.run ?? '');
      note(context, `A server or a worker runs it; planwright resume ${answer.run} does it here.`);
    }
    return exitCodes.done;
  },
};

async function meant(app: App, given: Given, named: string | undefined): Promise<ScheduleRow> {
  if (named === undefined) throw new AppError('usage', `usage: planwright ${given.usage}`);
  return app.schedules.find(named);
}

async function list(app: App, context: Context, given: Given): Promise<ExitCode> {
  const common = app.redactorFor(initialRunState);
  const rows = (await app.schedules.list({ removed: given.flag('all') })).map((row) =>
    rowWithout(row, common),
  );
  if (given.flag('json')) printJson(context, rows);
  else if (rows.length === 0)
    note(context, 'There are no schedules yet: planwright schedule add FILE --cron TIMES');
  else for (const row of rows) print(context, scheduleLine(row));
  return exitCodes.done;
}

async function add(app: App, context: Context, given: Given, named: string | undefined): Promise<ExitCode> {
  const cron = given.text('cron');
  if (named === undefined || cron === undefined)
    throw new AppError('usage', `add takes a plan file and --cron; usage: planwright ${given.usage}`);
  const { workspace } = app;
  const file = resolve(context.cwd, named);
  const only = isRunbook(file) ? given.text('only') : undefined;
  const loaded = await loadPlan({ path: file, workspace, env: context.env, only });
  const inputs = loaded.ok ? readInputs(loaded.plan, given.list('set')) : {};
  const { attended: _, ...choices } = runChoices(context, given);
  const read = await app.schedules.read(
    { ...{ file, only, cron, inputs, choices }, tz: given.text('tz'), missed: missedIn(given) },
    workspace,
  );
  const agreement = await agreed(context, given, read);
  if (agreement === null) return read.ok ? exitCodes.failed : exitCodes.usage;
  const id = await app.schedules.add({ name: given.text('name'), workspace, agreement, by: BY });
  const [first] = await app.schedules.times(id, 1);
  const row = await app.schedules.find(id);
  if (given.flag('json')) printJson(context, { ...row, nextAt: first ?? null });
  else {
    print(context, id);
    note(context, scheduleLine({ ...row, nextAt: first ?? null }));
    note(context, 'It runs while `planwright serve` or `planwright worker --watch` does.');
  }
  return exitCodes.done;
}

async function agree(app: App, context: Context, given: Given, named: string | undefined): Promise<ExitCode> {
  const { id, name } = await meant(app, given, named);
  const agreement = await agreed(context, given, await app.schedules.readAgain(id));
  if (agreement === null) return exitCodes.failed;
  const answer = await app.schedules.agree(id, agreement.hash, { by: BY });
  note(context, answer.ok ? `Agreed: ${name} goes on with its next time.` : leftTo(answer.left));
  return exitCodes.done;
}

/** What a person, who has seen it, agrees to; whoever is not at a terminal has said so by the command. Null: nothing. */
async function agreed(context: Context, given: Given, read: Agreeable) {
  noteProblems(context, read.problems);
  if (!read.ok) return null;
  const { agreement } = read;
  const isAsked = isAttended(context) && !given.flag('yes') && !given.flag('json');
  if (!isAsked) return agreement;
  await show(context, agreement.plan);
  const { cron, tz } = agreement;
  const steps = count(agreement.plan.steps.length, 'step');
  const question = `Run ${steps} at each of "${cron}" (${tz}), with nobody there? What is dangerous is asked about.`;
  return (await askYes(context, question)) ? agreement : null;
}

async function show(context: Context, plan: Plan): Promise<void> {
  (await import('../show-plan.ts')).showPlan(context, plan, []);
}

const missedIn = (given: Given) => oneOf(given, 'missed', MissedTimes.options);
