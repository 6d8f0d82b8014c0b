import { relative, resolve } from 'node:path';
import type { Input, Plan } from '../../../core/contract/index.ts';
import { changedSentence, ownFiles } from '../../app/agreed.ts';
import type { App } from '../../app/app.ts';
import { ownerAt, startedHere } from '../../app/asker.ts';
import { AppError, type ExitCode, exitCodes } from '../../app/errors.ts';
import { excludedSteps } from '../../app/find-step.ts';
import { completeInputs, readInputs } from '../../app/inputs.ts';
import { type RunChoices, runOptions } from '../../app/options.ts';
import { findWorkspace } from '../../app/places.ts';
import {
  type GivenText,
  isGoal,
  isRunbook,
  kindOfText,
  loadPlan,
  readPlanText,
  usualPlan,
  usualPlans,
} from '../../app/plans.ts';
import type { NewRun } from '../../app/runs.ts';
import { askLine } from '../ask.ts';
import { attend } from '../attend.ts';
import { atMost, type CommandCode, type Given, isAddress } from '../command.ts';
import { type Context, isAttended, note, print, printJson } from '../context.ts';
import { checkReport, chooseView } from '../screens/index.ts';
import { withApp } from '../with-app.ts';
import { expandsPlan, runChoices } from './run-choices.ts';

export const command: CommandCode = {
  async run(context, given) {
    const [what] = atMost(given, 1);
    if (what === undefined) return runFile(context, given, planHere(context, given));
    if (isAddress(what)) return runAddress(context, given, what);
    if (given.text('sha256') !== undefined)
      throw new AppError('usage', '--sha256 is for a plan at an address');
    return what !== '-' && isGoal(what) ? runGoal(context, given, what) : runFile(context, given, what);
  },
};

/** The folder's own plan, or the page that says how it is worked with. */
function planHere(context: Context, given: Given): string {
  const workspace = findWorkspace(context.cwd, given.text('workspace'));
  const found = usualPlan(workspace);
  if (found === null) {
    const looked = `there is no ${usualPlans.join(', ')} in ${workspace}`;
    throw new AppError('usage', `a plan file is missing, and ${looked}; usage: planwright ${given.usage}`);
  }
  note(context, `Running ${found}.`);
  // As a person there would name it: it stands at every step that is shown.
  return relative(context.cwd, resolve(workspace, found));
}

export async function runFile(context: Context, given: Given, file: string): Promise<ExitCode> {
  const read = await readPlan(context, given, file);
  return read === null ? exitCodes.usage : runPlan(context, given, read);
}

/** What is at an address is read once, and that is what is shown, agreed on, kept and run. */
async function runAddress(context: Context, given: Given, named: string): Promise<ExitCode> {
  const { fetchedText } = await import('../fetched.ts');
  const fetched = await fetchedText(context, given, named);
  const read = await readPlan(context, given, { ...fetched, name: fetched.address });
  return read === null ? exitCodes.usage : runPlan(context, given, { ...read, fetched });
}

/** With a model a goal in words is planned; without one it is the template that is about it. */
async function runGoal(context: Context, given: Given, goal: string): Promise<ExitCode> {
  const code = await withApp(context, given, (app) => planAndRun(app, context, given, goal));
  return code ?? runTemplate(context, given, goal);
}

/**
 * Plans, agrees, and stays with the run. With `--yes` a plan without dangerous steps starts unasked. Null where nobody
 * can plan it.
 */
async function planAndRun(app: App, context: Context, given: Given, goal: string): Promise<ExitCode | null> {
  const json = given.flag('json');
  const report = given.text('report');
  checkReport(context, report);
  const attended = isAttended(context) && !json;
  const agreement = given.flag('yes') ? 'safe' : attended ? 'ask' : undefined;
  const { beginGoal } = await import('./begin-goal.ts');
  const id = await beginGoal(app, context, given, goal, { attended: agreement !== undefined });
  if (id === null) return null;
  if (given.flag('detach')) return leave(context, given, id);
  const view = chooseView(context, {
    id,
    json,
    expand: expandsPlan(given),
    report,
    verbose: given.flag('verbose'),
  });
  return attend({ app, id, context, view, attended, agreement });
}

/** With what the goal says itself as the values of its inputs. */
async function runTemplate(context: Context, given: Given, goal: string): Promise<ExitCode> {
  const [{ templateFile, templateFor }, { withSaid }] = await Promise.all([
    import('../../app/templates.ts'),
    import('../../../core/plan/templates/index.ts'),
  ]);
  const template = templateFor(goal);
  note(context, `Using the template ${template.name}: ${template.about}.`);
  const file = templateFile(template);
  const read = await readPlan(context, given, file);
  if (read === null) return exitCodes.usage;
  const { plan, said } = withSaid(read.plan, goal);
  const taken = Object.entries(said).map(([name, value]) => `${name} is ${value}`);
  if (taken.length > 0) note(context, `As the goal says, ${taken.join(', ')}.`);
  return runPlan(context, given, { ...read, plan });
}

interface ReadPlan {
  plan: Plan;
  /** Of a runbook `--only` has chosen already, by a heading. */
  isPage: boolean;
  fetched?: NewRun['fetched'];
}

/** The plan in a file or a text, after its problems have been said; null where they are errors. */
async function readPlan(context: Context, given: Given, named: string | GivenText): Promise<ReadPlan | null> {
  const from = named === '-' ? await textGiven(context) : named;
  const isPage = typeof from === 'string' ? isRunbook(from) : from.kind === 'runbook';
  const headings = given.list('only');
  if (isPage && headings.length > 1)
    throw new AppError('usage', 'of a runbook, --only takes one heading or block');
  const only = isPage ? headings[0] : undefined;
  const { cwd, env } = context;
  const workspace = findWorkspace(cwd, given.text('workspace'));
  const terminal = isAttended(context) && !given.flag('json');
  const isAsked = terminal && !given.flag('yes') && !given.flag('dry-run');
  const pickWay = isAsked ? (await import('../pick-way.ts')).pickWayAt(context) : undefined;
  const loaded =
    typeof from === 'string'
      ? await loadPlan({ path: from, cwd, env, workspace, only, terminal, pickWay })
      : await readPlanText({ ...from, only, terminal, pickWay }, { workspace, env });
  if (loaded.problems.length > 0) {
    const { noteProblems } = await import('../problems.ts');
    noteProblems(context, loaded.problems);
  }
  return loaded.ok ? { plan: loaded.plan, isPage } : null;
}

/** A plan or a runbook from stdin. */
async function textGiven({ stdin }: Context): Promise<GivenText> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString('utf8');
  return { text, kind: kindOfText(text), name: 'stdin' };
}

async function runPlan(context: Context, given: Given, read: ReadPlan): Promise<ExitCode> {
  const { plan, fetched } = read;
  const choice = choices(context, given, read);
  const isAsked = choice.attended && !given.flag('json');
  if (given.flag('dry-run')) {
    const [{ showPlan, planAsData }, { fillPlan }] = await Promise.all([
      import('../show-plan.ts'),
      import('../../../core/plan/substitute/index.ts'),
    ]);
    const filled = fillPlan(plan, choice.inputs);
    if (given.flag('json')) printJson(context, planAsData(filled, choice.excluded));
    else showPlan(context, filled, choice.excluded, { on: 'stdout' });
    return exitCodes.done;
  }
  choice.inputs = await completeInputs(
    plan,
    choice.inputs,
    isAsked ? (input) => askInput(context, input) : null,
  );
  const alone = plan.steps.find(
    ({ id, interactive }) => interactive === true && !choice.excluded.includes(id),
  );
  if (alone !== undefined && !isAsked) {
    const why = `step ${JSON.stringify(alone.title)} has to be answered at a terminal, and there is none`;
    throw new AppError('usage', why, { exitCode: exitCodes.needsPerson });
  }
  return withApp(context, given, (app) =>
    startAndAttend(app, context, plan, choice, given, { isAsked: isAsked && !given.flag('yes'), fetched }),
  );
}

/** Where the run comes from, where that is another run; its folder then. */
type Origin = Pick<NewRun, 'workspace' | 'parent' | 'sealed' | 'gitSource'>;

type Choices = RunChoices & { excluded: string[]; inputs: Record<string, string> };

interface Attending {
  isAsked?: boolean;
  from?: Origin;
  fetched?: NewRun['fetched'] | undefined;
  leaves?: boolean;
  /** Once there is a run; nothing of it is done before this has settled. */
  onCreated?(id: string): Promise<void>;
}

/** Makes the run, agrees on its plan where somebody is to be asked, and stays with it. */
export async function startAndAttend(
  app: App,
  context: Context,
  plan: Plan,
  choice: Choices,
  given: Given,
  { isAsked = false, from, fetched, leaves, onCreated }: Attending = {},
): Promise<ExitCode> {
  const startedBy = startedHere(app.places.data);
  if (startedBy !== null) {
    note(
      context,
      `${startedBy.agent ?? `Run ${startedBy.run ?? 'nobody knows which'}`} started this one: nothing dangerous can be approved from here.`,
    );
  }
  const changed = changedSentence(app.places, ownFiles(app.places), 'planwright trust --own');
  if (changed !== null) note(context, changed);
  if (app.config.untrusted !== null) {
    note(context, `${app.config.untrusted} is not used until you trust this folder: planwright trust`);
  }
  const json = given.flag('json');
  const report = given.text('report');
  checkReport(context, report);
  const options = runOptions(app.config.values, plan, choice);
  const { workspace } = from ?? app;
  const origin = from?.parent === undefined ? {} : { parent: from.parent, sealed: from.sealed ?? [] };
  const by = ownerAt('terminal');
  const agreed = isAsked || onCreated !== undefined ? {} : { agreed: by };
  const named = given.text('source');
  const gitSource = named === undefined ? from?.gitSource : await app.sources.resolve(named);
  const source = gitSource === undefined ? {} : { gitSource, here: isAsked };
  const text = fetched === undefined ? {} : { fetched };
  const id = await app.runs.create({ plan, workspace, options, ...origin, ...agreed, ...source, ...text });
  await onCreated?.(id);
  // Whoever saw it meanwhile may have agreed already: then this one is refused, and nothing is lost.
  if (!isAsked && onCreated !== undefined)
    await app.runs.request(id, { type: 'plan-decided', revision: plan.revision, decision: 'all' }, { by });
  const ended = isAsked
    ? await (await import('../agree.ts')).agree(app, context, id, plan, choice.excluded)
    : null;
  if (ended !== null) return ended;
  if (given.flag('detach')) return leave(context, given, id);
  const view = chooseView(context, { id, json, expand: expandsPlan(given), report });
  return attend({ app, id, context, view, attended: choice.attended && !json, leaves });
}

/** Whoever drives runs finds it; what it is called is all that is said. */
function leave(context: Context, given: Given, id: string): ExitCode {
  if (given.flag('json')) printJson(context, { run: id });
  else print(context, id);
  return exitCodes.done;
}

function choices(context: Context, given: Given, { plan, isPage }: ReadPlan): Choices {
  const from = given.text('from');
  const only = isPage ? [] : given.list('only');
  return {
    ...runChoices(context, given),
    excluded: excludedSteps(plan, { only, ...(from === undefined ? {} : { from }) }),
    inputs: readInputs(plan, given.list('set')),
  };
}

async function askInput(
  context: Context,
  { name, description, default: usual, secret }: Input,
): Promise<string> {
  const about = description === undefined ? name : `${name}: ${description}`;
  note(context, usual === undefined ? ` ${about}` : ` ${about} (Enter: ${usual})`);
  const answer = await askLine(context, new AbortController().signal, { hidden: secret === true });
  if (typeof answer === 'string')
    throw new AppError('usage', 'interrupted', { exitCode: exitCodes.interrupted });
  return answer.text === '' && usual !== undefined ? usual : answer.text;
}
